// Proves that the published schema and the declared types accept the same documents.
import { beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../../scripts/schemas/dialects.ts'
import { publish } from '../../scripts/schemas/files.ts'
import type { JsonSchema } from '../../src/cli/schema/json-schema.ts'
import { declaredSchemas } from './declared.ts'
import { harvest, type Material } from './documents.ts'
import { disagreement, erased, erasedJudge, eventsIn, type Judge } from './verdicts.ts'

/** Documents for each vocabulary, over all its events. */
const RUNS = 2800

const published = publish()
let declarations: readonly JsonSchema[]

beforeAll(() => {
  declarations = declaredSchemas(dialects.map(({ type }) => type))
}, 120_000)

/** A schema in which no object requires a field. */
function withoutRequired(schema: JsonSchema, field: string): JsonSchema {
  const text = JSON.stringify(schema, (key, value) =>
    key === 'required' && Array.isArray(value) ? value.filter((name) => name !== field) : value,
  )
  return JSON.parse(text) as JsonSchema
}

describe.each(published)('$folder', ({ dialect, normative, files }) => {
  const { types } = JSON.parse(files.get('meta.json') ?? '') as { types: Record<string, string> }
  const numRuns = Math.ceil(RUNS / Object.keys(types).length)
  let declared: JsonSchema
  let material: Material

  beforeAll(() => {
    declared = declarations[published.findIndex((each) => each.dialect === dialect)] ?? {}
    // A field of type `unknown` may hold `undefined`, which JSON omits.
    if (dialect.name === 'agent-event') declared = withoutRequired(declared, 'data')
    material = harvest([normative, declared])
  })

  test('the published schema and the declared types agree', () => {
    const judges: readonly [Judge, Judge] = [erasedJudge(normative), erasedJudge(declared)]
    for (const root of [erased(normative), declared]) {
      const events = eventsIn(root)
      for (const [tag, name] of Object.entries(types)) {
        expect(disagreement(events(name), material, judges, { runs: Math.ceil(numRuns / 2) }), tag).toBe(
          undefined,
        )
      }
    }
  })
})
