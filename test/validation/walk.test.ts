// Proves that the walker and zod agree on every value: verdict, and code and path of the first fault.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shapeOf } from '../../scripts/describe-schema.ts'
import type { Schema } from '../../src/core/schema.ts'
import { agentEventSchemas, toolEventSchemas } from '../../src/dialects/agent-event/wire/schemas.ts'
import { frameV1Schemas, frameV2Schemas } from '../../src/dialects/frames/wire/schemas.ts'
import { sessionEventSchemas } from '../../src/dialects/session/wire/schemas.ts'
import { decodeEvent } from '../../src/events/decode.ts'
import { contextEnvelopeSchema, contextEventSchemas } from '../../src/events/schemas.ts'
import { explain } from '../../src/validation/issues.ts'
import { stripNulls as stripNullsByZod } from '../../src/validation/strip-nulls.ts'
import { issuesOf, stripNulls } from '../../src/validation/walk.ts'
import { runs } from '../support/runs.ts'
import { accepted, damaged } from '../support/zod-arbitrary.ts'

const vocabularies: Record<string, Record<string, unknown>> = {
  events: contextEventSchemas,
  envelope: { envelope: contextEnvelopeSchema },
  'agent-event': { ...agentEventSchemas, ...toolEventSchemas },
  'frame-v1': frameV1Schemas,
  'frame-v2': frameV2Schemas,
  session: sessionEventSchemas,
}

const all = Object.entries(vocabularies).flatMap(([name, schemas]) =>
  Object.entries(schemas).map(([kind, schema]) => [name, kind, schema as Schema<unknown>] as const),
)

describe.each(all)('%s %s', (_name, _kind, schema) => {
  const shape = shapeOf(schema)
  it('agrees with zod', () => {
    fc.assert(
      fc.property(
        fc.oneof(accepted(schema), damaged(accepted(schema)), damaged(damaged(accepted(schema)))),
        (value) => {
          const stripped = stripNullsByZod(schema, value)
          const expected = issuesByZod(schema, stripped)
          const found = issuesOf(shape, value)
          expect(found.map(({ code, path }) => ({ code, path }))[0]).toEqual(
            expected.map(({ code, path }) => ({ code, path }))[0],
          )
          if (found.length === 0) expect(stripNulls(shape, value)).toEqual(stripped)
        },
      ),
      { numRuns: runs(100) },
    )
  })
})

describe.each(Object.entries(contextEventSchemas))('decoding %s', (kind, schema) => {
  it('reports what zod reports first, and strips the same nulls', () => {
    fc.assert(
      fc.property(fc.oneof(accepted(schema), damaged(damaged(accepted(schema)))), (value) => {
        fc.pre((value as { kind?: unknown } | null)?.kind === kind)
        const stripped = stripNullsByZod(schema, value)
        const [fault] = issuesByZod(schema, stripped)
        const decoded = decodeEvent(value)
        if (fault === undefined) expect(decoded).toEqual({ status: 'known', event: stripped })
        else {
          const { code, path } = fault
          expect(decoded).toMatchObject({ status: 'invalid', issues: { 0: { code, path } } })
        }
      }),
      { numRuns: runs(100) },
    )
  })
})

/** The issues zod reports. Skips a value on which zod throws: it compares `length` of what is not a string. */
function issuesByZod(schema: Parameters<typeof explain>[0], value: unknown): ReturnType<typeof explain> {
  try {
    return explain(schema, value)
  } catch {
    fc.pre(false)
    return []
  }
}
