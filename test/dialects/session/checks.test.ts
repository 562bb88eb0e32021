// The compiled checks accept the same values as the schemas, for every event in both modes.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/core/schema.ts'
import { decodeSessionEvent } from '../../../src/dialects/session/index.ts'
import { lenientSchemaOf } from '../../../src/dialects/session/wire/lenient.ts'
import { sessionEnvelopeSchema, sessionEventSchemas } from '../../../src/dialects/session/wire/schemas.ts'
import { compileCheck } from '../../../src/validation/compile-check.ts'
import { stripNulls } from '../../../src/validation/strip-nulls.ts'
import { clientHeartbeatSchema } from '../../../src/zod/index.ts'
import { accepts } from '../../support/accepts.ts'
import { runs } from '../../support/runs.ts'
import { accepted, damaged } from '../../support/zod-arbitrary.ts'

const schemas: readonly (readonly [name: string, schema: Schema<unknown>])[] = [
  ...Object.entries(sessionEventSchemas),
  ['system.heartbeat of a client', clientHeartbeatSchema],
  ['the envelope', sessionEnvelopeSchema],
]

function valuesOf(schema: Schema<unknown>): fc.Arbitrary<unknown> {
  const values = accepted(schema)
  return fc.oneof(values, damaged(values), damaged(damaged(values)))
}

describe.each(schemas)('the check of %s', (_name, schema) => {
  it.each([
    ['strict', schema],
    ['lenient', lenientSchemaOf(schema)],
  ] as const)('accepts the same values as the %s schema', (_mode, schema) => {
    const check = compileCheck(schema)
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        expect(check(value)).toBe(accepts(schema, value))
      }),
      { numRuns: runs(100) },
    )
  })
})

describe.each(Object.entries(sessionEventSchemas))('decoding %s', (name, schema: Schema<unknown>) => {
  it('accepts what the schema accepts, with and without nulls, and reports issues otherwise', () => {
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        fc.pre((value as { event?: unknown } | null | undefined)?.event === name)
        const isKnown = accepts(schema, value) || accepts(schema, stripNulls(schema, value))
        const decoded = decodeSessionEvent(value)
        expect(decoded.status).toBe(isKnown ? 'known' : 'invalid')
        if (decoded.status === 'invalid') expect(decoded.issues).not.toEqual([])
      }),
      { numRuns: runs(100) },
    )
  })
})
