/** Reads a page of a log that gets its events in pieces, such as from a database. */
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Batch, Reset } from './batch.ts'
import { type Cursor, parseCursor, parseEventId } from './cursor.ts'
import type { LogExtent } from './extent.ts'
import { Page } from './page.ts'
import { resolveCursor } from './read.ts'
import type { ReadFilter } from './read-filter.ts'

/** An event, and its size in bytes of UTF-8 JSON. */
export interface SizedEvent {
  readonly event: ContextAnyEvent
  readonly bytes: number
}

/** Consecutive events after a position, and what the log held at that moment. */
export interface Piece {
  readonly extent: LogExtent
  readonly events: readonly SizedEvent[]
}

/**
 * Fetches `maxBytes` of the events after a position, hidden ones included, or one.
 *
 * @param at - `undefined`: nowhere, the extent is enough. An empty epoch: that of the log.
 */
export type FetchPiece = (at: Pick<Cursor, 'epoch' | 'seq'> | undefined, maxBytes: number) => Promise<Piece>

/** The position before the first event, whatever the epoch. */
const atStart = { epoch: '', seq: -1 }

/** The events after a cursor, as many as fit, or a reset. Does not wait. */
export async function readPage(
  cursor: Cursor | string | null | undefined,
  filter: ReadFilter | undefined,
  maxBytes: number,
  fetch: FetchPiece,
): Promise<Batch | Reset> {
  const isStart = cursor === undefined || cursor === null || cursor === ''
  let { extent, events } = await fetch(isStart ? atStart : cursorIn(cursor), maxBytes)
  const after = resolveCursor(extent, cursor, filter)
  if (typeof after === 'object') return after
  const page = new Page(after, filter, maxBytes)
  // Hidden events take no room: more are read until the page is full.
  while (
    addAll(page, events) &&
    filter !== undefined &&
    events.length > 0 &&
    page.through + 1 < extent.next
  ) {
    const more = await fetch({ epoch: extent.epoch, seq: page.through }, maxBytes)
    // The reader gets what was found, and the reset when it asks again.
    if (more.extent.epoch !== extent.epoch) break
    ;({ extent, events } = more)
  }
  return page.batch(extent)
}

/** The end of the wait of a reader at a position. */
export function emptyBatch({ stream, epoch, seq, filter }: Cursor): Batch {
  return {
    ...{ type: 'batch', stream, epoch, ...(filter !== undefined && { filter }) },
    ...{ after: seq, through: seq, events: [], seqs: [] },
  }
}

/** A cursor of a reader, in either form; `undefined` if it is malformed. */
export function cursorIn(cursor: Cursor | string | null | undefined): Cursor | undefined {
  return typeof cursor === 'string' ? parseEventId(cursor) : parseCursor(cursor)
}

/** Adds events, as far as there is room. Whether all had it. */
export function addAll(page: Page, events: readonly SizedEvent[]): boolean {
  return events.every(({ event, bytes }) => page.add(event, bytes))
}
