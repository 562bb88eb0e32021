/** Snapshots of a log that keeps all events: what readers get whose cursor it cannot continue. */
import { cursorAfter } from '../streams/log/batch.ts'
import type { EventLog, Snapshot } from '../streams/log/event-log.ts'
import { defaultLimits } from '../streams/log/memory/log-state.ts'
import type { ReadFilter } from '../streams/log/read-filter.ts'
import { boundedView } from '../streams/view/bounded-view.ts'
import { foldEvents } from '../streams/view/fold/fold.ts'
import { forget } from '../streams/view/forget.ts'
import { snapshotEvents } from '../streams/view/snapshot/snapshot-events.ts'
import { visibleEvents } from '../streams/view/snapshot/visible-events.ts'
import { emptyView } from '../streams/view/view.ts'

/** How many bytes of events are folded at a time. */
const PAGE_BYTES = 2 ** 20

/** Folds the events. Those who ask at the same time share the result. */
export function snapshotOf(read: EventLog['read']): NonNullable<EventLog['snapshot']> {
  let folding: Promise<Snapshot | undefined> | undefined

  async function fold(): Promise<Snapshot | undefined> {
    let view = emptyView
    for (let part = await read(undefined, { maxBytes: PAGE_BYTES }); ; ) {
      // Its first events were deleted.
      if (part.type === 'reset') return undefined
      view = foldEvents(view, part.events)
      if (part.closed === true || part.through === part.after) {
        const bounded = boundedView(view, defaultLimits.maxBytes)
        const forgotten = forget(undefined, bounded.cut)
        const { epoch, through } = part
        return { epoch, through, events: snapshotEvents(bounded.view), ...(forgotten && { forgotten }) }
      }
      part = await read(cursorAfter(part), { maxBytes: PAGE_BYTES })
    }
  }

  return async (filter?: ReadFilter) => {
    folding ??= fold().finally(() => {
      folding = undefined
    })
    const found = await folding
    if (found === undefined || filter === undefined) return found
    return { ...found, events: visibleEvents(found.events, filter) }
  }
}
