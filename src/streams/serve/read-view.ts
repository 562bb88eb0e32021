/** The view of a log. */

import type { EventLog } from '../log/event-log.ts'
import type { ReadFilter } from '../log/read-filter.ts'
import { readToEnd } from '../log/read-to-end.ts'
import { createViewStore } from '../view/fold/view-store.ts'
import type { View } from '../view/view.ts'

/** Reads a log to its present end and folds what a filter shows: everything without one. */
export async function readView(log: EventLog, filter?: ReadFilter): Promise<View> {
  let store = createViewStore()
  for await (const part of readToEnd(log, undefined, filter)) {
    if (part.type === 'reset') store = createViewStore()
    store.push(part.events ?? [])
  }
  return store.getSnapshot()
}
