// Proves that texts and calls of which events are missing or sent again are written once, or are reported.
import { expect, test } from 'vitest'
import { toAgentEvents } from '../../../src/dialects/agent-event/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { codesOf, deltaOf, eventOf, expectTextLaw, started, wholeOf } from '../../support/text-law.ts'

const writer = () => toAgentEvents() as never

type Out = { readonly type: string; readonly content: string }
const textOf = (events: readonly Out[]): string =>
  events.map(({ type, content }) => (type === 'stream' ? content : '')).join('')

function write(events: readonly object[]) {
  const results = resultsOf(writer(), [...started, ...events] as never[])
  const out = results.flatMap((result) => result.out as Out[])
  return { out, text: textOf(out), codes: codesOf(results) }
}

test('the rest of a text is sent with its end', () => {
  const { text, codes } = write([deltaOf('Hello ', 0), wholeOf('Hello world')])
  expect(text).toBe('Hello world')
  expect(codes).not.toContain('lossy:content')
})

test('a delta that is sent again is dropped', () => {
  const { text, codes } = write([deltaOf('A', 0), deltaOf('A', 0), deltaOf('B', 1), wholeOf('AB')])
  expect(text).toBe('AB')
  expect(codes).toContain('dropped:content-delta repeated')
})

test.each([[[deltaOf('A', 0), deltaOf('C', 2)]], [[deltaOf('B', 1)]]])(
  'a missing delta is reported, even of a text that does not end',
  (deltas) => {
    expect(write(deltas).codes).toContain('lossy:index')
  },
)

test('a call ends once, and may start again', () => {
  const start = eventOf({ kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} })
  const end = eventOf({ kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: true })
  const { out, codes } = write([start, end, end, start, end])
  expect(out.filter(({ type }) => type === 'tool_result')).toHaveLength(2)
  expect(codes.filter((code) => code === 'dropped:tool-complete repeated')).toHaveLength(1)
})

test('what is sent of a text is its beginning, and all of it in the end', () => expectTextLaw(writer, textOf))
