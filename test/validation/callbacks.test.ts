// Proves that clocks and id generators give valid results, and that a wrong one is reported as misuse.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readClock, readMilliseconds, readNewId } from '../../src/validation/callbacks.ts'

const EXPECTED = 'a Date, milliseconds since 1970 or an RFC 3339 date-time with time zone'

describe('a clock', () => {
  it('gives the same time as a Date, as milliseconds and as text', () => {
    const date = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(date, (date) => {
        const text = date.toISOString()
        for (const time of [date, date.getTime(), text]) expect(readClock(() => time)).toBe(text)
      }),
    )
  })

  it('keeps a text as it is', () => {
    expect(readClock(() => '2026-01-31T10:30:00+02:00')).toBe('2026-01-31T10:30:00+02:00')
  })

  it.each<[time: unknown, got: string]>([
    ['', '""'],
    ['2026-01-31', '"2026-01-31"'],
    ['1769855400000', '"1769855400000"'],
    [Number.NaN, 'NaN'],
    [1e300, '1e+300'],
    [Date.UTC(10_000, 0), '253402300800000'],
    [new Date(Number.NaN), 'a Date'],
    [{ getTime: () => 0 }, 'an object'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'undefined'],
  ])('that gives %o throws', (time, got) => {
    expect(() => readClock(() => time as never)).toThrow(
      new TypeError(`"now()" must be ${EXPECTED}, got ${got}.`),
    )
  })
})

it('milliseconds are a finite number', () => {
  for (const time of [0, -1.5, 1769855400000]) expect(readMilliseconds(() => time)).toBe(time)
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY, '0', null, undefined]) {
    expect(() => readMilliseconds(() => time as never)).toThrow(
      /^"now\(\)" must be a finite number of milliseconds, got .*\.$/,
    )
  }
})

it('a new id is a non-empty string', () => {
  expect(readNewId(() => 'a')).toBe('a')
  for (const id of ['', 7, null, undefined]) {
    expect(() => readNewId(() => id as never)).toThrow(/^"newId\(\)" must be a non-empty string, got .*\.$/)
  }
})
