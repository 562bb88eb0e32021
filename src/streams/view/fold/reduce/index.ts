/** Folding events into a view. */

import type { UnknownEvent } from '../../../../core/decode-result.ts'
import { requireEnvelope } from '../../../../core/require.ts'
import type { ContextAnyEvent } from '../../../../events/event.ts'
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

/** The kinds that a task writes or asks with: one that has ended does neither. */
const WITHIN_TASK = /^(content|thought|tool|iteration)-|-required$/

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
  if (isTerminalStatus(task.task.status) && WITHIN_TASK.test(kind)) {
    builder.diagnostic('after-end', `${kind} after the end of the task.`)
  } else reduce(builder, known)
  task.fields.updatedAt = lastTimestamp(known)
}
