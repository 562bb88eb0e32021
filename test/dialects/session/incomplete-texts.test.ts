// Proves that texts, thoughts and calls of which events are missing or sent again are written once, or are reported.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromSessionEvents, toSessionEvents } from '../../../src/dialects/session/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { codesOf, deltaOf, eventOf, expectTextLaw, started, wholeOf } from '../../support/text-law.ts'

const writer = () => toSessionEvents() as never

type Out = { readonly event: string; readonly content: string }
const partsOf = (events: readonly Out[]): string =>
  events.map(({ event, content }) => (event === 'agent.partial_answer' ? content : '')).join('')

/** A complete text is sent once more as a whole. It does not make up for parts that are sent twice. */
function textOf(events: readonly Out[]): string {
  const whole = events.find(({ event }) => event === 'agent.llm_message')?.content
  const parts = partsOf(events)
  return whole?.startsWith(parts) === true ? whole : parts
}

function write(events: readonly object[]) {
  const results = resultsOf(writer(), [...started, ...events] as never[])
  const out = results.flatMap((result) => result.out as Out[])
  return { out, codes: codesOf(results) }
}

/** The events that are read of those that are written. */
function readBack(events: readonly object[]) {
  return resultsOf(fromSessionEvents(), write(events).out as never[]).flatMap(({ out }) => out)
}

function thoughtOf(id: number, index: number) {
  const labels = { thoughtType: 'reasoning', verbosity: 'normal' }
  return eventOf({ kind: 'thought-stream', thoughtId: `i${id}`, ...labels, content: 'c', index })
}

test('a delta that is sent again is dropped', () => {
  const { out, codes } = write([deltaOf('A', 0), deltaOf('A', 0), deltaOf('B', 1), wholeOf('AB')])
  expect(partsOf(out)).toBe('AB')
  expect(codes).toContain('dropped:content-delta repeated')
})

test.each([[[deltaOf('A', 0), deltaOf('C', 2)]], [[deltaOf('B', 1)]]])(
  'a missing delta is reported, and those around it keep their places',
  (deltas) => {
    expect(write(deltas).codes).toContain('gap')
    expect(readBack(deltas).filter(({ kind }) => kind === 'content-delta')).toEqual(deltas)
  },
)

test('a thought keeps its place', () => {
  const thoughts = [thoughtOf(0, 7), thoughtOf(1, 8), thoughtOf(2, 3)]
  expect(readBack(thoughts).filter(({ kind }) => kind === 'thought-stream')).toEqual(thoughts)
})

test('deltas and thoughts come back with their places, whatever is missing', () => {
  const place = fc.tuple(fc.nat(2), fc.nat(2), fc.boolean())
  fc.assert(
    fc.property(fc.array(place, { maxLength: 6 }), (places) => {
      let next = 0
      const events = places.map(([missing, more, isThought], i) => {
        if (isThought) return thoughtOf(i, missing)
        const index = next + missing
        next = index + more + 1
        return { ...deltaOf(`${i}`, index), ...(more > 0 && { indexEnd: index + more }) }
      })
      const kinds = ['content-delta', 'thought-stream']
      expect(readBack(events).filter(({ kind }) => kinds.includes(kind))).toEqual(events)
    }),
    { numRuns: runs(200) },
  )
})

test('a call ends once, and may start again', () => {
  const start = eventOf({ kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} })
  const end = eventOf({ kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: true })
  const { out, codes } = write([start, end, end, start, end])
  expect(out.filter(({ event }) => event === 'agent.tool_result')).toHaveLength(2)
  expect(codes.filter((code) => code === 'dropped:tool-complete repeated')).toHaveLength(1)
})

test('what is sent of a text is its beginning, and all of it in the end', () => expectTextLaw(writer, textOf))
