// Proves that no mapper writes half a surrogate pair, in either direction, and that pairs cut between two deltas come out whole.

import fc from 'fast-check'
import { type ContextAnyEvent, pipe } from 'turnstream'
import { fromA2a, toA2a } from 'turnstream/a2a'
import { fromAgUi, toAgUi } from 'turnstream/ag-ui'
import { fromAgentEvents, toAgentEvents } from 'turnstream/agent-event'
import { fromUiMessageStream, toUiMessageStream } from 'turnstream/ai-sdk'
import { encodeFrame, fromFrames, toFrames } from 'turnstream/frames'
import { fromLooopy } from 'turnstream/looopy'
import { fromSessionEvents, toSessionEvents } from 'turnstream/session'
import { describe, expect, it } from 'vitest'
import type { Machine } from '../../../src/core/machine.ts'
import { endWhole, stepWhole, unicodeEvents } from '../../../src/dialects/shared/unicode.ts'
import { isUnicode } from '../../../src/encoding/unicode.ts'
import { cutDeltas, withHalves, withMarks } from '../../support/halves.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'

type Writer = Machine<never, ContextAnyEvent, object, never>
type Reader = Machine<never, never, ContextAnyEvent, never>

const id = { contextId: 'c', taskId: 't' }
const counter = (): (() => string) => {
  let n = 0
  return () => `id-${n++}`
}

/** What a Looopy server writes: kind and context are not in the data. */
const writeLooopy = (): Writer => ({
  initial: 0 as never,
  step: (state, { kind, contextId, ...data }) => ({
    state,
    out: [{ id: `${contextId}-1`, event: kind, data: JSON.stringify(data) }],
  }),
  end: (state) => ({ state, out: [] }),
})

const pairs: [name: string, writer: () => Writer, reader: () => Reader][] = [
  [
    'A2A',
    () => toA2a({ version: '1.0' }) as never,
    () => fromA2a({ now: () => 0, contextId: 'c' } as never) as never,
  ],
  [
    'A2A 0.3',
    () => toA2a({ version: '0.3' }) as never,
    () => fromA2a({ now: () => 0, contextId: 'c' } as never) as never,
  ],
  ['AG-UI', () => toAgUi() as never, () => fromAgUi({ now: () => 0 } as never) as never],
  ['AI SDK', () => toUiMessageStream() as never, () => fromUiMessageStream({ now: () => 0 }) as never],
  [
    'agent-event',
    () => toAgentEvents() as never,
    () => fromAgentEvents({ ...id, now: () => 0 } as never) as never,
  ],
  [
    'frames v1',
    () => toFrames({ version: 'v1', sessionId: 's', newId: counter() }) as never,
    () => fromFrames({ contextId: 'c' } as never) as never,
  ],
  [
    'frames',
    () => toFrames({ version: 'v2', sessionId: 's', newId: counter() }) as never,
    () => fromFrames({ contextId: 'c' } as never) as never,
  ],
  ['session', () => toSessionEvents({ sessionId: 's' }) as never, () => fromSessionEvents() as never],
]

const outputs = <Out>(machine: Machine<never, never, Out, never>, inputs: readonly unknown[]): Out[] =>
  resultsOf(machine, inputs as never[]).flatMap(({ out }) => out)

describe.each(pairs)('%s', (_, writer) => {
  it('is written as Unicode, whatever the events have', () => {
    fc.assert(
      fc.property(legalStreams().chain(withHalves), (events) => {
        const out = outputs(writer() as never, events)
        expect(out.filter((message) => !isUnicode(message))).toEqual([])
      }),
      { numRuns: runs(100) },
    )
  })

  it('is written alike however pairs are cut', () => {
    fc.assert(
      fc.property(legalStreams().chain(cutDeltas), ({ events, cut }) => {
        const textOf = (stream: readonly ContextAnyEvent[]): string =>
          JSON.stringify(outputs(writer() as never, stream))
        const counts = (text: string): number[] =>
          ['😀', '\ufffd', '\\ud'].map((part) => text.split(part).length)
        expect(counts(textOf(cut))).toEqual(counts(textOf(events)))
      }),
      { numRuns: runs(100) },
    )
  })
})

/** The messages with the bytes of files as text: Base64 differs wherever the text does. */
function withTexts(messages: readonly unknown[]): unknown {
  const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString()
  return JSON.parse(JSON.stringify(messages), (key, value) => {
    if (typeof value !== 'string') return value
    if (key === 'bytes' || key === 'raw') return textOf(value)
    const dataUrl = /^(data:[^,]*;base64,)(.*)$/s.exec(value)
    return dataUrl === null ? value : `${dataUrl[1]}${textOf(dataUrl[2] ?? '')}`
  })
}

const looopy: (typeof pairs)[number] = ['Looopy', writeLooopy, () => fromLooopy({ contextId: 'c' }) as never]
describe.each([...pairs, looopy])('%s', (_, writer, reader) => {
  it('keeps the characters that end a line in some languages, both ways', () => {
    const lineEnds = '\u2028\u0085\u2029'
    const isMapped = (
      stream: readonly unknown[],
      machine: () => Machine<never, never, unknown, never>,
    ): void => {
      // Letters in the place of the line ends: the texts are else the same.
      const [found, expected] = [lineEnds, '\u01c4\u01c5\u01c6'].map((mark) =>
        JSON.stringify(withTexts(outputs(machine(), withMarks(stream, mark)))).replaceAll(mark, '?'),
      )
      expect(found).toBe(expected)
    }
    fc.assert(
      fc.property(legalStreams(), (events) => {
        isMapped(events, writer as never)
        isMapped(outputs(writer() as never, events), reader as never)
      }),
      { numRuns: runs(50) },
    )
  })

  it('is read as Unicode, whatever the messages have', () => {
    fc.assert(
      fc.property(
        legalStreams().chain((events) => withHalves(outputs(writer() as never, events))),
        (messages) => {
          const out = outputs(reader() as never, messages)
          expect(out.filter((event) => !isUnicode(event))).toEqual([])
        },
      ),
      { numRuns: runs(100) },
    )
  })
})

const echo: Machine<{ index: number }, { delta: string }, ContextAnyEvent> = {
  initial: { index: 0 },
  step: ({ index }, { delta }) => ({
    state: { index: index + 1 },
    out: [{ kind: 'content-delta', ...id, timestamp: '2026-01-01T00:00:00Z', delta, index }],
    diagnostics: delta === '?\ude00' ? [{ code: 'inferred:y', message: 'Inferred.' }] : [],
  }),
  end: (state) => ({ state, out: [], diagnostics: [{ code: 'inferred:x', message: 'Inferred.' }] }),
}

it('reports nothing where a pair is joined, and the half that waits at the end', () => {
  const machine = unicodeEvents(echo)
  const first = machine.step(machine.initial, { delta: 'a\ud83d' })
  const second = machine.step(first.state, { delta: '\ude00b\ud83d' })
  expect([first, second].map(({ out: [event] }) => event)).toMatchObject([{ delta: 'a' }, { delta: '😀b' }])
  expect([first, second].flatMap((step) => step.diagnostics ?? [])).toEqual([])
  const { state, diagnostics } = machine.end(second.state)
  expect(diagnostics?.map(({ code }) => code)).toEqual(['inferred:x', 'lossy:delta'])
  expect(state).toEqual({ index: 2 })
})

it('reports a half after what the machine reports', () => {
  const { diagnostics } = unicodeEvents(echo).step({ index: 0 }, { delta: '?\ude00' })
  expect(diagnostics?.map(({ code }) => code)).toEqual(['inferred:y', 'lossy:delta'])
})

/** A writer that makes its input Unicode. */
const writing: Machine<object, ContextAnyEvent, ContextAnyEvent> = {
  initial: {},
  step: (state, event) => stepWhole(copying, state, event),
  end: (state, reason) => endWhole(copying, state, reason),
}
const copying: typeof writing = {
  initial: {},
  step: (state, event) => ({ state, out: [event] }),
  end: (state) => ({ state, out: [] }),
}

it.each([
  ['a reader', unicodeEvents(echo)],
  ['a writer', pipe(echo, writing)],
])('%s reports halves if and only if its text is another', (_, machine) => {
  const delta = fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00'), maxLength: 4 })
  fc.assert(
    fc.property(fc.array(delta), (deltas) => {
      const results = resultsOf(
        machine as Machine<unknown, { delta: string }, ContextAnyEvent>,
        deltas.map((each) => ({ delta: each })),
      )
      const text = results.flatMap(({ out }) => out.map((event) => 'delta' in event && event.delta)).join('')
      const codes = results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
      expect(codes.includes('lossy:delta')).toBe(text !== deltas.join(''))
    }),
    { numRuns: runs(200) },
  )
})

it('encodes frames as lines, however a reader splits them', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\u0085', '\u2028', '\u2029') })
  fc.assert(
    fc.property(text, (delta) => {
      const place = { id: 'f', session_id: 's', timestamp_ms: 0, seq: 0 }
      const line = encodeFrame({ ...place, type: 'output_text_delta', delta } as never)
      expect(line).not.toMatch(/[\u0085\u2028\u2029]/)
      expect(JSON.parse(line)).toMatchObject({ delta })
    }),
    { numRuns: runs(100) },
  )
})
