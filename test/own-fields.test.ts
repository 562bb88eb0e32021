// Proves that fields named like members of Object.prototype are data like any other, from the emitter to every dialect.

import fc from 'fast-check'
import {
  type AnyEvent,
  type ContextAnyEvent,
  createEmitter,
  decodeEvent,
  eventDecoder,
  type Machine,
  run,
  stamp,
} from 'turnstream'
import { fromA2a, toA2a } from 'turnstream/a2a'
import { fromAgentEvents, toAgentEvents } from 'turnstream/agent-event'
import { fromUiMessageStream, toUiMessageStream } from 'turnstream/ai-sdk'
import { fromFrames, toFrames } from 'turnstream/frames'
import { parsePartialJson } from 'turnstream/json'
import { toChatCompletions } from 'turnstream/openai'
import { openaiChat } from 'turnstream/providers'
import { fromSessionEvents, toSessionEvents } from 'turnstream/session'
import { encodeEvent } from 'turnstream/sse'
import { compact, emptyView, foldEvent, project } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { unstamp } from '../src/emitter/stamp.ts'
import { decodeAnyEvent, isKnownEvent } from '../src/events/decode.ts'
import { legalStreams } from './support/legal-streams.ts'
import { runs } from './support/runs.ts'

const FOREIGN =
  '"__proto__":{"parentTaskId":"victim","list":[{"x":1}]},"constructor":{"prototype":{"x":1}},"toString":1'

/** The value with fields of these names in each of its objects. */
function withForeignFields<T>(value: T): T {
  const text = JSON.stringify(value, (_key, inner) => inner)
  // Every `{` outside of a string opens an object.
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|\{\}?/g, (token) =>
    token === '{' ? `{${FOREIGN},` : token === '{}' ? `{${FOREIGN}}` : token,
  )
  return JSON.parse(marked) as T
}

/** Legal streams whose events have such fields at every depth. */
const streams = (options = {}): fc.Arbitrary<ContextAnyEvent[]> =>
  legalStreams({ maxChoices: 20, ...options }).map((events) => withForeignFields(events))

/** The arguments of each call whose deltas are a whole object. */
function writtenArguments(events: readonly ContextAnyEvent[]): string[] {
  const texts = new Map<string, string>()
  for (const event of events)
    if (event.kind === 'tool-arguments-delta')
      texts.set(event.toolCallId, (texts.get(event.toolCallId) ?? '') + event.delta)
  return [...texts.values()].flatMap((text) => {
    const { value, complete } = parsePartialJson(text)
    return complete ? [JSON.stringify(value)] : []
  })
}

/** Paths of objects whose prototype is not that of a literal. */
function strangers(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null || prototype === Array.prototype
  const inner = Object.entries(value).flatMap(([key, one]) => strangers(one, `${path}/${key}`))
  return isPlain ? inner : [path, ...inner]
}

/** Compares as text: an own `__proto__` counts, as does the order of fields. */
function expectSame(actual: unknown, expected: unknown): void {
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected))
  expect(strangers(actual)).toEqual([])
}

function outputsOf<In, Out>(machine: Machine<never, In, Out, never>, inputs: readonly In[]): Out[] {
  const { push, end } = run(machine as Machine<unknown, In, Out>)
  return [...inputs.flatMap((input) => [...push(input)]), ...end()]
}

const check = (property: (events: ContextAnyEvent[]) => void, options = {}): void =>
  fc.assert(fc.property(streams(options), property), { numRuns: runs(30) })

describe('own fields named like inherited ones survive', () => {
  it('decoding, and are never read as context', () => {
    check((events) => {
      for (const event of events) {
        expect(isKnownEvent(event)).toBe(true)
        for (const decode of [decodeEvent, decodeAnyEvent]) {
          const decoded = decode(event)
          expect(decoded.status === 'known' && decoded.event).toBe(event)
        }
        const withNull = decodeEvent({ ...event, path: null })
        if (withNull.status === 'known') {
          const { path: _path, ...expected } = event
          expectSame(withNull.event, expected)
        }
      }
    })
  })

  it('stamp, unstamp and emit', () => {
    const context = { contextId: 'other', taskId: 'another' }
    check((events) => {
      const now = '2026-01-31T10:30:00Z'
      const emitter = createEmitter({ ...context, now: () => now, newId: () => 'id' })
      for (const event of events) {
        const bare: AnyEvent = unstamp(event)
        const { contextId: _c, taskId: _t, parentTaskId, path: _p, ...rest } = event
        const kept = event.kind === 'task-created' && parentTaskId !== undefined
        expectSame(bare, kept ? { ...rest, parentTaskId } : rest)
        const { kind, ...fields } = bare
        const stamped = { kind, ...context, ...fields }
        expectSame(stamp(bare, context), stamped)
        expect((stamp(bare, context) as ContextAnyEvent).parentTaskId).toBe(kept ? parentTaskId : undefined)
        expectSame(emitter.emit(bare), stamped)
      }
    })
  })

  it('encoding and decoding as SSE', () => {
    check((events) => {
      const text = events.map((event) => encodeEvent(event, { viewer: 'all' })).join('')
      const decoded = outputsOf(eventDecoder() as never, [text]) as { event: ContextAnyEvent }[]
      expectSame(
        decoded.map(({ event }) => event),
        events,
      )
    })
  })

  it('folding, merging and projection', () => {
    check((events) => {
      const view = events.reduce((folded, event) => foldEvent(folded, event), emptyView)
      expect(strangers(view)).toEqual([])
      const held = JSON.stringify(view)
      for (const event of events) {
        if (event.kind === 'tool-start') expect(held).toContain(JSON.stringify(event.arguments))
      }
      expect(strangers(compact(events))).toEqual([])
      for (const audience of ['user', 'operator'] as const) {
        for (const event of events) expect(strangers(project(event, { audience }))).toEqual([])
      }
      for (const event of compact(events)) {
        expect(Object.hasOwn(event, '__proto__')).toBe(true)
        expect(Object.hasOwn(project(event, { audience: 'operator' }) ?? event, '__proto__')).toBe(true)
      }
    })
  })

  const newId = (): string => 'f'
  const dialects: Record<string, [to: () => unknown, from: () => unknown]> = {
    'a2a 1.0': [() => toA2a({ version: '1.0' }), () => fromA2a({ now: () => 0 })],
    'a2a 0.3': [() => toA2a({ version: '0.3' }), () => fromA2a({ now: () => 0 })],
    'agent-event': [
      () => toAgentEvents({ toolCallIds: true }),
      () => fromAgentEvents({ contextId: 'c', taskId: 't', now: () => '2026-01-31T10:30:00Z' } as never),
    ],
    'frames v1': [() => toFrames({ version: 'v1', sessionId: 's', newId }), () => fromFrames()],
    'frames v2': [() => toFrames({ version: 'v2', sessionId: 's', newId }), () => fromFrames()],
    'ai-sdk': [() => toUiMessageStream(), () => fromUiMessageStream({ now: () => 0 })],
    openai: [() => toChatCompletions(), () => openaiChat({ calls: 'start' })],
    session: [() => toSessionEvents(), () => fromSessionEvents()],
  }

  it.each(Object.entries(dialects))('the way to %s and back', (_name, [to, from]) => {
    check(
      (events) => {
        const there = outputsOf(to() as never, events)
        expect(strangers(there)).toEqual([])
        const back = outputsOf(from() as never, JSON.parse(JSON.stringify(there)) as unknown[])
        expect(strangers(back)).toEqual([])
        // Free data arrives as it was sent, or not at all.
        const free = (all: readonly unknown[]): string[] =>
          (all as ContextAnyEvent[]).flatMap((event) =>
            event.kind === 'tool-start' ? [JSON.stringify(event.arguments)] : [],
          )
        // A call that was approved starts with the arguments that its request shows.
        const shown = events.flatMap((event) =>
          event.kind === 'input-required' && event.metadata?.toolCall !== undefined
            ? [event.metadata.toolCall.function.arguments]
            : [],
        )
        // One that was cut off before its arguments has none; one that was cut off behind them starts with what was written.
        expect([...free(events), ...shown, ...writtenArguments(events), '{}']).toEqual(
          expect.arrayContaining(free(back)),
        )
        for (const one of back) expect((one as ContextAnyEvent).parentTaskId).not.toBe('victim')
      },
      { subtasks: false, internal: false },
    )
  })
})

describe('inherited fields', () => {
  it('are no data', () => {
    check((events) => {
      for (const event of events) {
        const heir: unknown = Object.create(event)
        expect(isKnownEvent(heir)).toBe(false)
        expect(decodeEvent(heir).status).toBe('invalid')
        expect(decodeAnyEvent(heir).status).toBe('invalid')
      }
    })
  })

  it('of Object.prototype are not taken for fields of events', () => {
    const { parse } = JSON
    const polluted = parse(
      '{"kind":"content-delta","delta":"x","index":0,"timestamp":"2026-01-31T10:30:00Z"}',
    )
    Object.setPrototypeOf(polluted, { contextId: 'c', taskId: 't' })
    expect(decodeEvent(polluted).status).toBe('invalid')
    expect(decodeAnyEvent(polluted).status).toBe('known')
  })
})
