// The decoder accepts the same values as the schemas.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/core/schema.ts'
import { decodeSessionEvent } from '../../../src/dialects/session/index.ts'
import { sessionEventSchemas } from '../../../src/dialects/session/wire/schemas/index.ts'
import { accepts } from '../../support/accepts.ts'
import { runs } from '../../support/runs.ts'
import { accepted, damaged } from '../../support/zod-arbitrary.ts'
import { withoutNulls } from '../../support/zod-oracle.ts'

function valuesOf(schema: Schema<unknown>): fc.Arbitrary<unknown> {
  const values = accepted(schema)
  return fc.oneof(values, damaged(values), damaged(damaged(values)))
}

describe.each(Object.entries(sessionEventSchemas))('decoding %s', (name, schema: Schema<unknown>) => {
  it('accepts what the schema accepts, with and without nulls, and reports issues otherwise', () => {
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        fc.pre((value as { event?: unknown } | null | undefined)?.event === name)
        const isKnown = accepts(schema, value) || accepts(schema, withoutNulls(schema, value))
        const decoded = decodeSessionEvent(value)
        expect(decoded.status).toBe(isKnown ? 'known' : 'invalid')
        if (decoded.status === 'invalid') expect(decoded.issues).not.toEqual([])
      }),
      { numRuns: runs(100) },
    )
  })
})
