/** The generated files under `schemas/`, and the location of the hand-written ones. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { JsonSchema } from '../../src/cli/schema/json-schema.ts'
import { nestedUnions, variants } from '../../src/cli/schema/variants.ts'
import type { Dialect } from './dialect.ts'
import { dialects } from './dialects.ts'
import { envelopeOf } from './envelope.ts'
import { lint } from './lint.ts'
import { normativeSchema } from './normative.ts'
import { readTypes } from './type-docs.ts'

export const SCHEMAS: string = fileURLToPath(new URL('../../schemas/', import.meta.url))

/** The published files of one version of one vocabulary. */
export interface Published {
  readonly dialect: Dialect
  /** `<name>/<version>`, relative to {@link SCHEMAS}. */
  readonly folder: string
  readonly normative: JsonSchema
  /** File name → text. */
  readonly files: ReadonlyMap<string, string>
}

/** Generates the files of all vocabularies. Throws if a schema breaks a shape rule. */
export function publish(): Published[] {
  const types = readTypes(dialects.map(({ type }) => type))
  return dialects.map((dialect, i) => {
    const type = types[i]
    if (type === undefined) throw new Error(`Expected a type for ${dialect.name}, got none.`)
    return publishOne(dialect, type)
  })
}

function publishOne(dialect: Dialect, type: Parameters<typeof normativeSchema>[1]): Published {
  const normative = normativeSchema(dialect, type)
  const findings = lint(normative.schema, dialect.tag)
  if (findings.length > 0) {
    const list = findings.map(({ rule, path }) => `  ${rule} ${path}`).join('\n')
    throw new Error(`The schema of ${dialect.name} breaks shape rules:\n${list}`)
  }
  const folder = `${dialect.name}/${dialect.version}`
  const { schema, types, bags } = normative
  const envelope = envelopeOf(dialect, schema)
  const described = { tag: dialect.tag, types, metadata: [...bags], envelope }
  const files = new Map(
    Object.entries({
      'events.schema.json': schema,
      'events.open.schema.json': variants.open(schema, described),
      'events.draft-07.schema.json': variants['draft-07'](schema, described),
      'events.codegen.json': variants.codegen(schema, described),
      'events.types.json': variants.types(schema, described),
    }).map(([name, schema]) => [name, toText(schema)]),
  )
  const meta = {
    dialect: dialect.name,
    version: dialect.version,
    ...described,
    unions: nestedUnions(schema),
    sha256: Object.fromEntries([...files].map(([name, text]) => [name, sha256(text)])),
    examples: examplePaths(folder, 'examples'),
    invalid: examplePaths(folder, 'invalid'),
  }
  return { dialect, folder, normative: schema, files: files.set('meta.json', toText(meta)) }
}

/** The hand-written files of a folder, relative to it, in a fixed order. */
export function examplePaths(folder: string, kind: 'examples' | 'invalid'): string[] {
  const root = `${SCHEMAS}${folder}/`
  if (!existsSync(`${root}${kind}`)) return []
  return readdirSync(`${root}${kind}`, { recursive: true, encoding: 'utf8' })
    .map((path) => `${kind}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.json'))
    .sort()
}

/**
 * An example of each kind of each version in one file, for the package: path relative to {@link SCHEMAS} → text. Each line
 * has the `path` of an example in the folder of its version, and its `value`: that with all fields, or the first one. The
 * others are in the conformance kit.
 */
export function exampleSets(): Map<string, string> {
  const folders = dialects.flatMap(({ name }) =>
    readdirSync(SCHEMAS + name).map((version) => `${name}/${version}`),
  )
  return new Map(
    [...new Set(folders)].map((folder) => {
      const byKind = new Map<string, string>()
      for (const path of examplePaths(folder, 'examples')) {
        const kind = path.replace(/[^/]*$/, '')
        if (path.endsWith('/full.json') || !byKind.has(kind)) byKind.set(kind, path)
      }
      const lines = [...byKind.values()].map((path) => {
        const value: unknown = JSON.parse(readFileSync(`${SCHEMAS}${folder}/${path}`, 'utf8'))
        return `${JSON.stringify({ path, value })}\n`
      })
      return [`examples/${folder}.jsonl`, lines.join('')]
    }),
  )
}

/** The content of a file; `undefined` if the file does not exist. */
export function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
