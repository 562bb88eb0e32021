// Timestamps are compared and converted as the instants they state.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  epochToTimestamp,
  isExactInMilliseconds,
  MAX_EPOCH_MS,
  timestampToEpoch,
} from '../../../src/dialects/shared/epoch-time.ts'
import { isBefore, parseTimestamp } from '../../../src/dialects/shared/timestamp.ts'
import { runs } from '../../support/runs.ts'

const instant = fc.nat({ max: MAX_EPOCH_MS - 86_400_000 })

/** An instant in one of its spellings: without a fraction of zero, in another zone. */
const spelled = fc
  .tuple(instant, fc.integer({ min: -14, max: 14 }), fc.boolean())
  .map(([ms, hours, isWhole]) => {
    const time = isWhole ? ms - (ms % 1000) : ms
    const local = new Date(Math.max(0, time + hours * 3_600_000)).toISOString().slice(0, isWhole ? 19 : 23)
    const zone = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`
    const text = `${local}${hours === 0 ? 'Z' : zone}`
    return { text, time: Date.parse(text) }
  })

describe('isBefore', () => {
  it('compares instants, whatever their spelling', () => {
    const pairs = fc.oneof(
      fc.tuple(spelled, spelled),
      spelled.map((one) => [one, { ...one, text: new Date(one.time).toISOString() }] as const),
    )
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(isBefore(a.text, b.text)).toBe(a.time < b.time)
        expect(isBefore(b.text, a.text)).toBe(b.time < a.time)
      }),
      { numRuns: runs(300) },
    )
  })

  it('sees fractions of a millisecond in UTC', () => {
    expect(isBefore('2026-01-31T10:30:00.123456Z', '2026-01-31T10:30:00.123457Z')).toBe(true)
  })

  it('compares texts of equal length in two zones as instants', () => {
    expect(isBefore('2026-01-31T10:30:00.1234Z', '2026-01-31T10:30:00-02:00')).toBe(true)
    expect(isBefore('2026-01-31T10:30:00+02:00', '2026-01-31T08:30:00.1234Z')).toBe(true)
  })
})

describe('parseTimestamp', () => {
  it.each([
    ['2026-01-31T10:30:00+02:00', '2026-01-31T10:30:00+02:00'],
    ['2026-01-31T10:30:00.5', '2026-01-31T10:30:00.5Z'],
    ['yesterday', undefined],
    [7, undefined],
    [['2026-01-31T10:30:00'], undefined],
  ])('reads %j as %j', (value, timestamp) => {
    expect(parseTimestamp(value)).toBe(timestamp)
  })
})

describe('milliseconds', () => {
  it('convert to timestamps and back', () => {
    fc.assert(
      fc.property(fc.oneof(instant, fc.constantFrom(0, 999, 1000, MAX_EPOCH_MS)), (ms) => {
        const timestamp = epochToTimestamp(ms)
        expect(timestamp).toBe(new Date(ms).toISOString())
        expect(timestampToEpoch(timestamp)).toBe(ms)
        expect(isExactInMilliseconds(timestamp)).toBe(true)
      }),
      { numRuns: runs(300) },
    )
  })

  it('end with the year 9999, and begin with 1970', () => {
    expect(epochToTimestamp(MAX_EPOCH_MS + 1)).toBe('9999-12-31T23:59:59.999Z')
    expect(timestampToEpoch('1970-01-01T00:00:00Z')).toBe(0)
    expect(timestampToEpoch('1969-12-31T23:59:59.999Z')).toBeUndefined()
  })

  it.each([
    ['2026-01-31T10:30:00Z', true],
    ['2026-01-31T10:30:00.12Z', true],
    ['2026-01-31T10:30:00.123000Z', true],
    ['2026-01-31T10:30:00.1234Z', false],
    ['2026-01-31T10:30:00-00:00', true],
    ['2026-01-31T10:30:00+02:00', false],
  ])('express %s: %s', (timestamp, isExact) => {
    expect(isExactInMilliseconds(timestamp)).toBe(isExact)
  })
})
