// Proves that a page equals its stream: whichever deltas are lost, repeated, merged or late, what a reader of each format has of a
// complete text, thought or call is the whole.
import fc from 'fast-check'
import { createEmitter, type EventDraft } from 'turnstream'
import { fromA2a, toA2a } from 'turnstream/a2a'
import { fromAgUi, toAgUi } from 'turnstream/ag-ui'
import { fromAgentEvents, toAgentEvents } from 'turnstream/agent-event'
import { fromUiMessageStream, toUiMessageStream } from 'turnstream/ai-sdk'
import { fromFrames, toFrames } from 'turnstream/frames'
import { toChatCompletions } from 'turnstream/openai'
import { openaiChat } from 'turnstream/providers'
import { fromSessionEvents, toSessionEvents } from 'turnstream/session'
import { emptyView, foldEvents } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import type { Machine } from '../../../src/core/machine.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'

type AnyMachine = Machine<unknown, unknown, never, never>
const outOf = (machine: unknown, inputs: readonly unknown[]): readonly never[] =>
  resultsOf(machine as AnyMachine, inputs).flatMap(({ out }) => out)

interface Format {
  readonly writer: () => unknown
  readonly reader: () => unknown
  /** Whether texts are joined. */
  readonly isJoined?: true
  /** What it has besides texts. */
  readonly has: readonly ('thought' | 'call')[]
}

/** The reader of a provider, whose drafts become events of one task. */
function chatReader(): unknown {
  const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
  const withEvents = <Step extends { readonly out: readonly EventDraft[] }>(step: Step) => ({
    ...step,
    out: step.out.map((draft) => emit(draft)),
  })
  const machine = openaiChat()
  return {
    ...machine,
    step: (...args: Parameters<typeof machine.step>) => withEvents(machine.step(...args)),
    end: (...args: Parameters<typeof machine.end>) => withEvents(machine.end(...args)),
  }
}

const formats: Readonly<Record<string, Format>> = {
  frames: {
    writer: () => toFrames({ version: 'v2', sessionId: 's', newId: () => 'id' }),
    reader: () => fromFrames(),
    has: ['call'],
    isJoined: true,
  },
  session: {
    writer: () => toSessionEvents(),
    reader: () => fromSessionEvents(),
    has: ['thought', 'call'],
  },
  openai: {
    writer: () => toChatCompletions(),
    reader: chatReader,
    has: ['thought', 'call'],
    isJoined: true,
  },
  'agent-event': {
    writer: () => toAgentEvents({ toolCallIds: true }),
    reader: () => fromAgentEvents({ contextId: 'c', taskId: 't' }),
    has: ['thought', 'call'],
    isJoined: true,
  },
  'AG-UI': { writer: () => toAgUi(), reader: () => fromAgUi(), has: ['thought', 'call'] },
  'AI SDK 6': {
    writer: () => toUiMessageStream({ version: 6 }),
    reader: () => fromUiMessageStream(),
    has: ['thought', 'call'],
  },
  'AI SDK 7': {
    writer: () => toUiMessageStream(),
    reader: () => fromUiMessageStream(),
    has: ['thought', 'call'],
  },
  'A2A 0.3': { writer: () => toA2a({ version: '0.3' }), reader: () => fromA2a(), has: [] },
  'A2A 1.0': { writer: () => toA2a({ version: '1.0' }), reader: () => fromA2a(), has: [] },
  'A2A, closed by snapshots': {
    writer: () => toA2a({ version: '1.0', closeText: 'snapshot' }),
    reader: () => fromA2a(),
    has: [],
  },
}

/** What a reader has of texts, thoughts and calls. */
function pageOf({ reader, isJoined, has }: Format, out: readonly unknown[]): readonly unknown[] {
  const events: readonly ContextAnyEvent[] = outOf(reader(), out)
  const { tasks } = foldEvents(emptyView, events)
  const parts = tasks.flatMap((task) => task.parts)
  const sorted = (list: readonly string[]): string[] => [...list].sort()
  const textsOf = (type: 'text' | 'thought'): unknown => {
    const texts = parts.flatMap((part) => (part.type === type ? [part.text] : []))
    if (isJoined) return texts.join('')
    // The parts of a text that others interrupt are several.
    const wholes = events.flatMap((event) => (event.kind === 'content-complete' ? [event.content] : []))
    return sorted(type === 'text' ? wholes : texts)
  }
  const calls = parts.flatMap((part) => (part.type === 'tool' ? [JSON.stringify(part.arguments)] : []))
  return [
    textsOf('text'),
    has.includes('thought') && textsOf('thought'),
    has.includes('call') && sorted(calls),
  ]
}

const eventOf = (fields: object): ContextAnyEvent =>
  ({
    contextId: 'c',
    taskId: 't',
    timestamp: '2026-01-01T00:00:00.000Z',
    ...fields,
  }) as unknown as ContextAnyEvent

/** A text, a thought or the arguments of a call, in pieces. */
type Item = readonly ContextAnyEvent[]
const pieces = fc.array(fc.constantFrom('a', 'bc', '1', '🌊', ' '), { minLength: 1, maxLength: 5 })
/** How a delta is delivered: merged with so many before it, and so often. */
const fate = fc.record({ merges: fc.constantFrom(0, 0, 0, 1, 9), copies: fc.constantFrom(1, 1, 1, 0, 2) })
const itemOf = (
  deltaOf: (delta: string, index: number, indexEnd: number) => ContextAnyEvent,
  wholeOf: (text: string) => ContextAnyEvent,
): fc.Arbitrary<Item> =>
  fc
    .tuple(pieces, fc.array(fate, { minLength: 7, maxLength: 7 }), fc.boolean())
    .map(([parts, fates, isRepeated]) => {
      const all = ['{"a":"', ...parts, '"}']
      const deltas = all.flatMap((_, end) => {
        const { merges = 0, copies = 1 } = fates[end] ?? {}
        const index = Math.max(0, end - merges)
        const delta = deltaOf(all.slice(index, end + 1).join(''), index, end)
        return Array.from({ length: copies }, () => delta)
      })
      const whole = wholeOf(all.join(''))
      return isRepeated ? [...deltas, whole, whole] : [...deltas, whole]
    })
const text = (contentId?: string): fc.Arbitrary<Item> => {
  const own = contentId === undefined ? {} : { contentId }
  return itemOf(
    (delta, index, indexEnd) => eventOf({ kind: 'content-delta', ...own, delta, index, indexEnd }),
    (content) => eventOf({ kind: 'content-complete', ...own, content }),
  )
}
const thought = { thoughtId: 'th', thoughtType: 'reasoning', verbosity: 'normal' }
const others: readonly fc.Arbitrary<Item>[] = [
  itemOf(
    (delta, index, indexEnd) => eventOf({ kind: 'thought-delta', ...thought, delta, index, indexEnd }),
    (content) => eventOf({ kind: 'thought-stream', ...thought, content, index: 0 }),
  ),
  itemOf(
    (delta, index, indexEnd) =>
      eventOf({ kind: 'tool-arguments-delta', toolCallId: 'k', toolName: 'f', delta, index, indexEnd }),
    (json) => eventOf({ kind: 'tool-start', toolCallId: 'k', toolName: 'f', arguments: JSON.parse(json) }),
  ),
]

/** The events of items, interleaved in any order of the items. */
const interleaved = (items: readonly fc.Arbitrary<Item>[]): fc.Arbitrary<ContextAnyEvent[]> =>
  fc.tuple(fc.tuple(...items), fc.infiniteStream(fc.nat(9))).map(([all, choices]) => {
    const left = all.map((item) => [...item])
    const out: ContextAnyEvent[] = []
    while (left.some((item) => item.length > 0)) {
      const open = left.filter((item) => item.length > 0)
      const { value } = choices.next()
      out.push((open[Number(value) % open.length] as ContextAnyEvent[]).shift() as ContextAnyEvent)
    }
    return out
  })

/** The stream that has the wholes alone. */
const wholesOf = (events: readonly ContextAnyEvent[]): ContextAnyEvent[] => [
  ...new Set(
    events.filter(({ kind }) => ['content-complete', 'thought-stream', 'tool-start'].includes(kind)),
  ),
]

const begin = [
  eventOf({ kind: 'task-created', initiator: 'user' }),
  eventOf({ kind: 'task-status', status: 'working' }),
]
const end = [
  eventOf({ kind: 'tool-complete', toolCallId: 'k', toolName: 'f', success: true, result: 'r' }),
  eventOf({ kind: 'task-status', status: 'completed' }),
  eventOf({ kind: 'task-complete' }),
]

describe.each(Object.entries(formats))('a reader of %s', (_, format) => {
  it('has every whole, whatever became of the deltas', () => {
    const texts = format.isJoined === true ? [text()] : [text(), text('x')]
    fc.assert(
      fc.property(interleaved([...texts, ...others]), (events) => {
        const written = outOf(format.writer(), [...begin, ...events, ...end])
        const expected = outOf(format.writer(), [...begin, ...wholesOf(events), ...end])
        expect(pageOf(format, written)).toEqual(pageOf(format, expected))
      }),
      { numRuns: runs(200) },
    )
  })
})

const joined = Object.entries(formats).filter(([, { isJoined }]) => isJoined)
describe.each(joined)('a reader of %s', (_, format) => {
  it('has each of two texts once, however they interleave', () => {
    // Texts of one letter, by which they are told apart.
    const lettered = (letter: string, item: fc.Arbitrary<Item>): fc.Arbitrary<Item> =>
      item.map((events) => {
        const copies = new Map(
          events.map((event) => {
            const { delta, content } = event as { delta?: string; content?: string }
            const only = (value: string | undefined) => value?.replace(/./gsu, letter)
            return [
              event,
              { ...event, delta: only(delta), content: only(content) } as unknown as ContextAnyEvent,
            ]
          }),
        )
        return events.map((event) => copies.get(event) as ContextAnyEvent)
      })
    fc.assert(
      fc.property(interleaved([lettered('x', text()), lettered('y', text('y'))]), (events) => {
        const read = String(pageOf(format, outOf(format.writer(), [...begin, ...events, ...end]))[0])
        const all = wholesOf(events).map((event) => (event as { content: string }).content)
        expect([...read].sort().join('')).toBe(all.sort().join(''))
      }),
      { numRuns: runs(200) },
    )
  })
})
