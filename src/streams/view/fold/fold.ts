/** Folding: a view and events give the next view. */

import type { UnknownEvent } from '../../../core/decode-result.ts'
import { requireIterable } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { requireView } from '../require-view.ts'
import type { View } from '../view.ts'
import { complete } from './complete.ts'
import { reduceEvent } from './reduce/index.ts'
import { ViewBuilder } from './view-builder.ts'

/**
 * Updates a view with one event. Pure: returns a new view, which shares what has not changed with the old one. The
 * lists that change are copied, so use {@link foldEvents} for several events, and {@link createViewStore} for views
 * that keep growing.
 *
 * Never throws on decoded events. Tasks are independent: how their events interleave has no effect on the
 * tasks. A stream that is joined late gives a view of the events seen. Internal events and events of unknown
 * kinds leave the view unchanged. Faults of events are in `diagnostics`.
 *
 * Text that was cut off stays open until {@link closeDangling} ends it. Repeated deltas are ignored. A new
 * version of an artifact replaces the current one only when its last chunk has arrived.
 *
 * @param event - An event as {@link decodeEvent} returns it.
 * @throws TypeError if `view` is not a view, or the event a draft: without `kind`, `contextId`, `taskId` or `timestamp`.
 *
 * @example
 * ```ts
 * let view = emptyView
 * for await (const event of readEvents(response)) view = foldEvent(view, event)
 * ```
 */
export function foldEvent(view: View, event: ContextAnyEvent | UnknownEvent): View {
  requireView(view)
  const builder = new ViewBuilder(view, complete, true)
  reduceEvent(builder, event)
  return builder.snapshot()
}

/**
 * Updates a view with several events. The result is that of {@link foldEvent} for one after the other, but each list
 * is copied at most once.
 *
 * @param events - Events as {@link decodeEvent} returns them.
 * @throws TypeError if `view` is not a view, `events` is not iterable, or one of them is a draft.
 *
 * @example
 * ```ts
 * const view = foldEvents(emptyView, events)
 * ```
 */
export function foldEvents(view: View, events: Iterable<ContextAnyEvent | UnknownEvent>): View {
  requireView(view)
  requireIterable('events', events)
  const builder = new ViewBuilder(view, complete)
  for (const event of events) reduceEvent(builder, event)
  return builder.snapshot()
}
