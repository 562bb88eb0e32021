// Proves that the generated checks accept exactly the same values as the zod schemas.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkContext, checkEvent } from '../../src/events/checks.generated.ts'
import { contextSchema, eventSchemas } from '../../src/events/records/schemas.ts'
import { isFields } from '../../src/validation/predicates.ts'
import { accepts } from '../support/accepts.ts'
import { runs } from '../support/runs.ts'
import { accepted, damaged } from '../support/zod-arbitrary.ts'

type Fields = Readonly<Record<string, unknown>>

describe.each(Object.entries(eventSchemas))('%s', (kind, schema) => {
  it('accepts valid events', () => {
    fc.assert(
      fc.property(accepted(schema), (event) => {
        expect(accepts(schema, event)).toBe(true)
        expect(checkEvent(kind, event as Fields)).toBe(true)
      }),
      { numRuns: runs(100) },
    )
  })

  it('agrees with the schema on damaged events', () => {
    fc.assert(
      fc.property(damaged(damaged(accepted(schema))), (event) => {
        fc.pre(isFields(event) && event.kind === kind)
        expect(checkEvent(kind, event as Fields)).toBe(accepts(schema, event))
      }),
      { numRuns: runs(300) },
    )
  })
})

it('agrees with the schema on contexts', () => {
  fc.assert(
    fc.property(fc.oneof(accepted(contextSchema), damaged(accepted(contextSchema))), (context) => {
      expect(checkContext(context as Fields)).toBe(accepts(contextSchema, context))
    }),
    { numRuns: runs(500) },
  )
})

it('returns undefined for unknown kinds, also of the same length as a known one', () => {
  for (const kind of [
    '',
    'content-deltb',
    'CONTENT-DELTA',
    '__proto__',
    'constructor',
    'internal:',
    'x'.repeat(99),
  ]) {
    expect(checkEvent(kind, {})).toBeUndefined()
  }
})
