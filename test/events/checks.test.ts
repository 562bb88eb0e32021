// Proves that the generated checks accept exactly the same values as the zod schemas.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { checkContext, checkEvent } from '../../src/events/checks.generated.ts'
import { anyObject, count, fraction, id, ordinal, timestamp } from '../../src/events/fields.ts'
import { contextSchema, eventSchemas } from '../../src/events/schemas.ts'
import {
  isAmount,
  isCount,
  isFields,
  isFraction,
  isId,
  isOrdinal,
  isText,
  isTimestamp,
} from '../../src/validation/predicates.ts'
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

describe('the helpers', () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.double(),
    fc.maxSafeInteger(),
    fc.constantFrom(2 ** 53, -0, Number.NaN, Number.POSITIVE_INFINITY),
  )
  it.each([
    ['isText', isText, z.string()],
    ['isId', isId, id],
    ['isCount', isCount, count],
    ['isOrdinal', isOrdinal, ordinal],
    ['isAmount', isAmount, z.number().check(z.minimum(0))],
    ['isFraction', isFraction, fraction],
    ['isFields', isFields, anyObject],
  ] as const)('%s accepts the same values as its schema', (_name, check, schema) => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(check(value)).toBe(accepts(schema, value))
      }),
      { numRuns: runs(1000) },
    )
  })

  const nearTimestamps = fc
    .tuple(
      fc.constantFrom('2026', '2024', '2000', '1900', '0000', '20a6', '026'),
      fc.constantFrom('01', '02', '04', '12', '00', '13', '1'),
      fc.constantFrom('01', '28', '29', '30', '31', '00', '32'),
      fc.constantFrom('T', 't', ' '),
      fc.constantFrom('00:00:00', '23:59:59', '24:00:00', '12:60:00', '12:00:60', '12:00', '1:00:00'),
      fc.constantFrom('', '.', '.1', '.123', '.123456', '.12x', ',1'),
      fc.constantFrom('Z', 'z', '', '+00:00', '-23:59', '+24:00', '+0000', '+00:60', 'Z ', 'ZZ', '\n'),
    )
    .map(([year, month, day, t, time, part, zone]) => `${year}-${month}-${day}${t}${time}${part}${zone}`)

  it('isTimestamp accepts the same values as its schema, also for two in a row', () => {
    fc.assert(
      fc.property(
        nearTimestamps,
        fc.integer({ min: 0, max: 30 }),
        fc.string({ maxLength: 1 }),
        (near, at, by) => {
          for (const value of [near, near.slice(0, at) + by + near.slice(at + 1), near.slice(0, at), near]) {
            expect(isTimestamp(value), value).toBe(z.safeParse(timestamp, value).success)
          }
        },
      ),
      { numRuns: runs(5000) },
    )
  })

  it('isTimestamp is not affected by its cache of the last minute', () => {
    for (const value of [
      '2026-01-31T10:30:00Z',
      '2026-01-31T10:30:61Z',
      '2026-01-31T10:30:',
      '2026-01-31T10:30',
    ]) {
      expect(isTimestamp('2026-01-31T10:30:59.5Z')).toBe(true)
      expect(isTimestamp(value), value).toBe(z.safeParse(timestamp, value).success)
    }
  })
})
