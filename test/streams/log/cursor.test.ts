// Event ids have one form as written and several as read, and parsing one never throws. The order of positions.

import fc from 'fast-check'
import { type Cursor, formatEventId, parseEventId } from 'turnstream/streams'
import { describe, expect, it, test } from 'vitest'
import { toWellFormed } from '../../../src/encoding/surrogates.ts'
import { comparePositions } from '../../../src/streams/log/cursor.ts'
import { casesOf } from '../../support/conformance.ts'
import { runs } from '../../support/runs.ts'
import { text } from '../../support/zod-arbitrary.ts'

const ids = casesOf<{ id: string }, { cursor: Cursor | null; id?: string }>('cursor')

const name = text.map(toWellFormed).filter((value) => value !== '')
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
  test.each(ids)('$name', ({ input, expected: { cursor, id } }) => {
    expect(parseEventId(input.id)).toEqual(cursor ?? undefined)
    // A writer has one form, whichever was read.
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

  it('are read with any escapes', () => {
    const uri = (part: string): string => encodeURIComponent(part).replaceAll('~', '%7E')
    const escaping = fc.constantFrom<(part: string) => string>(
      uri,
      (part) => uri(part).replace(/%../g, (escaped) => escaped.toLowerCase()),
      (part) => uri(part).replaceAll('%', '~'),
      (part) => Buffer.from(part).toString('hex').replace(/../g, '%$&'),
      (part) => Buffer.from(part).toString('hex').toUpperCase().replace(/../g, '~$&'),
    )
    fc.assert(
      fc.property(cursor, escaping, escaping, escaping, (position, a, b, c) => {
        const { stream, epoch, seq, filter } = position
        const id = [a(stream), b(epoch), seq, ...(filter === undefined ? [] : [c(filter)])].join(':')
        expect(parseEventId(id)).toEqual(position)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('have one form as written: whatever is read is read from its own id', () => {
    const almost = fc.tuple(
      cursor,
      fc.nat(),
      fc.constantFrom('', ':', '~', '~2', '~41', '%41', '0', '-', 'a', '\n', '%ED%A0%80', '%C0%AF'),
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
        if (position === undefined) return
        expect(parseEventId(formatEventId(position))).toEqual(position)
        expect(id).toMatch(/^[!-~]+$/)
        expect(toWellFormed(JSON.stringify(position))).toBe(JSON.stringify(position))
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
    { stream: 's\ud83d', epoch: 'e', seq: 0 },
    { stream: 's', epoch: '\udc00', seq: 0 },
    { stream: 's', epoch: 'e', seq: 0, filter: '\ud83d' },
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
