// Proves that texts and calls of which events are missing or sent again reach the frames once, or are reported.
import { expect, test } from 'vitest'
import { toFrames } from '../../../src/dialects/frames/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { codesOf, deltaOf, eventOf, expectTextLaw, started, wholeOf } from '../../support/text-law.ts'

const writer = () => toFrames({ version: 'v2', sessionId: 'S', newId: () => 'id' }) as never

type Frame = { readonly type: string; readonly delta: string }
const textOf = (frames: readonly Frame[]): string =>
  frames.map(({ type, delta }) => (type === 'output_text_delta' ? delta : '')).join('')

function write(events: readonly object[]) {
  const results = resultsOf(writer(), [...started, ...events] as never[])
  const frames = results.flatMap(({ out }) => out as Frame[])
  return { frames, text: textOf(frames), codes: codesOf(results) }
}

const embedded = (delta: string, index: number) => ({
  ...deltaOf(delta, index),
  frame: { type: 'output_text_delta', delta, 'x-more': 1 },
})

test.each([
  ['the rest of the text', [deltaOf('Hello ', 0), wholeOf('Hello world')], 'Hello world', false],
  ['the rest after an embedded frame', [embedded('Hello ', 0), wholeOf('Hello world')], 'Hello world', false],
  ['no text that differs', [deltaOf('Hello ', 0), wholeOf('Goodbye')], 'Hello ', true],
  ['no shorter text', [deltaOf('Hello ', 0), wholeOf('Hell')], 'Hello ', true],
  ['a text with a missing delta', [deltaOf('a', 0), deltaOf('c', 2), wholeOf('abc')], 'ac', true],
  ['a text without its beginning', [deltaOf('b', 1), wholeOf('ab')], 'b', true],
])('%s is sent', (_, events, expected, isLossy) => {
  const { text, codes } = write(events)
  expect(text).toBe(expected)
  expect(codes.includes('lossy:content')).toBe(isLossy)
})

test.each([[deltaOf], [embedded]])('a delta that is sent again is dropped', (delta) => {
  const { text, codes } = write([delta('A', 0), delta('A', 0), delta('B', 1), wholeOf('AB')])
  expect(text).toBe('AB')
  expect(codes).toContain('dropped:content-delta repeated')
})

test('a call ends once, and may start again', () => {
  const start = eventOf({ kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} })
  const end = eventOf({ kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: true })
  const { frames, codes } = write([start, end, end, start, end])
  expect(frames.map(({ type }) => type).filter((type) => type === 'tool_ended')).toHaveLength(2)
  expect(codes.filter((code) => code === 'dropped:tool-complete repeated')).toHaveLength(1)
})

test('what is sent of a text is its beginning, and all of it in the end', () => expectTextLaw(writer, textOf))
