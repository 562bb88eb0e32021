/** Proves which events model output is converted to, with live thoughts and without. */
import { createEmitter, decodeEvent } from 'agentwire'
import {
  extractThoughts,
  type ThoughtEventDraft,
  type ThoughtEventOptions,
  type ThoughtEventsEnd,
  thoughtEvents,
} from 'agentwire/thoughts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Diagnostic, run } from '../../src/core/machine.ts'
import { cutAt, modelOutput, places, someOptions } from './support.ts'

function eventsOf(
  deltas: readonly string[],
  options: ThoughtEventOptions = {},
  end?: ThoughtEventsEnd,
): ThoughtEventDraft[] {
  const machine = run(thoughtEvents(options))
  return [...deltas.flatMap((delta) => [...machine.push(delta)]), ...machine.end(end)]
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

describe('live', () => {
  const live = true

  test('streams a thought, then repeats it whole, without surrounding whitespace', () => {
    expect(eventsOf(['<thinking>\n', ' a ', ' b', ' \n', '</thinking>'], { live })).toStrictEqual([
      { kind: 'thought-delta', delta: 'a' },
      { kind: 'thought-delta', delta: '  b' },
      stream('a  b'),
    ])
  })

  test('gives no event for an empty thought', () => {
    expect(eventsOf(['<thinking> ', '\n</thinking>'], { live })).toStrictEqual([])
  })

  test('repeats a streamed duplicate too', () => {
    const events = [{ kind: 'thought-delta', delta: 'a' }, stream('a', { metadata: { confidence: 1 } })]
    expect(eventsOf(['<thinking confidence=1>a</thinking>'.repeat(2)], { live })).toStrictEqual([
      ...events,
      ...events,
    ])
  })

  test('ends a thought that becomes content with complete: false', () => {
    expect(eventsOf(['<thinking>a'], { live, unterminated: 'content' })).toStrictEqual([
      { kind: 'thought-delta', delta: 'a' },
      stream('a', { metadata: { complete: false } }),
      { kind: 'content-delta', delta: 'a' },
      { kind: 'content-complete', content: 'a' },
    ])
  })

  test('continues to stream a thought that is too long, and repeats its kept part', () => {
    const events = eventsOf(['<thinking>ab', 'cd', 'ef', '</thinking>'], { live, maxThoughtLength: 3 })
    expect(events).toStrictEqual([
      ...['ab', 'cd', 'ef'].map((delta) => ({ kind: 'thought-delta', delta })),
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

  test('streams whitespace that exceeds its limit', () => {
    const events = eventsOf(['<thinking>a', ' '.repeat(5000), '</thinking>'], { live })
    expect(events).toHaveLength(3)
    expect(events.at(-1)).toStrictEqual(stream('a'))
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
      { numRuns: 1000 },
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
    { numRuns: 1000 },
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
