/** A log in memory with a snapshot of its own. */
import type { ContextAnyEvent } from '../../events/event.ts'
import { readMilliseconds } from '../../validation/callbacks.ts'
import type { EventLog, Snapshot } from '../log/event-log.ts'
import { LogBuffer } from '../log/log-buffer.ts'
import { emptyLogState, type LogOptions } from '../log/log-state.ts'
import { memoryLogOf } from '../log/memory-log.ts'
import { snapshotEvents } from '../view/snapshot-events.ts'
import { emptyView, type View } from '../view/view.ts'
import { KeptView } from './kept-view.ts'

/** The log, and the view of all its events; see {@link KeptView}. */
export function keptLog(
  options: LogOptions,
  now: () => number,
): { readonly log: EventLog; readonly view: () => Promise<View> } {
  const state = emptyLogState(options)
  const buffer = new LogBuffer<ContextAnyEvent>(state)
  const kept = new KeptView(buffer, state.limits.maxBytes)
  const { append, read, close } = memoryLogOf(buffer, () => readMilliseconds(now))
  /** The latest snapshot: after a restart of a client, many ask for the same. */
  let latest: { readonly view: View; readonly events: readonly ContextAnyEvent[] } | undefined
  const snapshot = async (): Promise<Snapshot | undefined> => {
    const view = kept.view()
    if (view === undefined) return undefined
    if (latest?.view !== view) latest = { view, events: snapshotEvents(view) }
    return { epoch: buffer.epoch, through: buffer.next - 1, events: latest.events }
  }
  return { log: { append, read, close, snapshot }, view: async () => kept.view() ?? emptyView }
}
