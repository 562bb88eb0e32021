import type { ContextAnyEvent } from 'turnstream'
import { createViewStore, project, snapshotEvents, type Viewer } from 'turnstream/streams'

/** Keeps the state of a stream, and gives it to each late joiner as the events that the joiner may see. */
export function createSnapshots(): {
  push(events: readonly ContextAnyEvent[]): void
  eventsFor(viewer: Viewer): ContextAnyEvent[]
} {
  const store = createViewStore()
  return {
    push: (events) => store.push(events),
    eventsFor: (viewer) =>
      snapshotEvents(store.getSnapshot()).flatMap((event) => project(event, viewer) ?? []),
  }
}
