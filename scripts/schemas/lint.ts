/** The shape rules of published schemas: each avoids a defect of a tool in another language. */
import { type JsonSchema, refName, visitSchema } from '../../src/cli/schema/json-schema.ts'

/** A violation of a rule. */
export interface Finding {
  readonly rule:
    | 'named-variant'
    | 'const-tag'
    | 'title'
    | 'explicit-additional-properties'
    | 'instant-pattern'
    | 'bounded-integer'
    | 'description'
    | 'no-discriminator'
    | 'known-ref'
    | 'used-def'
  /** JSON pointer into the schema. */
  readonly path: string
}

/** Checks a normative schema against the rules. Returns the violations. */
export function lint(root: JsonSchema, tag: string): Finding[] {
  const findings: Finding[] = []
  const report = (rule: Finding['rule'], path: string): void => {
    findings.push({ rule, path })
  }
  const defs = root.$defs ?? {}
  const used = new Set<string>()
  const tags = new Set<unknown>()

  if (root.oneOf === undefined || root.oneOf.length === 0) report('named-variant', '/oneOf')
  for (const [i, variant] of (root.oneOf ?? []).entries()) {
    const name = refName(variant)
    if (name === undefined || Object.keys(variant).length > 1) {
      report('named-variant', `/oneOf/${i}`)
      continue
    }
    const def = defs[name]
    const field = def?.properties?.[tag]
    const isTag = field?.type === 'string' && typeof field.const === 'string' && !tags.has(field.const)
    if (!isTag || !def?.required?.includes(tag)) report('const-tag', `/$defs/${name}`)
    tags.add(field?.const)
  }
  for (const [name, def] of Object.entries(defs)) {
    if (def.title !== name) report('title', `/$defs/${name}`)
    if (def.description === undefined) report('description', `/$defs/${name}`)
  }
  visitSchema(root, (schema, path) => {
    const name = refName(schema)
    if (name !== undefined) {
      used.add(name)
      if (defs[name] === undefined) report('known-ref', path)
    }
    const isObject = schema.type === 'object' || schema.properties !== undefined
    if (isObject && schema.additionalProperties === undefined) report('explicit-additional-properties', path)
    // Many validators ignore formats.
    if (schema.format !== undefined && schema.pattern === undefined) report('instant-pattern', path)
    if (typesOf(schema).includes('integer') && !isBounded(schema)) report('bounded-integer', path)
    if (schema.discriminator !== undefined) report('no-discriminator', path)
    for (const [key, field] of Object.entries(schema.properties ?? {})) {
      if (!field.description) report('description', `${path}/properties/${key}`)
    }
  })
  for (const name of Object.keys(defs)) if (!used.has(name)) report('used-def', `/$defs/${name}`)
  return findings
}

function typesOf(schema: JsonSchema): readonly string[] {
  return schema.type === undefined ? [] : [schema.type].flat()
}

function isBounded({ minimum, maximum }: JsonSchema): boolean {
  return Number.isSafeInteger(minimum) && Number.isSafeInteger(maximum)
}
