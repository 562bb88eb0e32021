/** Pages of the newest tasks, of a log that can read these alone. */
import { pause } from '../../core/timer.ts'
import { type Batch, cursorAfter, isEmptyBatch, type Reset } from '../log/batch.ts'
import type { EventLog, Snapshot } from '../log/event-log.ts'
import type { ReadFilter } from '../log/read-filter.ts'
import { createViewStore } from '../view/fold/view-store.ts'
import {
  type HistoryPage,
  newcomerLimits,
  newestTasks,
  type PageLimits,
} from '../view/snapshot/history-page.ts'
import { exactEvents, snapshotEvents } from '../view/snapshot/snapshot-events.ts'

/** A page, and the position that it is of. */
export interface NewestPage {
  readonly page: HistoryPage
  readonly at: Pick<Snapshot, 'epoch' | 'through'>
}

/** A log that reads the events of single tasks: a page then costs what it has, however long the stream is. */
export interface TaskLog extends EventLog {
  /**
   * The page that the view of the whole log has. Resolves to `undefined` if that of this stream and this reader takes all events.
   *
   * @param filter - Omitted: for readers who see everything.
   */
  newestPage(filter: ReadFilter | undefined, limits: PageLimits): Promise<NewestPage | undefined>
}

/** How many events are folded before others get their turn. Those that are hidden do not count: nobody is to notice them. */
const EVENTS_AT_ONCE = 1000

/**
 * A snapshot of the newest tasks, of all events up to a limit of bytes. A reset instead, if the log does not have the first events.
 *
 * @param first - The first part of the log for the reader.
 */
export async function newestSnapshot(
  log: EventLog,
  filter: ReadFilter | undefined,
  maxBytes: number,
  first: Batch | Reset,
): Promise<Snapshot | Reset> {
  const eventsOf = filter === undefined ? snapshotEvents : exactEvents
  const newest = first.type === 'batch' && (await newestPage(log, filter, newcomerLimits(maxBytes, eventsOf)))
  if (newest) return { ...newest.at, ...newest.page }
  const store = createViewStore()
  let folded = 0
  for (let part = first; ; part = await log.read(cursorAfter(part), filter && { filter })) {
    if (part.type === 'reset') return part
    const { epoch, through, events } = part
    store.push(events)
    if (isEmptyBatch(part) || part.closed === true)
      return { epoch, through, ...newestTasks(store.getSnapshot(), maxBytes, eventsOf) }
    folded += events.length
    if (folded >= EVENTS_AT_ONCE) {
      folded = 0
      await pause(0)
    }
  }
}

/** The page of a log that reads the events of single tasks; see {@link TaskLog}. `undefined`: it must read all. */
export async function newestPage(
  log: EventLog,
  filter: ReadFilter | undefined,
  limits: PageLimits,
): Promise<NewestPage | undefined> {
  return (log as Partial<TaskLog>).newestPage?.(filter, limits)
}
