/** What one reader gets of a snapshot. */
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Audience } from '../../access/audience.ts'
import type { Forgotten } from '../../forgotten.ts'
import { foldEvents } from '../fold/fold.ts'
import { emptyView, type View } from '../view.ts'
import { type AudienceView, viewFor } from './audience-views.ts'
import { type HistoryPage, newestTasks } from './history-page.ts'
import { exactEvents, snapshotEvents } from './snapshot-events.ts'

/** The filter of a reader. */
interface Filter {
  readonly audience?: Audience
  apply(event: ContextAnyEvent): ContextAnyEvent | undefined
}

/**
 * The snapshot that a reader gets of the views of a stream. The events are those that it sees, as if the stream had no others: a
 * text that something hidden interrupts is one text. Without a filter, they are all, with labels by which they can be projected.
 *
 * @param maxBytes - Their size at most. Omitted: no limit.
 */
export function snapshotOf(
  views: readonly AudienceView[],
  filter: Filter | undefined,
  maxBytes: number | undefined,
): HistoryPage & { readonly forgotten?: Forgotten } {
  const { view, forgotten } = viewFor(views, filter?.audience ?? 'operator')
  const page =
    filter === undefined
      ? newestTasks(view, maxBytes, snapshotEvents)
      : newestTasks(visibleView(view, filter), maxBytes)
  return { ...page, ...(forgotten && { forgotten }) }
}

/** What a reader sees of a view. */
function visibleView(view: View, filter: Filter): View {
  const events = filter.audience === undefined ? snapshotEvents(view) : exactEvents(view)
  return foldEvents(
    emptyView,
    events.flatMap((event) => filter.apply(event) ?? []),
  )
}
