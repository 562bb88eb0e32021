/** Who may judge a document, and how to find one on which two judges disagree. */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import * as z from 'zod/mini'
import type { Dialect } from '../../scripts/schemas/dialect.ts'
import { isSchema, type JsonSchema, mapSchema, refTo } from '../../scripts/schemas/json-schema.ts'
import { documentsIn, type Material, mutated } from './documents.ts'

export type Judge = (document: unknown) => boolean

/** The verdict of Ajv in its strictest mode, by the draft the schema names. */
export function ajvJudge(schema: JsonSchema): Judge {
  const draft07 = schema.$schema?.includes('draft-07') === true
  const ajv = draft07 ? new Ajv({ strict: true }) : new Ajv2020({ strict: true })
  addFormats.default(ajv)
  const validate = ajv.compile(schema)
  return (document) => validate(document)
}

/** Without what a TypeScript type cannot say: lengths, bounds, formats, patterns, wholeness. */
export function erased(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (inner) => {
    const { minLength: _, pattern: __, format: ___, minimum: ____, maximum: _____, ...rest } = inner
    if (rest.type === 'integer') return { ...rest, type: 'number' }
    return rest
  })
}

/** The verdict on refinements-free schemas, whoever wrote them. */
export function erasedJudge(schema: JsonSchema): Judge {
  const { $schema: _, $id: __, ...rest } = erased(schema)
  const ajv = new Ajv({ strict: false })
  const validate = ajv.compile(rest)
  return (document) => validate(document)
}

/**
 * The verdict of a vocabulary's own validators. The decoder shares it where it hands back the very
 * document: without a `null` it took for absent.
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

/** A document on which two judges disagree, among `runs`, most of them mutated. */
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
  // Shrinking events of many fields takes minutes, and says little more than the event itself.
  const { runs, ...rest } = options
  const result = fc.check(property, { numRuns: runs, endOnFailure: true, ...rest })
  return result.failed ? { document: result.counterexample?.[0], seed: result.seed } : undefined
}

/** Makes the documents of an event by the name of its type, as one side has it. */
export function eventsIn(root: JsonSchema): (name: string) => fc.Arbitrary<unknown> {
  const documents = documentsIn(root)
  if (root.$defs !== undefined) return (name) => documents(refTo(name))
  return (name) => {
    const member = membersOf(root).find((each) => JSON.stringify(each).includes(`"#/definitions/${name}"`))
    if (member === undefined) throw new Error(`The declarations have no ${name}.`)
    return documents(member)
  }
}

/** The members of the union a schema read from declarations describes. */
export function membersOf(root: JsonSchema): readonly JsonSchema[] {
  return root.anyOf ?? []
}
