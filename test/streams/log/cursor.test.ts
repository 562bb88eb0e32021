// Event ids are canonical ASCII, and parsing one never throws. The order of positions.
import { readFileSync } from 'node:fs'
import { type Cursor, formatEventId, parseEventId } from 'agentwire/streams'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { comparePositions } from '../../../src/streams/log/cursor.ts'
import { runs } from '../../support/runs.ts'
import { text } from '../../support/zod-arbitrary.ts'

const ids: { cases: { id: string; cursor: Cursor | null }[] } = JSON.parse(
  readFileSync(new URL('../../fixtures/streams/cursor/ids.json', import.meta.url), 'utf8'),
)

const name = text.filter((value) => value !== '')
const cursor: fc.Arbitrary<Cursor> = fc.record(
  {
    stream: name,
    epoch: name,
    seq: fc.oneof(fc.integer({ min: -1, max: 50 }), fc.maxSafeNat()),
    filter: name,
  },
  { requiredKeys: ['stream', 'epoch', 'seq'] },
)

describe('event ids', () => {
  test.each(ids.cases)('$id', ({ id, cursor }) => {
    expect(parseEventId(id)).toEqual(cursor ?? undefined)
    if (cursor !== null) expect(formatEventId(cursor)).toBe(id)
  })

  it('round-trip in printable ASCII', () => {
    fc.assert(
      fc.property(cursor, (position) => {
        const id = formatEventId(position)
        expect(parseEventId(id)).toEqual(position)
        expect(id).toMatch(/^[\x21-\x7e]+$/)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('survive URLs, raw or encoded, and headers', () => {
    fc.assert(
      fc.property(cursor, (position) => {
        const id = formatEventId(position)
        const raw = new URL(`https://example.com/stream?lastEventId=${id}&more=1`)
        expect(raw.searchParams.get('lastEventId')).toBe(id)
        const encoded = new URLSearchParams(String(new URLSearchParams({ lastEventId: id })))
        expect(encoded.get('lastEventId')).toBe(id)
        expect(decodeURIComponent(id)).toBe(id)
        expect(decodeURI(id)).toBe(id)
        expect(new Headers({ 'last-event-id': id }).get('last-event-id')).toBe(id)
      }),
      { numRuns: runs(500) },
    )
  })

  it('have one form; parseEventId rejects all others', () => {
    const almost = fc.tuple(
      cursor,
      fc.nat(),
      fc.constantFrom('', ':', '~', '~2', '~41', '%41', '0', '-', 'a', '\n'),
    )
    const anything = fc.oneof(
      text,
      fc.string({ unit: fc.constantFrom(...'sAe01:-~%/2FEDab\ud800\udc00') }),
      almost.map(([position, at, by]) => {
        const id = formatEventId(position)
        const cut = at % (id.length + 1)
        return id.slice(0, cut) + by + id.slice(cut + (at % 2))
      }),
    )
    fc.assert(
      fc.property(anything, (id) => {
        const position = parseEventId(id)
        if (position !== undefined) expect(formatEventId(position)).toBe(id)
      }),
      { numRuns: runs(5000) },
    )
  })

  test.each([[undefined], [null], [7], [['s:e:1']], [{}]])('are not parsed from %j', (id) => {
    expect(parseEventId(id as never)).toBeUndefined()
  })

  test.each([
    { stream: '', epoch: 'e', seq: 0 },
    { stream: 's', epoch: '', seq: 0 },
    { stream: 's', epoch: 'e', seq: -2 },
    { stream: 's', epoch: 'e', seq: 0.5 },
    { stream: 's', epoch: 'e', seq: 2 ** 53 },
    { stream: 's', epoch: 'e', seq: Number.NaN },
    { stream: 's', epoch: 'e', seq: 0, filter: '' },
  ])('are not formatted from %j', (position) => {
    expect(() => formatEventId(position)).toThrow(TypeError)
  })
})

describe('comparePositions', () => {
  const at = (stream: string, epoch: string, seq: number) => ({ stream, epoch, seq })
  test.each([
    [at('s', 'e', 1), at('s', 'e', 2), -1],
    [at('s', 'e', 2), at('s', 'e', 2), 0],
    [at('s', 'e', 10), at('s', 'e', 9), 1],
    [at('s', 'e', 1), at('t', 'e', 2), undefined],
    [at('s', 'e', 1), at('s', 'f', 2), undefined],
  ])('%j and %j: %s', (a, b, order) => {
    expect(comparePositions(a, b)).toBe(order)
  })
})
