import type { ContextAnyEvent } from 'turnstream'
import {
  createViewStore,
  emptyView,
  foldEvents,
  project,
  snapshotEvents,
  type Viewer,
} from 'turnstream/streams'

/** Keeps the state of a stream, and gives it to each late joiner as the events that the joiner may see. */
export function createSnapshots(): {
  push(events: readonly ContextAnyEvent[]): void
  eventsFor(viewer: Viewer): ContextAnyEvent[]
} {
  const store = createViewStore()
  return {
    push: (events) => store.push(events),
    eventsFor(viewer) {
      const seen = snapshotEvents(store.getSnapshot()).flatMap((event) => project(event, viewer) ?? [])
      // A text that something hidden interrupted is one event again.
      return snapshotEvents(foldEvents(emptyView, seen))
    },
  }
}
