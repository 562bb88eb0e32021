/** Maps the core vocabulary to the session protocol. */

import { boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { optional, requireOnly, requireText } from '../../../core/require.ts'
import { noMark } from '../../../encoding/text-mark.ts'
import type { IterationResetEvent } from '../../../events/content.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { TaskStatusEvent } from '../../../events/task.ts'
import type { ToolProgressEvent } from '../../../events/tool.ts'
import { defaultViewer, type Viewer } from '../../../streams/access/viewer.ts'
import { dropAskedAgain } from '../../engine/asked.ts'
import { dropAfterEnd, dropOfOtherTask, dropOfSubtask, dropRepeated } from '../../engine/drop.ts'
import { calledItem, closeItems, endCall, takeItems } from '../../engine/end-items.ts'
import { setItem } from '../../engine/item.ts'
import { writeItem } from '../../engine/write-item.ts'
import { guarded } from '../../shared/guarded.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import { oneIdSpace } from '../../shared/wire-ids.ts'
import type { SessionServerEvent } from '../wire/event.ts'
import { fieldsOf, formats, templateOf } from './item-formats.ts'
import { SessionWriter } from './session-writer.ts'
import { initialState, type ToSessionState } from './state.ts'
import { endTemplate } from './templates.ts'

/** Options of {@link toSessionEvents}. */
export interface ToSessionOptions {
  /** The session. Defaults to the `contextId` of the events. */
  readonly sessionId?: string
  /**
   * The connection. Given: the stream is that of a whole connection, with `system.connected` before its first event and
   * `agent.session_created` before the first event of each session. Omitted: the server sends these itself. Not empty.
   */
  readonly connectionId?: string
  /**
   * Who receives the session events: what this viewer may not see is left out.
   *
   * @defaultValue `{ audience: 'user' }`
   */
  readonly viewer?: Viewer
}

/**
 * Maps core events to the events a server of the session protocol sends. A task maps to one round with a
 * plan of one task: itself.
 *
 * - Fields without an equivalent are preserved in `metadata.core`, from which `fromSessionEvents`
 *   restores them. Required numbers and names that the core vocabulary lacks are `0` and `''`.
 * - Deltas map to `agent.partial_answer`; what a complete text has more than its deltas is sent as one of them. A text that is
 *   replaced or begins again follows as another one.
 * - A complete text segment maps to `agent.llm_message`; the result of the task to `agent.final_answer`, after all
 *   other texts if they were sent in parts.
 * - `task-status: completed` and `task-complete` map to one end of the round. The first of them is held
 *   back until the next event or the end.
 *
 * Diagnostics:
 *
 * - `dropped:<kind>`: the event was dropped; `detail.reason` is `no-equivalent`, `unknown-kind`, `audience` for an
 *   event that the viewer may not see, `other-task` for an event of another task than the open one (a session runs
 *   one task at a time, without subtasks), `repeated` for what was sent before, `after-end`, or `not-started` for the
 *   progress or the result of a call that has not started
 * - `lossy:content`: a text is not that of its deltas, or is replaced: readers keep those, see {@link sessionLosses}
 * - `lossy:progress`: the progress of a call goes back: it stays where it was
 * - `gap`: deltas of a text are missing: what follows is sent with the whole; or a call has no result when its task completes
 * - `inferred:task-created`: a task does not start with `task-created`
 * - `invalid-event`: the event was dropped; `detail` lists its issues
 * - `state-evicted`: more than 1024 open items
 *
 * See {@link sessionCoverage} for the kinds without an equivalent.
 *
 * @throws TypeError if `sessionId` or `connectionId` is not a non-empty string, or `viewer` is invalid.
 */
export function toSessionEvents(
  options: ToSessionOptions = {},
): Machine<MachineState<'toSessionEvents'>, ContextAnyEvent, SessionServerEvent> {
  requireOnly('options', options, ['sessionId', 'connectionId', 'viewer'])
  const { sessionId, connectionId, viewer = defaultViewer } = options
  optional(requireText, 'sessionId', sessionId)
  optional(requireText, 'connectionId', connectionId)
  const machine: Machine<ToSessionState, ContextAnyEvent, SessionServerEvent> = {
    initial: initialState,
    step(state, event) {
      const { held } = state
      const writer = new SessionWriter(state, held ?? event, options)
      if (held?.taskId === event.taskId && held.kind !== event.kind && isCompletion(event)) {
        complete(writer, held, event)
      } else {
        if (held !== null) complete(writer, held)
        writer.source = event
        mapEvent(writer, event)
      }
      return writer.done()
    },
    end(state) {
      const { held } = state
      if (held === null) return { state, out: [] }
      const writer = new SessionWriter(state, held, options)
      complete(writer, held)
      return writer.done()
    },
  }
  return opaque(guarded(viewer, oneIdSpace(machine, isOfOther)))
}

/** Ends the round of a task that has completed, and what is open of it. */
function complete(writer: SessionWriter, ...ending: readonly ContextAnyEvent[]): void {
  closeItems(writer, formats, writer.source.taskId, 'success')
  writer.completeRound(...ending)
}

/** Whether an event completes its task. */
function isCompletion(event: ContextAnyEvent): boolean {
  return event.kind === 'task-complete' || (event.kind === 'task-status' && event.status === 'completed')
}

function mapEvent(writer: SessionWriter, event: ContextAnyEvent): void {
  const { kind } = event
  if (dropOutOfPlace(writer, event)) return
  if (event.kind === 'task-created') {
    const { input, model = '' } = event.metadata ?? {}
    writer.startRound(event.taskId, input, model, fieldsOf(event))
  } else if (writer.omits(kind)) {
    writer.noEquivalent(event)
    if (event.kind === 'iteration-reset') restart(writer, event)
  } else {
    if (writer.state.taskId === null) {
      writer.inferred('task-created', `Expected task-created, got ${kind}.`)
      writer.startRound(event.taskId, '', '', {})
    }
    mapOwn(writer, event)
  }
}

/** Maps an event of the open task. */
function mapOwn(writer: SessionWriter, event: ContextAnyEvent): void {
  switch (event.kind) {
    case 'task-status':
      if (isCompletion(event)) writer.state.held = event
      else mapStatus(writer, event)
      break
    case 'task-complete':
      writer.state.held = event
      break
    case 'content-delta':
    case 'content-complete':
    case 'content-replace':
    case 'thought-stream':
    case 'tool-start':
      writeItem(writer, formats, event)
      break
    case 'input-required':
      if (!dropAskedAgain(writer, event)) writer.send(templateOf(event))
      break
    case 'tool-progress':
    case 'tool-complete': {
      const call = calledItem(writer, formats, event)
      if (call === undefined) return
      if (event.kind === 'tool-complete') endCall(writer, formats, call, event.timestamp)
      writer.send(templateOf(event.kind === 'tool-progress' ? forward(writer, event) : event))
      break
    }
    case 'task-error':
      writer.sendError(templateOf(event))
      break
    default:
      writer.send(templateOf(event))
  }
}

/** The progress of a call, which never goes back: what comes late, or states none, is as far as the one before. */
function forward(writer: SessionWriter, event: ContextEvent<ToolProgressEvent>): ContextAnyEvent {
  const { state } = writer
  const { toolCallId, progress: stated } = event
  const progress = Math.max(stated, boundedGet(state.progress, toolCallId) ?? 0)
  if (progress > stated) writer.lossy('progress', `Expected a progress of ${progress} or more.`, stated)
  state.progress = boundedSet(state.progress, toolCallId, progress, MAX_ITEMS).map
  return { ...event, progress }
}

/** Texts of a discarded model response begin again, as others for readers. */
function restart(writer: SessionWriter, event: ContextEvent<IterationResetEvent>): void {
  for (const item of takeItems(writer, event.taskId, event.iteration)) {
    if (item.type !== 'text') continue
    const id = item.length === 0 ? item.id : `${item.key}-${writer.state.chunks}`
    const begun = { phase: 'new', next: 0, isWaiting: false, waiting: 0, ...noMark } as const
    setItem(writer, { ...item, ...begun, id })
  }
}

/** Whether an event is of a subtask, or of another task than that of the open round. */
function isOfOther({ taskId }: ToSessionState, event: ContextAnyEvent): boolean {
  return event.parentTaskId !== undefined || (taskId !== null && event.taskId !== taskId)
}

/** Drops an event that does not belong to the open task, or to a new one. Returns whether it did. */
function dropOutOfPlace(writer: SessionWriter, event: ContextAnyEvent): boolean {
  const { taskId, ended } = writer.state
  const { kind } = event
  if (isOfOther(writer.state, event)) {
    if (!dropOfOtherTask(writer, taskId, event)) dropOfSubtask(writer, event)
  } else if (taskId === null) {
    if (boundedGet(ended, event.taskId) !== undefined) dropAfterEnd(writer, event)
  } else if (kind === 'task-created') dropRepeated(writer, kind, taskId)
  return writer.isDropped
}

/** The reasons of `solver.cancelled`. */
const cancelReasons = ['user_request', 'dependency_failed', 'timeout', 'resource_limit'] as const

function mapStatus(writer: SessionWriter, event: ContextEvent<TaskStatusEvent>): void {
  const { status, message } = event
  if (status === 'working' && !writer.state.isSolving) writer.startSolving(fieldsOf(event))
  else if (status === 'failed') {
    closeItems(writer, formats, event.taskId, 'failure')
    writer.endRound(endTemplate('failed', message ?? event.error?.message ?? '', 0), event)
  } else if (status === 'canceled') {
    closeItems(writer, formats, event.taskId, 'failure')
    const reason = cancelReasons.find((reason) => reason === event.metadata?.reason) ?? 'user_request'
    const metadata = { task_id: event.taskId, reason, execution_time_ms: 0 }
    writer.endRound({ event: 'solver.cancelled', content: message ?? null, metadata }, event)
  } else {
    writer.noEquivalent(event, `status ${status}`)
  }
}
