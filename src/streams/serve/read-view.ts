/** The view of a log. */

import { cursorAfter, isEmptyBatch } from '../log/batch.ts'
import type { Cursor } from '../log/cursor.ts'
import type { EventLog } from '../log/event-log.ts'
import type { ReadFilter } from '../log/read-filter.ts'
import { withSnapshot } from '../log/reset-snapshot.ts'
import { createViewStore } from '../view/fold/view-store.ts'
import { emptyView, type View } from '../view/view.ts'

/** Reads a log to its present end and folds what a filter shows: everything without one. */
export async function readView(log: EventLog, filter?: ReadFilter): Promise<View> {
  let store = createViewStore(emptyView)
  let at: Cursor | undefined
  for (;;) {
    const read = await log.read(at, filter && { filter })
    const part = read.type === 'reset' ? await withSnapshot(read, log, filter) : read
    if (part.type === 'reset') store = createViewStore(emptyView)
    store.push(part.events ?? [])
    if (part.type === 'batch' && (isEmptyBatch(part) || part.closed === true)) return store.getSnapshot()
    at = cursorAfter(part)
  }
}
