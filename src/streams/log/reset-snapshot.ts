/** Resets with the events of a snapshot. */
import { startTimer } from '../../core/timer.ts'
import { type Batch, cursorAfter, type Reset, type StreamEvent } from './batch.ts'
import { comparePositions } from './cursor.ts'
import type { EventLog, Snapshot } from './event-log.ts'
import type { ReadFilter } from './read-filter.ts'
import type { SnapshotOptions } from './snapshot-options.ts'
import { visibleForgotten } from './visible-forgotten.ts'

/**
 * The reset with the events of the log's snapshot, if the log can continue from there.
 *
 * @param options - How large it may be.
 * @param filters - `false`: they are the list of the snapshot itself, which others may hold, too.
 */
export async function withSnapshot<E extends StreamEvent>(
  reset: Reset<E>,
  log: EventLog<E>,
  filter: ReadFilter<E> | undefined,
  filters: boolean = true,
  options?: SnapshotOptions,
): Promise<Reset<E>> {
  const snapshot = await (options === undefined
    ? sharedSnapshot(reset, log, filter)
    : log.snapshot?.(filter, options))
  if (snapshot === undefined || snapshot.epoch !== reset.epoch) return reset
  if (snapshot.through + 1 < reset.earliest) return reset
  if (snapshot.through > reset.through && (await isAhead(reset, snapshot.through, log, filter))) return reset
  const { through, events, older } = snapshot
  const applied = filters ? filter : undefined
  const visible = applied === undefined ? events : events.flatMap((event) => applied.apply(event) ?? [])
  const forgotten = visibleForgotten(snapshot.forgotten, applied)
  return {
    ...{ ...reset, through, events: visible },
    ...(older !== undefined && { older }),
    ...(forgotten && { forgotten }),
  }
}

/** How long a snapshot is given to others too: many readers ask at about the same time, as after a restart. */
const RECENT_MS = 1000

/** The recent snapshots, by their logs and filters; by the log, those for readers without a filter. */
const recent = new WeakMap<object, WeakMap<object, Promise<unknown>>>()

/** The snapshot of a log, of a moment ago if its readers can continue from there. */
async function sharedSnapshot<E extends StreamEvent>(
  reset: Reset<E>,
  log: EventLog<E>,
  filter: ReadFilter<E> | undefined,
): Promise<Snapshot<E> | undefined> {
  const byFilter = recent.get(log) ?? new WeakMap<object, Promise<unknown>>()
  recent.set(log, byFilter)
  const key = filter ?? log
  const known = byFilter.get(key)
  if (known !== undefined) {
    const found = (await known.catch(() => undefined)) as Snapshot<E> | undefined
    if (found?.epoch === reset.epoch && found.through + 1 >= reset.earliest) return found
    // Whoever found the same may have begun another.
    if (byFilter.get(key) !== known) return sharedSnapshot(reset, log, filter)
  }
  const snapshot = Promise.resolve(log.snapshot?.(filter))
  byFilter.set(key, snapshot)
  const forget = (): void => {
    if (byFilter.get(key) === snapshot) byFilter.delete(key)
  }
  snapshot.then(() => startTimer(forget, RECENT_MS), forget)
  return snapshot
}

/** Whether a log ends before a snapshot of it: it has lost events, or is a copy that lags. */
async function isAhead<E extends StreamEvent>(
  reset: Reset<E>,
  through: number,
  log: EventLog<E>,
  filter: ReadFilter<E> | undefined,
): Promise<boolean> {
  const next = await log.read(cursorAfter({ ...reset, through }), filter && { filter })
  return next.type === 'reset' && next.reason === 'ahead'
}

/** Requires that a part after a reset is a batch, or a reset to a later position or another epoch. */
export function requireProgress(
  next: Batch<StreamEvent> | Reset<StreamEvent>,
  reset: Reset<StreamEvent>,
): void {
  if (next.type === 'batch' || (comparePositions(cursorAfter(next), cursorAfter(reset)) ?? 1) === 1) return
  throw new TypeError(
    `Expected a batch or a reset after seq ${reset.through}, got a reset to seq ${next.through}.`,
  )
}
