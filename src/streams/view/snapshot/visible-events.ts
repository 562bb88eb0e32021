/** What one reader gets of a snapshot. */
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Audience } from '../../access/audience.ts'
import type { Forgotten } from '../../forgotten.ts'
import { foldEvents } from '../fold/fold.ts'
import { emptyView } from '../view.ts'
import { type AudienceView, viewFor } from './audience-views.ts'
import { exactEvents, snapshotEvents } from './snapshot-events.ts'

/** The filter of a reader. */
interface Filter {
  readonly audience?: Audience
  apply(event: ContextAnyEvent): ContextAnyEvent | undefined
}

/**
 * The snapshot that a reader gets of the views of a stream. The events are those that it sees, as if the stream had no others: a
 * text that something hidden interrupts is one text. Without a filter, they are all, with labels by which they can be projected.
 */
export function snapshotOf(
  views: readonly AudienceView[],
  filter: Filter | undefined,
): { readonly events: ContextAnyEvent[]; readonly forgotten?: Forgotten } {
  const { view, forgotten } = viewFor(views, filter?.audience ?? 'operator')
  const events = filter?.audience === undefined ? snapshotEvents(view) : exactEvents(view)
  return {
    events: filter === undefined ? events : visibleEvents(events, filter),
    ...(forgotten && { forgotten }),
  }
}

/** The events of a snapshot that a reader sees, as if the stream had no others. */
function visibleEvents(events: readonly ContextAnyEvent[], filter: Filter): ContextAnyEvent[] {
  return exactEvents(
    foldEvents(
      emptyView,
      events.flatMap((event) => filter.apply(event) ?? []),
    ),
  )
}
