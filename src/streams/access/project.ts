/**
 * Projection: what one viewer may see of an event. Apply it to each event read from the log before anything
 * else, so that batches, snapshots and exports contain nothing hidden.
 */
import { projectionOf } from './projection.ts'
import { requireViewer } from './require-viewer.ts'
import type { Viewer } from './viewer.ts'

/**
 * Returns an event as a viewer may see it, or `undefined` if it is hidden. Never throws on an event.
 *
 * Returns the event itself if nothing is removed, otherwise a copy. The result is a valid event: a required
 * field is emptied instead of removed, and an event for which that is not possible is hidden. Projecting the
 * result again changes nothing.
 *
 * {@link audienceOf} determines who sees the event; it belongs to a subtask if it has a `parentTaskId`. A
 * `thought-delta` is shown to viewers that see its thought, by the `thoughtType` and the `verbosity` it states; one
 * that states no verbosity is shown like a detailed thought.
 *
 * `metadata.audience` narrows the audiences of one event. Set it on every event of an item: an unlabelled delta is shown
 * whatever the label of the whole text, and the other way round.
 *
 * For many events, {@link readFilter} and {@link createRouter} check the viewer once.
 *
 * @throws TypeError if the viewer has an unknown audience, an invalid field or an unknown one.
 *
 * @see docs/spec/internal-event-protocol.md#internal-and-external-events
 */
export function project<E extends { readonly kind: string }>(event: E, viewer: Viewer): E | undefined {
  requireViewer('viewer', viewer)
  return projectionOf(viewer)(event)
}
