// Proves that a client can subscribe again at any point: with the extension it receives every event once, without it
// everything that A2A itself can represent.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { run } from '../../../src/core/machine.ts'
import { a2aExtensionUri, a2aSnapshot, toA2a } from '../../../src/dialects/a2a/index.ts'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { errorsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { outcomeOf } from './outcome.ts'
import { runFromA2a, throughJson, versions } from './support.ts'

interface Sent {
  readonly items: readonly unknown[]
  /** The task after each item, as an item. */
  readonly tasks: readonly unknown[]
}

/** What a server sends for a stream, and the task it answers a new subscription with. */
function send(events: readonly ContextAnyEvent[], version: A2aVersion, extension: boolean): Sent {
  const items: unknown[] = []
  const tasks: unknown[] = []
  const mapper = run(toA2a({ version, extension, viewer: { audience: 'operator' } }))
  const store = (out: readonly unknown[]): void => {
    for (const item of out) {
      items.push(throughJson(item))
      tasks.push(undefined)
    }
    // Between the items of one event there is no state to take a snapshot of.
    if (out.length > 0) tasks[tasks.length - 1] = throughJson(a2aSnapshot(mapper.state))
  }
  for (const event of events) store(mapper.push(event))
  store(mapper.end())
  return { items, tasks }
}

/** The points after which a snapshot can be taken. */
const pointsOf = ({ tasks }: Sent): number[] =>
  tasks.flatMap((task, i) => (task === undefined ? [] : [i + 1]))

const streams = legalStreams({ subtasks: false, internal: false, revisions: true })

// A2A itself has no reset: without the extension the texts stay.
const streamsWithoutResets = streams.filter((events) =>
  events.every(({ kind }) => kind !== 'iteration-reset'),
)

/** A text that is written again after a reset: A2A shows both. */
const repeatedAfterReset: readonly ContextAnyEvent[] = (
  [
    { kind: 'task-created', initiator: 'agent' },
    { kind: 'content-delta', delta: 'Hi', index: 0, iteration: 0 },
    { kind: 'iteration-reset', iteration: 0 },
    { kind: 'content-complete', content: 'Hi', iteration: 0 },
    { kind: 'task-status', status: 'completed' },
  ] as const
).map((draft) => ({ contextId: 'ctx', taskId: 'task', timestamp: '2026-01-31T10:30:00Z', ...draft }))

describe.each(versions)('subscribing again, A2A %s', (version) => {
  it('with the extension gives every event once', () => {
    fc.assert(
      fc.property(streams, fc.nat(), fc.nat(), (events, from, to) => {
        const sent = send(events, version, true)
        const points = pointsOf(sent)
        const cut = from % (sent.items.length + 1)
        const back = points[to % points.length] as number
        const seen = [...sent.items.slice(0, cut), sent.tasks[back - 1], ...sent.items.slice(back)]
        // The server never answers with an older state than it has sent.
        fc.pre(back >= cut)
        const { out, diagnostics } = runFromA2a(seen, { extension: true })
        expect(out).toEqual(events)
        expect(diagnostics).toEqual([])
      }),
      { numRuns: runs(300), examples: [[repeatedAfterReset, 0, 3]] },
    )
  })

  it('with the extension gives every event once if items are sent again', () => {
    fc.assert(
      fc.property(streams, fc.nat(), fc.nat(), (events, from, to) => {
        const { items } = send(events, version, true)
        const cut = from % (items.length + 1)
        const back = to % (cut + 1)
        const { out } = runFromA2a([...items.slice(0, cut), ...items.slice(back)], { extension: true })
        expect(out).toEqual(events)
      }),
      { numRuns: runs(200) },
    )
  })

  it('without the extension gives what A2A can represent', () => {
    fc.assert(
      fc.property(streams, fc.nat(), fc.nat(), (events, from, to) => {
        const sent = send(events, version, false)
        const points = pointsOf(sent)
        const cut = from % (sent.items.length + 1)
        const back = points[to % points.length] as number
        fc.pre(back >= cut)
        const seen = [...sent.items.slice(0, cut), sent.tasks[back - 1], ...sent.items.slice(back)]
        const { out } = runFromA2a(seen)
        const whole = runFromA2a(sent.items)
        expect(errorsOf(out)).toEqual([])
        expect(outcomeOf(out)).toEqual(outcomeOf(whole.out))
      }),
      { numRuns: runs(300) },
    )
  })

  it('at a server that merges the metadata of updates into its task reports a gap, and loses no output', () => {
    fc.assert(
      fc.property(streamsWithoutResets, fc.nat(), fc.nat(), (events, from, to) => {
        const sent = send(events, version, true)
        const points = pointsOf(sent)
        // Between the items of one event, the event may have come and what it wrote may not.
        const cut = points[from % points.length] as number
        const back = points[to % points.length] as number
        fc.pre(back >= cut)
        const task = merged(sent.tasks[back - 1], sent.items[back - 1])
        const { out, diagnostics } = runFromA2a(
          [...sent.items.slice(0, cut), task, ...sent.items.slice(back)],
          { extension: true },
        )
        const { out: plain } = runFromA2a(sent.items.map(withoutExtension))
        if (diagnostics.some(({ code }) => code === 'gap')) expect(outputsOf(out)).toEqual(outputsOf(plain))
        else expect(out).toEqual(events)
      }),
      { numRuns: runs(200) },
    )
  })
})

/** An item as a server that does not know the extension would send it. */
function withoutExtension(item: unknown): unknown {
  return JSON.parse(
    JSON.stringify(item, (key, value: unknown) => (key === a2aExtensionUri ? undefined : value)),
  )
}

/** The outcome without the fields that A2A cannot represent. */
function outputsOf(events: readonly ContextAnyEvent[]): object {
  const { texts, outputs, status, result } = outcomeOf(events) as Readonly<Record<string, unknown>>
  // A text that was not streamed is the result.
  const isStreamed = (texts as unknown[]).length > 0 || result === ''
  const all = isStreamed ? (texts as [string, string][]) : [['', result]]
  // Without the extension, the segments of a text have ids of their own.
  const merged = new Map<unknown, string>()
  for (const [id, text] of all) {
    const base = String(id).replace(/#\d+$/, '')
    merged.set(base, (merged.get(base) ?? '') + text)
  }
  return { texts: [...merged], outputs, status }
}

/** The task with the metadata of the last update, as servers store it. */
function merged(task: unknown, item: unknown): unknown {
  const [update] = 'kind' in (item as object) ? [item] : Object.values(item as object)
  const { metadata } = update as { metadata?: Readonly<Record<string, unknown>> }
  const stored = throughJson(task) as { metadata: Record<string, unknown> }
  stored.metadata[a2aExtensionUri] = metadata?.[a2aExtensionUri]
  return stored
}
