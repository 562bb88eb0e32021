/** What one reader gets of a snapshot. */
import type { ContextAnyEvent } from '../../../events/event.ts'
import { foldEvents } from '../fold/fold.ts'
import { emptyView } from '../view.ts'
import { snapshotEvents } from './snapshot-events.ts'

/**
 * The events of a snapshot that a reader sees, as if the stream had no others: a text that something hidden interrupts is
 * one text.
 */
export function visibleEvents(
  events: readonly ContextAnyEvent[],
  { apply }: { apply(event: ContextAnyEvent): ContextAnyEvent | undefined },
): ContextAnyEvent[] {
  return snapshotEvents(
    foldEvents(
      emptyView,
      events.flatMap((event) => apply(event) ?? []),
    ),
  )
}
