/** Proves which events model output is converted to, with live thoughts and without. */

import fc from 'fast-check'
import { createEmitter, decodeEvent } from 'turnstream'
import {
  extractThoughts,
  type ThoughtEventDraft,
  type ThoughtEventsEnd,
  thoughtEvents,
} from 'turnstream/thoughts'
import { describe, expect, test } from 'vitest'
import { type Diagnostic, run } from '../../src/core/machine.ts'
import type { ThoughtEventOptions } from '../../src/thoughts/thought-events.ts'
import { costOfCalls } from '../support/count-calls.ts'
import { runs } from '../support/runs.ts'
import { cutAt, inPieces, modelOutput, places, someOptions } from './support.ts'

function eventsOf(
  deltas: readonly string[],
  options: ThoughtEventOptions = {},
  end?: ThoughtEventsEnd,
): ThoughtEventDraft[] {
  const machine = run(thoughtEvents(options))
  return [...deltas.flatMap((delta) => [...machine.push(delta)]), ...machine.end(end)]
}

/** The total length of the texts that a machine cuts, trims or looks at while it reads. */
function unitsCopied(deltas: readonly string[], options: ThoughtEventOptions): number {
  const machine = run(thoughtEvents(options))
  const length = (text: string): number => text.length
  const costs = { slice: length, trim: length, trimStart: length, trimEnd: length, charCodeAt: () => 1 }
  return costOfCalls(costs, () => {
    for (const delta of deltas) machine.push(delta)
  })
}

const stream = (content: string, more: object = {}): object => ({
  kind: 'thought-stream',
  thoughtType: 'reasoning',
  verbosity: 'normal',
  content,
  ...more,
})

describe('events', () => {
  test('give content in pieces, thoughts whole, and the whole content at the end', () => {
    const tag =
      '<thinking type="decision" verbosity="brief" confidence="0.9" alternatives="b|c" related_to="t1">'
    expect(eventsOf(['It ', `is ${tag}a</thinking>`, ' so.'], {}, { finishReason: 'stop' })).toStrictEqual([
      { kind: 'content-delta', delta: 'It ' },
      { kind: 'content-delta', delta: 'is ' },
      stream('a', {
        thoughtType: 'decision',
        verbosity: 'brief',
        metadata: { confidence: 0.9, alternatives: ['b', 'c'], relatedTo: 't1' },
      }),
      { kind: 'content-delta', delta: 'so.' },
      { kind: 'content-complete', content: 'It is so.', finishReason: 'stop' },
    ])
  })

  test('give a thought the default type and verbosity, and no empty metadata', () => {
    expect(eventsOf(['<thinking>a</thinking>'])).toStrictEqual([stream('a')])
  })

  test('mark a thought that is cut off or too long', () => {
    const cut = { metadata: { complete: false } }
    expect(eventsOf(['<thinking>ab'])).toStrictEqual([stream('ab', cut)])
    expect(eventsOf(['<thinking>abc</thinking>'], { maxThoughtLength: 2 })).toStrictEqual([stream('ab', cut)])
  })

  test('include no content-complete without content, and no second one', () => {
    expect(eventsOf([], {}, { finishReason: 'stop' })).toStrictEqual([])
    const machine = run(thoughtEvents())
    machine.push('a')
    expect(machine.end()).toStrictEqual([{ kind: 'content-complete', content: 'a' }])
    expect(machine.end()).toStrictEqual([])
  })

  test('come with the diagnostics of the extractor', () => {
    const diagnostics: Diagnostic[] = []
    run(thoughtEvents(), { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) }).push('a</thinking>')
    expect(diagnostics.map(({ code }) => code)).toStrictEqual(['orphan-close'])
  })

  test('follow the option for unterminated thoughts', () => {
    expect(eventsOf(['<thinking>ab'], {}, { unterminated: 'content' })).toStrictEqual([
      { kind: 'content-delta', delta: 'ab' },
      { kind: 'content-complete', content: 'ab' },
    ])
  })
})

const piece = (delta: string, more: object = {}): object => ({
  kind: 'thought-delta',
  delta,
  thoughtType: 'reasoning',
  verbosity: 'normal',
  ...more,
})

describe('live', () => {
  const live = true

  test('streams a thought, then repeats it whole, without surrounding whitespace', () => {
    expect(eventsOf(['<thinking>\n', ' a ', ' b', ' \n', '</thinking>'], { live })).toStrictEqual([
      piece('a'),
      piece('  b'),
      stream('a  b'),
    ])
  })

  test('gives no event for an empty thought', () => {
    expect(eventsOf(['<thinking> ', '\n</thinking>'], { live })).toStrictEqual([])
  })

  test('repeats a streamed duplicate too', () => {
    const events = [piece('a'), stream('a', { metadata: { confidence: 1 } })]
    expect(eventsOf(['<thinking confidence=1>a</thinking>'.repeat(2)], { live })).toStrictEqual([
      ...events,
      ...events,
    ])
  })

  test('ends a thought that becomes content with complete: false', () => {
    expect(eventsOf(['<thinking>a'], { live, unterminated: 'content' })).toStrictEqual([
      piece('a'),
      stream('a', { metadata: { complete: false } }),
      { kind: 'content-delta', delta: 'a' },
      { kind: 'content-complete', content: 'a' },
    ])
  })

  test('continues to stream a thought that is too long, and repeats its kept part', () => {
    const events = eventsOf(['<thinking>ab', 'cd', 'ef', '</thinking>'], { live, maxThoughtLength: 3 })
    expect(events).toStrictEqual([
      ...['ab', 'cd', 'ef'].map((delta) => piece(delta)),
      stream('abc', { metadata: { complete: false } }),
    ])
    const policy = { live, maxThoughtLength: 3, unterminated: 'content' } as const
    expect(eventsOf(['<thinking>ab', 'cd', 'ef'], policy)).toContainEqual(
      stream('abc', { metadata: { complete: false } }),
    )
  })

  test.each([
    [3, 'ab'],
    [4, 'ab😀'],
  ])('cuts a thought to %i code units without splitting a character', (maxThoughtLength, kept) => {
    const policy = { live, maxThoughtLength, unterminated: 'content' } as const
    expect(eventsOf(['<thinking>ab😀c'], policy)).toContainEqual(
      stream(kept, { metadata: { complete: false } }),
    )
  })

  test('states the type and the verbosity of the thought in each delta', () => {
    const tag = '<thinking type="planning" verbosity="detailed">'
    const labels = { thoughtType: 'planning', verbosity: 'detailed' }
    const expected = [piece('a', labels), piece('b', labels), stream('ab', labels)]
    expect(eventsOf([`${tag}a`, 'b</thinking>'], { live })).toStrictEqual(expected)
    expect(eventsOf([` ${tag}a`, 'b</thinking>'], { live, startInside: true })).toStrictEqual(expected)
  })

  test('holds back whitespace, but not more than maxThoughtLength', () => {
    const thought = (length: number) => ['<thinking>a', ' '.repeat(length), 'b</thinking>']
    expect(eventsOf(thought(8), { live, maxThoughtLength: 10 })[1]).toStrictEqual(piece(`${' '.repeat(8)}b`))
    expect(eventsOf(thought(11), { live, maxThoughtLength: 10 })[1]).toStrictEqual(piece(' '.repeat(11)))
  })

  test('looks at each character a bounded number of times, however long the thought', () => {
    const text = 'some words, '.repeat(3000)
    const blanks = ' '.repeat(6000)
    for (const thought of [text, blanks, text + blanks, `a${blanks}b${text}`]) {
      for (const maxThoughtLength of [10, 1000, 1_000_000]) {
        const deltas = inPieces(`<thinking>${thought}`, 4)
        expect(unitsCopied(deltas, { live, maxThoughtLength })).toBeLessThanOrEqual(20 * thought.length)
      }
    }
  })

  test('deltas join to the thought-stream that follows them, for any output', () => {
    fc.assert(
      fc.property(modelOutput, places, someOptions, (text, at, options) => {
        let streamed = ''
        for (const event of eventsOf(cutAt(text, at), { ...options, maxThoughtLength: 10_000, live })) {
          if (event.kind === 'thought-delta') streamed += event.delta
          if (event.kind === 'thought-stream') {
            expect(event.content).toBe(streamed)
            streamed = ''
          }
        }
        expect(streamed).toBe('')
      }),
      { numRuns: runs(1000) },
    )
  })
})

test('content-complete is the deltas joined, and thoughts are those of extractThoughts', () => {
  fc.assert(
    fc.property(modelOutput, places, someOptions, (text, at, options) => {
      const events = eventsOf(cutAt(text, at), options)
      const { content, thoughts } = extractThoughts(text, options)
      const deltas = events.flatMap((event) => (event.kind === 'content-delta' ? [event.delta] : []))
      expect(deltas.join('')).toBe(content)
      expect(events.filter(({ kind }) => kind === 'content-complete')).toStrictEqual(
        content === '' ? [] : [{ kind: 'content-complete', content }],
      )
      expect(
        events.flatMap((event) => (event.kind === 'thought-stream' ? [event.content] : [])),
      ).toStrictEqual(thoughts.map((thought) => thought.text))
    }),
    { numRuns: runs(1000) },
  )
})

test('an emitter completes the drafts to valid events', () => {
  const emitter = createEmitter({ contextId: 'c', taskId: 't' })
  const drafts = eventsOf(['a<thinking>b', 'c</thinking>', '<thinking confidence=1>d</thinking>e'], {
    live: true,
  })
  const events = drafts.map((draft) => emitter.emit(draft))
  expect(events.map((event) => decodeEvent(event).status)).toStrictEqual(drafts.map(() => 'known'))
  const ids = events.flatMap((event) => ('thoughtId' in event ? [event.thoughtId] : []))
  const [first, , , second] = ids
  expect(ids).toStrictEqual([first, first, first, second, second])
  expect(first).not.toBe(second)
})
