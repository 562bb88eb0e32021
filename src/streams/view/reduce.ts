/** Folding events into a view. */

import type { UnknownEvent } from '../../core/decode-result.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { ExternalEvent } from '../../events/events.generated.ts'
import { lastTimestamp } from '../delta.ts'
import { artifactReducers } from './reduce-artifact.ts'
import { customReducers } from './reduce-custom.ts'
import { requestReducers } from './reduce-request.ts'
import { attachToParent, taskReducers } from './reduce-task.ts'
import { textReducers } from './reduce-text.ts'
import { toolReducers } from './reduce-tool.ts'
import type { View } from './view.ts'
import { type Reducers, ViewBuilder } from './view-builder.ts'

/**
 * Updates a view with one event. Pure: returns a new view, which shares what has not changed with the old
 * one. The cost of a delta does not grow with the view.
 *
 * Never throws on decoded events. Tasks are independent: how their events interleave has no effect on the
 * tasks. A stream that is joined late gives a view of the events seen. Internal events and events of unknown
 * kinds leave the view unchanged. Faults of events are in `diagnostics`.
 *
 * Text that was cut off stays open until {@link closeDangling} ends it. Repeated deltas are ignored. A new
 * version of an artifact replaces the current one only when its last chunk has arrived.
 *
 * @param event - An event as {@link decodeEvent} returns it.
 *
 * @example
 * ```ts
 * let view = emptyView
 * for await (const event of readEvents(response)) view = foldEvent(view, event)
 * ```
 */
export function foldEvent(view: View, event: ContextAnyEvent | UnknownEvent): View {
  const { kind } = event
  const reduce = Object.hasOwn(reducers, kind)
    ? (reducers as Readonly<Record<string, Reducer | null>>)[kind]
    : undefined
  if (!reduce) return view
  const known = event as ContextAnyEvent
  const builder = new ViewBuilder(view, known)
  const { parentTaskId, path } = known
  const { task } = builder
  if (path !== undefined && task.creation.path === undefined) {
    builder.task = { ...builder.task, creation: { ...task.creation, path } }
  }
  if (parentTaskId !== undefined && task.parentTaskId === null) {
    attachToParent(builder, parentTaskId, task.taskId)
  }
  reduce(builder, known)
  return builder.done(lastTimestamp(known))
}

type Reducer = (builder: ViewBuilder, event: ContextAnyEvent) => void

/** How each kind changes a view. Internal events do not. */
export const reducers: Reducers<ExternalEvent['kind']> = {
  ...taskReducers,
  ...textReducers,
  ...toolReducers,
  ...requestReducers,
  ...artifactReducers,
  ...customReducers,
}
