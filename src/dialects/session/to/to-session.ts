/** Maps the core vocabulary to the session protocol. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { optional, requireOnly, requireText } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { defaultViewer, type Viewer } from '../../../streams/access/viewer.ts'
import { guarded } from '../../shared/guarded.ts'
import { trackCalls } from '../../shared/tracked-calls.ts'
import { oneIdSpace } from '../../shared/wire-ids.ts'
import type { SessionServerEvent } from '../wire/event.ts'
import { placed, SessionWriter, withoutContext } from './session-writer.ts'
import { initialState, type ToSessionState } from './state.ts'
import { type EventFields, endTemplate, type Template, templates } from './templates.ts'

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
 *   end of a call whose arguments were cut off
 * - `gap`: deltas of a text are missing
 * - `inferred:task-created`: a task does not start with `task-created`
 * - `invalid-event`: the event was dropped; `detail` lists its issues
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
        writer.completeRound(held, event)
      } else {
        if (held !== null) writer.completeRound(held)
        writer.source = event
        mapEvent(writer, event)
      }
      return writer.done()
    },
    end(state) {
      const { held } = state
      if (held === null) return { state, out: [] }
      const writer = new SessionWriter(state, held, options)
      writer.completeRound(held)
      return writer.done()
    },
  }
  return opaque(guarded(viewer, oneIdSpace(machine, isOfOther)))
}

/** Whether an event completes its task. */
function isCompletion(event: ContextAnyEvent): boolean {
  return event.kind === 'task-complete' || (event.kind === 'task-status' && event.status === 'completed')
}

/** Kinds mapped here, as they depend on other events. */
const STATEFUL = /^(task-(status|complete)|content-delta)$/

function mapEvent(writer: SessionWriter, event: ContextAnyEvent): void {
  const { taskId } = writer.state
  const { timestamp: _, ...fields } = withoutContext(event)
  const { kind } = event
  if (dropOutOfPlace(writer, event)) return
  if (event.kind === 'task-created') {
    const { input, model = '' } = event.metadata ?? {}
    writer.startRound(event.taskId, input, model, fields)
    return
  }
  if (trackCalls(writer, event)) return
  const template = templates[kind] as ((event: object) => Template) | undefined
  if (template === undefined && !STATEFUL.test(kind)) {
    writer.dropped(kind, 'no-equivalent', `Sessions have no equivalent for ${kind}.`)
    return
  }
  if (taskId === null) {
    writer.inferred('task-created', `Expected task-created, got ${kind}.`)
    writer.startRound(event.taskId, '', '', {})
  }
  if (isCompletion(event)) writer.update({ held: event })
  else if (event.kind === 'task-status') mapStatus(writer, event, fields)
  else if (event.kind === 'content-delta') {
    writer.sendDelta(fields as EventFields<typeof event>)
  } else if (template !== undefined) {
    if (event.kind === 'content-complete') writer.completeText(event)
    if (event.kind === 'task-error') writer.sendError(template(fields))
    else if (event.kind === 'thought-stream') {
      writer.send(template(placed(fields as EventFields<typeof event>, writer.state.nextThought)))
      writer.update({ nextThought: event.index + 1 })
    } else writer.send(template(fields))
  }
}

/** Whether an event is of a subtask, or of another task than that of the open round. */
function isOfOther({ taskId }: ToSessionState, event: ContextAnyEvent): boolean {
  return event.parentTaskId !== undefined || (taskId !== null && event.taskId !== taskId)
}

/** Drops an event that does not belong to the open task, or to a new one. Returns whether it did. */
function dropOutOfPlace(writer: SessionWriter, event: ContextAnyEvent): boolean {
  const { taskId, endedTaskId } = writer.state
  const { kind } = event
  const isOpen = taskId !== null
  const isOther = isOfOther(writer.state, event)
  if (!isOther && (isOpen ? kind !== 'task-created' : event.taskId !== endedTaskId)) return false
  const reason = isOther ? 'other-task' : isOpen ? 'repeated' : 'after-end'
  writer.dropped(kind, reason, `Expected an event of the open task, got ${kind}.`)
  return true
}

/** The reasons of `solver.cancelled`. */
const cancelReasons = ['user_request', 'dependency_failed', 'timeout', 'resource_limit'] as const

function mapStatus(
  writer: SessionWriter,
  event: ContextAnyEvent & { kind: 'task-status' },
  fields: object,
): void {
  const { status, message } = event
  if (status === 'working' && !writer.state.isSolving) writer.startSolving(fields)
  else if (status === 'failed') {
    writer.endRound(endTemplate('failed', message ?? event.error?.message ?? '', 0), event)
  } else if (status === 'canceled') {
    const reason = cancelReasons.find((reason) => reason === event.metadata?.reason) ?? 'user_request'
    const metadata = { task_id: event.taskId, reason, execution_time_ms: 0 }
    writer.endRound({ event: 'solver.cancelled', content: message ?? null, metadata }, event)
  } else {
    writer.dropped(event.kind, 'no-equivalent', `Sessions have no equivalent for ${status}.`)
  }
}
