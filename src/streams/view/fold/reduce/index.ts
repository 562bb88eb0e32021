/** Folding events into a view. */

import type { UnknownEvent } from '../../../../core/decode-result.ts'
import { requireEnvelope } from '../../../../core/require.ts'
import type { ContextAnyEvent, EventKind } from '../../../../events/event.ts'
import type { ExternalEvent } from '../../../../events/events.generated.ts'
import { isTerminalStatus } from '../../../../events/task-status.ts'
import { lastTimestamp } from '../../../delta.ts'
import type { Reducers, ViewBuilder } from '../view-builder.ts'
import { artifactReducers } from './artifact.ts'
import { customReducers } from './custom.ts'
import { requestReducers } from './request.ts'
import { attachToParent, taskReducers } from './task.ts'
import { textReducers } from './text.ts'
import { thoughtReducers } from './thought.ts'
import { toolReducers } from './tool.ts'

type Reducer = (builder: ViewBuilder, event: ContextAnyEvent) => void

/** How each kind changes a view. Internal events do not. */
export const reducers: Reducers<ExternalEvent['kind']> = {
  ...taskReducers,
  ...textReducers,
  ...thoughtReducers,
  ...toolReducers,
  ...requestReducers,
  ...artifactReducers,
  ...customReducers,
}

/** The kinds that add or change what a task shows, and ask for something: a task that has ended does neither. */
const WITHIN_TASK: ReadonlySet<string> = new Set<EventKind>([
  'content-delta',
  'content-replace',
  'content-complete',
  'iteration-reset',
  'thought-delta',
  'thought-stream',
  'tool-arguments-delta',
  'tool-start',
  'tool-progress',
  'tool-complete',
  'input-required',
  'auth-required',
])

/** The id of the item of an event, for a diagnostic. */
function idOf(event: object): { id?: string } {
  const { contentId, thoughtId, toolCallId, inputId, authId } = event as Readonly<Record<string, string>>
  const id = contentId ?? thoughtId ?? toolCallId ?? inputId ?? authId
  return id === undefined ? {} : { id }
}

/** Changes a view by an event. Internal events and events of unknown kinds change nothing. A draft is misuse. */
export function reduceEvent(builder: ViewBuilder, event: ContextAnyEvent | UnknownEvent): void {
  requireEnvelope(event)
  const { kind } = event
  const reduce = Object.hasOwn(reducers, kind)
    ? (reducers as Readonly<Record<string, Reducer | null>>)[kind]
    : undefined
  if (!reduce) return
  const known = event as ContextAnyEvent
  builder.begin(known)
  const { parentTaskId, path } = known
  const { task } = builder
  if (path !== undefined && task.task.path === undefined) task.fields.path = path
  if (parentTaskId !== undefined && task.task.parentTaskId === null) attachToParent(task, parentTaskId)
  if (isTerminalStatus(task.task.status) && WITHIN_TASK.has(kind)) {
    builder.diagnostic('after-end', `${kind} after the end of the task.`, idOf(known))
  } else reduce(builder, known)
  task.fields.updatedAt = lastTimestamp(known)
}
