/** Resets with the events of a snapshot. */
import { type Batch, cursorAfter, type Reset, type StreamEvent } from './batch.ts'
import { comparePositions } from './cursor.ts'
import type { EventLog, Snapshot } from './event-log.ts'
import type { ReadFilter } from './read-filter.ts'
import { shareRecent } from './recent.ts'
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

/** The recent snapshots of logs, by the filters of their readers; by the log, those for readers without a filter. */
const recent = new WeakMap<object, WeakMap<object, Promise<unknown>>>()

/** The snapshot of a log, of a moment ago if its readers can continue from there. */
function sharedSnapshot<E extends StreamEvent>(
  reset: Reset<E>,
  log: EventLog<E>,
  filter: ReadFilter<E> | undefined,
): Promise<Snapshot<E> | undefined> {
  const known = recent.get(log) ?? new WeakMap()
  recent.set(log, known)
  return shareRecent(known, filter ?? log, reset, async () => log.snapshot?.(filter))
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
