// Proves that parsing reads each character a bounded number of times, and keeps text in pieces of a bounded number,
// whatever the text and however it is cut.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GrowingText, textOf } from '../../src/encoding/growing-text.ts'
import { isNestedDeeper } from '../../src/json/depth.ts'
import { inexactNumbers } from '../../src/json/inexact-numbers.ts'
import { parseChunk } from '../../src/sse/decoder.ts'
import { parseText } from '../../src/sse/parser.ts'
import { initialSseState, type SseState } from '../../src/sse/state.ts'
import { counted } from '../support/counting-text.ts'
import { runs } from '../support/runs.ts'

/** What a hostile server repeats. */
const lines = fc.array(
  fc.constantFrom(
    ...[
      '\n',
      '\r',
      '\r\n',
      '\n\r',
      ':',
      ': x',
      'data',
      'data:',
      'data: x',
      'id',
      'id: a',
      'id:\0',
      'event: e',
    ],
    ...[
      'retry: 9',
      'retry:',
      'd',
      'dat',
      'datax',
      'event',
      '\u{feff}',
      '\0',
      'data: {"a":1}',
      'data:[DONE]',
      ' ',
    ],
  ),
  { minLength: 1, maxLength: 5 },
)
const streamLike = fc
  .tuple(fc.array(fc.tuple(lines, fc.integer({ min: 1, max: 400 })), { maxLength: 4 }), fc.boolean())
  .map(
    ([parts, isWhole]) =>
      parts.map(([unit, n]) => unit.join('').repeat(n)).join('') + (isWhole ? '\n\n' : ''),
  )

/** What a hostile message repeats. */
const tokens = fc.array(
  fc.constantFrom(
    ...[
      '[',
      ']',
      '{',
      '}',
      '"',
      '\\"',
      '\\\\',
      '\\',
      ',',
      ':',
      '"a":',
      '1',
      '.',
      'e',
      '-',
      '0',
      '1e400',
      ' ',
    ],
    ...['12345678901234567', '0.1', '"1"', 'true', 'a', '\n'],
  ),
  { minLength: 1, maxLength: 5 },
)
const jsonLike = fc
  .array(fc.tuple(tokens, fc.integer({ min: 1, max: 400 })), { maxLength: 4 })
  .map((parts) => parts.map(([unit, n]) => unit.join('').repeat(n)).join(''))

describe('each character is read a bounded number of times', () => {
  it('by the parser of a stream', () => {
    fc.assert(
      fc.property(streamLike, fc.constantFrom(1, 8, 64, 2 ** 24), (text, limit) => {
        const { text: chunk, read } = counted(text)
        parseText(initialSseState, chunk, [], limit)
        expect(read()).toBeLessThanOrEqual(12 * text.length + 32)
      }),
      { numRuns: runs(500) },
    )
  })

  it('by the measurement of depth', () => {
    fc.assert(
      fc.property(jsonLike, (json) => {
        const { text, read } = counted(json)
        isNestedDeeper(text, 1000)
        expect(read()).toBeLessThanOrEqual(5 * json.length + 32)
      }),
      { numRuns: runs(500) },
    )
  })

  it('by the search for inexact numbers', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.integer({ min: 1, max: 100 }), tokens, (value, n, unit) => {
        const strings = JSON.stringify(unit.join('').repeat(n))
        const numbers = Array.from({ length: n }, () => '-1234567.8901234567E+2').join(',')
        const json = `{"a":[${value},${strings},{${strings}:[${numbers}]},0.${'0'.repeat(n)}1,${'7'.repeat(n)}]}`
        JSON.parse(json)
        const { text, read } = counted(json)
        const found = inexactNumbers(text, 32)
        const names = found.reduce((size, { path }) => size + 8 * path.length, 0)
        expect(read() - names).toBeLessThanOrEqual(16 * json.length + 32)
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('text that comes in small pieces', () => {
  const kept = ({ line, dataBuffer }: SseState): readonly (GrowingText | undefined)[] => [line, dataBuffer]

  it.each([
    ['a line', 'data: ', 'x'],
    ['data', 'data: ', 'data:\n'],
    ['an unknown field', 'unknown', 'x'],
  ])('is kept in few pieces: %s', (_, first, piece) => {
    let { state } = parseChunk(initialSseState, first + (piece.includes('\n') ? '\n' : ''), 2 ** 24)
    let long = kept(state).map((text) => text?.long)
    let appended = 0
    for (let i = 0; i < 10_000; i++) {
      state = parseChunk(state, piece, 2 ** 24).state
      const next = kept(state).map((text) => text?.long)
      if (next.some((text, at) => text !== long[at])) appended++
      long = next
    }
    expect(kept(state).map((text) => text && textOf(text).length)).toContainEqual(
      piece.includes('\n') ? 10_000 : 10_000 + first.length,
    )
    expect(appended).toBeLessThanOrEqual(10_000 / 1000)
  })
})
