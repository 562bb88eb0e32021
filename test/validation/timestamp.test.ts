// Proves that timestamps are parsed as RFC 3339 says and as zod parses them.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { timestamp } from '../../src/events/records/fields.ts'
import { isTimestamp } from '../../src/validation/timestamp.ts'
import { runs } from '../support/runs.ts'

const accepts = (value: unknown): boolean => z.safeParse(timestamp, value).success

it('with one or two other characters is decided as by zod', () => {
  const change = fc.record({
    at: fc.nat(26),
    insert: fc.constantFrom('', '0', '9', 'x', ':', 'Z'),
    isCut: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...forms),
      fc.array(change, { minLength: 1, maxLength: 2 }),
      (form, changes) => {
        const other = changes.reduce(
          (text, { at, insert, isCut }) => text.slice(0, at) + insert + text.slice(isCut ? at + 1 : at),
          form,
        )
        expect(isTimestamp(other), other).toBe(accepts(other))
      },
    ),
    { numRuns: runs(2000) },
  )
})

const forms = [
  '2026-01-31T10:30:00Z',
  '2026-01-31T10:30:59.123Z',
  '2026-01-31T09:09:09.1Z',
  '2026-01-31T19:59:39.123456789+02:00',
  '2026-01-31T23:00:00-23:59',
]

/** Every character next to one that is allowed anywhere. */
const characters = [...'+,-./0123456789:;TUSYZ[tz e\n\u0660']

it('with one other character is decided as by zod', () => {
  const changed = forms.flatMap((form) =>
    [...form, ''].flatMap((_, at) => [
      form.slice(0, at) + form.slice(at + 1),
      ...characters.map((by) => form.slice(0, at) + by + form.slice(at + 1)),
      ...characters.map((by) => form.slice(0, at) + by + form.slice(at)),
    ]),
  )
  for (const value of changed) expect(isTimestamp(value), value).toBe(accepts(value))
})

it('every day of a year exists as in the calendar', () => {
  for (const year of ['0000', '1900', '2000', '2023', '2024', '2100', '2400', '9999']) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const [mm, dd] = [month, day].map((number) => `${number}`.padStart(2, '0'))
        const value = `${year}-${mm}-${dd}T00:00:00Z`
        expect(isTimestamp(value), value).toBe(accepts(value))
      }
    }
  }
})

it('every hour, minute, second and offset is within its bounds', () => {
  for (let n = 0; n <= 99; n++) {
    const nn = `${n}`.padStart(2, '0')
    for (const value of [
      `2026-01-31T${nn}:00:00Z`,
      `2026-01-31T00:${nn}:00Z`,
      `2026-01-31T00:00:${nn}Z`,
      `2026-01-31T00:00:00+${nn}:00`,
      `2026-01-31T00:00:00-00:${nn}`,
    ])
      expect(isTimestamp(value), value).toBe(accepts(value))
  }
})

const near = fc
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

it('texts that are nearly timestamps are decided as by zod', () => {
  fc.assert(
    fc.property(near, fc.integer({ min: 0, max: 30 }), fc.string({ maxLength: 1 }), (text, at, by) => {
      for (const value of [text, text.slice(0, at) + by + text.slice(at + 1), text.slice(0, at)]) {
        expect(isTimestamp(value), value).toBe(accepts(value))
      }
    }),
    { numRuns: runs(3000) },
  )
})

it.each([null, undefined, 0, {}, ['2026-01-31T10:30:00Z'], new Date(0)])('%s is not an instant', (value) => {
  expect(isTimestamp(value)).toBe(false)
})
