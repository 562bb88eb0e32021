/** Reducing a stream to a view: one delta, after tasks that have more and more parts. */
import { strictEqual } from 'node:assert'
import type { ContextAnyEvent } from 'turnstream'
import { createViewStore, emptyView, foldEvent, foldEvents, taskOf, type View } from 'turnstream/streams'
import { wordsFrom } from '../support/data.ts'
import { race, type Timing } from '../support/race.ts'
import { atMost, type Budget, type Effort, nsEach, type Row } from '../support/row.ts'

const DELTAS = 5000
const context = { contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-01-31T10:30:00.000Z' }

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const count = Math.ceil(DELTAS * scale)
  const text = deltas('content-delta', count)
  const thought = deltas('thought-delta', count, { thoughtId: 'thought-1' })
  const large = viewOf(Math.ceil(100_000 * scale))
  const views = { 1: viewOf(1), 1000: viewOf(1000), 10000: viewOf(10_000) }
  const times = await race(rounds, {
    first: () => foldEach(text, views[1]),
    thousand: () => foldEach(text, views[1000]),
    tenThousand: () => foldEach(text, views[10_000]),
    thought: () => foldEach(thought, views[1000]),
    batches: () => foldBatches(text, views[10_000]),
    store: () => pushEach(text, views[1]),
    largeStore: () => pushEach(text, large),
  })
  const rowOf = (what: string, time: Timing, budget?: Budget): Row => {
    return { what, figure: nsEach(time, count) / 1e3, unit: 'µs', ...(budget && { budget }) }
  }
  return [
    rowOf('`foldEvent`, a `content-delta`, 1 part', times.first),
    rowOf('`foldEvent`, a `content-delta`, 1000 parts', times.thousand, atMost(3)),
    rowOf('`foldEvent`, a `content-delta`, 10 000 parts', times.tenThousand),
    rowOf('`foldEvent`, a `thought-delta`, 1000 parts', times.thought, atMost(3)),
    rowOf('`foldEvents`, 16 `content-delta`s, each, 10 000 parts', times.batches, atMost(1.5)),
    rowOf('`createViewStore`, a `content-delta`, 1 part', times.store),
    rowOf('`createViewStore`, a `content-delta`, 100 000 parts', times.largeStore, atMost(3)),
  ]
}

/** A view of one task with `parts` parts. */
function viewOf(parts: number): View {
  const events: ContextAnyEvent[] = []
  for (let n = 1; n < parts; n++) {
    const call = { toolCallId: `call-${n}`, toolName: 'search' }
    events.push(eventOf('tool-start', { ...call, arguments: { query: `${n}` } }))
    events.push(eventOf('tool-complete', { ...call, success: true, result: n }))
  }
  events.push(eventOf('content-delta', { delta: 'The', index: 0 }))
  const view = foldEvents(emptyView, events)
  strictEqual(partCount(view), parts)
  return view
}

function deltas(kind: string, count: number, more: object = {}): ContextAnyEvent[] {
  const words = wordsFrom(3)
  const first = kind === 'content-delta' ? 1 : 0
  return Array.from({ length: count }, (_, n) =>
    eventOf(kind, { ...more, delta: words(1), index: first + n }),
  )
}

/** An event, as it comes out of `JSON.parse`. */
function eventOf(kind: string, fields: object): ContextAnyEvent {
  return JSON.parse(JSON.stringify({ kind, ...context, ...fields })) as ContextAnyEvent
}

function foldEach(events: readonly ContextAnyEvent[], view: View): number {
  let next = view
  for (const event of events) next = foldEvent(next, event)
  return partCount(next)
}

function foldBatches(events: readonly ContextAnyEvent[], view: View): number {
  let next = view
  for (let at = 0; at < events.length; at += 16) next = foldEvents(next, events.slice(at, at + 16))
  return partCount(next)
}

/** Pushes each event alone, and takes the snapshot of the last one. */
function pushEach(events: readonly ContextAnyEvent[], view: View): number {
  const store = createViewStore(view)
  for (const event of events) store.push([event])
  return partCount(store.getSnapshot())
}

function partCount(view: View): number {
  return taskOf(view, context.taskId)?.parts.length ?? 0
}
