/** Validators of documents, and a search for documents on which two of them disagree. */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import * as z from 'zod/mini'
import type { Dialect } from '../../scripts/schemas/dialect.ts'
import { isSchema, type JsonSchema, mapSchema, refTo } from '../../src/cli/schema/json-schema.ts'
import { documentsIn, type Material, mutated } from './documents.ts'

export type Judge = (document: unknown) => boolean

/** The verdict of Ajv in its strictest mode, by the draft the schema names. */
export function ajvJudge(schema: JsonSchema): Judge {
  // What is compiled is run a few times: making it shorter takes longer than that.
  const options = { strict: true, code: { optimize: false } }
  const draft07 = schema.$schema?.includes('draft-07') === true
  const ajv = draft07 ? new Ajv(options) : new Ajv2020(options)
  addFormats.default(ajv)
  const validate = ajv.compile(schema)
  return (document) => validate(document)
}

/** Removes what TypeScript types cannot express: lengths, bounds, formats, patterns, integers. */
export function erased(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (inner) => {
    const { minLength: _, pattern: __, format: ___, minimum: ____, maximum: _____, ...bare } = inner
    const { minItems: ______, ...rest } = bare
    if (rest.type === 'integer') return { ...rest, type: 'number' }
    return rest
  })
}

/** The verdict of a schema without refinements. */
export function erasedJudge(schema: JsonSchema): Judge {
  const { $schema: _, $id: __, ...rest } = erased(schema)
  const ajv = new Ajv({ strict: false, code: { optimize: false } })
  const validate = ajv.compile(rest)
  return (document) => validate(document)
}

/**
 * The verdict of a vocabulary's own validators. The decoder agrees if it returns the document itself, that
 * is, without stripping a `null`.
 */
export function validatorJudge(dialect: Dialect): Judge {
  return (document) => {
    const tag = isSchema(document) ? document[dialect.tag] : undefined
    const schema =
      typeof tag === 'string' && Object.hasOwn(dialect.schemas, tag) ? dialect.schemas[tag] : undefined
    const verdict = schema !== undefined && z.safeParse(schema, document).success
    const decoded = dialect.decode(document)
    if (verdict !== (decoded.status === 'known' && decoded.event === document)) {
      throw new Error(`The decoder of ${dialect.name} and its schemas disagree.`)
    }
    return verdict
  }
}

/** Searches `runs` documents, most of them mutated, for one on which two validators disagree. */
export function disagreement(
  documents: fc.Arbitrary<unknown>,
  material: Material,
  judges: readonly [Judge, Judge],
  options: { readonly runs: number; readonly seed?: number },
): unknown {
  const [left, right] = judges
  const asIsOrMutated = fc.oneof(
    { weight: 1, arbitrary: documents },
    { weight: 3, arbitrary: mutated(documents, material) },
  )
  const property = fc.property(asIsOrMutated, (document) => {
    if (left(document) !== right(document)) throw new Error('They disagree.')
  })
  // Shrinking large events takes minutes and adds little information.
  const { runs, ...rest } = options
  const result = fc.check(property, { numRuns: runs, endOnFailure: true, ...rest })
  return result.failed ? { document: result.counterexample?.[0], seed: result.seed } : undefined
}

/** Generates documents of an event type, from the schema of one side. */
export function eventsIn(root: JsonSchema): (name: string) => fc.Arbitrary<unknown> {
  const documents = documentsIn(root)
  if (root.$defs !== undefined) return (name) => documents(refTo(name))
  return (name) => {
    // A generic interface is followed by its arguments.
    const reference = new RegExp(`"#/definitions/${name}(?:<|%3C|")`)
    const member = membersOf(root).find((each) => reference.test(JSON.stringify(each)))
    if (member === undefined) throw new Error(`The declarations have no ${name}.`)
    return documents(member)
  }
}

/** The members of the union in a schema derived from declarations. */
export function membersOf(root: JsonSchema): readonly JsonSchema[] {
  return root.anyOf ?? []
}
