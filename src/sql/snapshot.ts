/** Snapshots of a log that keeps all events: what readers get whose cursor it cannot continue. */
import { cursorAfter } from '../streams/log/batch.ts'
import type { EventLog, Snapshot } from '../streams/log/event-log.ts'
import { defaultLimits } from '../streams/log/memory/log-state.ts'
import type { ReadFilter } from '../streams/log/read-filter.ts'
import { boundedView } from '../streams/view/bounded-view.ts'
import { foldEvents } from '../streams/view/fold/fold.ts'
import { forget } from '../streams/view/forget.ts'
import { newestTasks } from '../streams/view/snapshot/history-page.ts'
import { exactEvents, snapshotEvents } from '../streams/view/snapshot/snapshot-events.ts'
import { emptyView, type View } from '../streams/view/view.ts'

/** How many bytes of events are folded at a time. */
const PAGE_BYTES = 2 ** 20

/** What a reader sees of the events up to one. */
interface Folded extends Pick<Snapshot, 'epoch' | 'through' | 'forgotten'> {
  readonly view: View
}

/** Folds the events that a reader sees. Those who see the same and ask at the same time share the result. */
export function snapshotOf(read: EventLog['read']): NonNullable<EventLog['snapshot']> {
  const folding = new Map<string | undefined, Promise<Folded | undefined>>()

  async function fold(filter: ReadFilter | undefined): Promise<Folded | undefined> {
    const options = { maxBytes: PAGE_BYTES, ...(filter && { filter }) }
    let view = emptyView
    for (let part = await read(undefined, options); ; ) {
      // Its first events were deleted.
      if (part.type === 'reset') return undefined
      view = foldEvents(view, part.events)
      if (part.closed === true || part.through === part.after) {
        const bounded = boundedView(view, defaultLimits.maxBytes)
        const forgotten = forget(undefined, bounded.cut)
        const { epoch, through } = part
        return { epoch, through, view: bounded.view, ...(forgotten && { forgotten }) }
      }
      part = await read(cursorAfter(part), options)
    }
  }

  return async (filter, { maxBytes } = {}) => {
    const key = filter?.id
    const folded = folding.get(key) ?? fold(filter).finally(() => folding.delete(key))
    folding.set(key, folded)
    const found = await folded
    if (found === undefined) return undefined
    const { view, ...rest } = found
    return { ...rest, ...newestTasks(view, maxBytes, filter === undefined ? snapshotEvents : exactEvents) }
  }
}
