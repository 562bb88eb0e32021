// Proves that a response continues behind what its log has forgotten: nothing it shows is lost or doubled, and it stays legal.
import fc from 'fast-check'
import { type ContextAnyEvent, type Machine, run } from 'turnstream'
import { a2aVerifier, fromA2a, toA2a } from 'turnstream/a2a'
import { agUiVerifier, fromAgUi, toAgUi } from 'turnstream/ag-ui'
import { fromUiMessageStream, toUiMessageStream } from 'turnstream/ai-sdk'
import { emptyView, foldEvents, snapshotEvents } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { Sent } from '../../../src/server/protocol/missed.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'

interface Format {
  readonly writer: () => unknown
  readonly reader: () => unknown
  readonly verifier?: () => unknown
}

const formats: Readonly<Record<string, Format>> = {
  'ai-sdk': { writer: () => toUiMessageStream(), reader: () => fromUiMessageStream() },
  'ag-ui': { writer: () => toAgUi(), reader: () => fromAgUi(), verifier: () => agUiVerifier() },
  a2a: {
    writer: () => toA2a({ version: '1.0' }),
    reader: () => fromA2a(),
    verifier: () => a2aVerifier({ version: '1.0' }),
  },
}

function outputs(machine: unknown, inputs: readonly unknown[]): unknown[] {
  const { push, end } = run(machine as Machine<unknown, unknown, unknown>)
  return [...inputs.flatMap((input) => push(input)), ...end()]
}

function sentOf(events: readonly ContextAnyEvent[]): Sent {
  const sent = new Sent()
  for (const event of events) sent.follow(event)
  return sent
}

/** What a client of a format shows, but for questions, which are gone once they were answered. */
function shown({ reader }: Format, out: readonly unknown[]) {
  const { tasks } = foldEvents(emptyView, outputs(reader(), out) as ContextAnyEvent[])
  const parts = tasks.flatMap((task) => task.parts)
  const names = parts.flatMap((part) => {
    if (part.type === 'tool') return `tool ${part.toolCallId} ${part.status}`
    if (part.type === 'thought') return `thought ${part.text}`
    return part.type === 'custom' || part.type === 'error' ? part.type : []
  })
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { names: names.sort(), text }
}

describe.each(Object.keys(formats))('%s', (name) => {
  const format = formats[name] as Format

  it.each([{}, { focus: 'texts' as const }])('shows the same with %j', (focus) => {
    const streams = legalStreams({ subtasks: false, ...focus })
    fc.assert(
      fc.property(streams, fc.nat(), fc.nat(), (events, a, b) => {
        const from = 1 + (a % events.length)
        const to = from + (b % (events.length - from + 1))
        const sent = events.slice(0, from)
        const snapshot = snapshotEvents(foldEvents(emptyView, events.slice(0, to)))
        const missed = sentOf(sent).missed(snapshot)
        if (missed === undefined || events.some((event) => 'artifactId' in event)) return
        const whole = outputs(format.writer(), events)
        const continued = outputs(format.writer(), [...sent, ...missed, ...events.slice(to)])
        expect(shown(format, continued)).toEqual(shown(format, whole))
        if (format.verifier === undefined || outputs(format.verifier(), whole).length > 0) return
        expect(outputs(format.verifier(), continued)).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })
})

it('tells that something was withdrawn meanwhile', () => {
  const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00.000Z' }
  const created = { ...context, kind: 'task-created', initiator: 'agent' } as const
  const delta = { ...context, kind: 'content-delta', delta: 'One', index: 0, iteration: 0 } as const
  const reset = { ...context, kind: 'iteration-reset', iteration: 0 } as const
  const view = foldEvents(emptyView, [created, delta, reset])
  expect(sentOf([created, delta]).missed(snapshotEvents(view))).toBeUndefined()
})
