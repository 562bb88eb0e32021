/** How the views of a stream are stored: as events, each of them once. */

import type { ContextAnyEvent } from '../events/event.ts'
import type { Forgotten } from '../streams/forgotten.ts'
import { foldEvents } from '../streams/view/fold/fold.ts'
import { type AudienceView, emptyViews } from '../streams/view/snapshot/audience-views.ts'
import { exactEvents } from '../streams/view/snapshot/snapshot-events.ts'
import { emptyView } from '../streams/view/view.ts'

/** One view. */
interface StoredView {
  /** Omitted: all. */
  readonly audiences?: AudienceView['audiences']
  /** Its events. A number stands for the event at this position among those of the first view. */
  readonly events: readonly (ContextAnyEvent | number)[]
  readonly forgotten?: Forgotten
}

/** What is stored. Of a stream that is the same for all audiences, its one view. */
type Stored = StoredView | { readonly views: readonly StoredView[] }

export function storedViews(views: readonly AudienceView[]): Stored {
  const [first, ...others] = views.map(({ audiences, view, forgotten }) => ({
    audiences,
    events: exactEvents(view),
    ...(forgotten && { forgotten }),
  }))
  if (first === undefined) return { events: [] }
  if (others.length === 0) {
    const { audiences: _, ...all } = first
    return all
  }
  const positions = new Map(first.events.map((event, i) => [JSON.stringify(event), i]))
  const packed = others.map((one) => ({
    ...one,
    events: one.events.map((event) => positions.get(JSON.stringify(event)) ?? event),
  }))
  return { views: [first, ...packed] }
}

export function viewsIn(json: string): readonly AudienceView[] {
  const stored = JSON.parse(json) as Stored
  const views = 'views' in stored ? stored.views : [stored]
  const [first] = views
  const [{ audiences: all } = { audiences: [] }] = emptyViews
  return views.map(({ audiences = all, events, forgotten }) => {
    const unpacked = events.map((event) => (typeof event === 'number' ? first?.events[event] : event))
    const view = foldEvents(emptyView, unpacked as readonly ContextAnyEvent[])
    return { audiences, view, ...(forgotten && { forgotten }) }
  })
}
