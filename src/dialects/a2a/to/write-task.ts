/** Writing tasks: how they start, change their status and end. */

import { boundedValues } from '../../../core/bounded-map/bounded-map.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { TaskCompleteEvent, TaskCreatedEvent, TaskStatusEvent } from '../../../events/task.ts'
import { isTerminalStatus, type TaskStatus } from '../../../events/task-status.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { dropRepeated } from '../../engine/drop.ts'
import { writeWhole } from '../../engine/write-item.ts'
import { DEFAULT_AUTH_PROMPT, type Message, type Part, type State, type Status } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import type { ArtifactRecord } from './artifact-record.ts'
import { reportUnwritten } from './write-artifact.ts'
import { closeTexts, formats, textRecords } from './write-text.ts'

/** The A2A state of each task status. */
const a2aStates: Readonly<Record<TaskStatus, State>> = {
  submitted: 'submitted',
  working: 'working',
  'waiting-input': 'input-required',
  'waiting-auth': 'auth-required',
  // A2A has no state for waiting for another task.
  'waiting-subtask': 'working',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
}

export function writeTaskCreated(writer: A2aWriter, event: ContextEvent<TaskCreatedEvent>): void {
  if (writer.state.phase === 'new') writer.createTask(event, writer.cleanMetadata(event.metadata))
  else dropRepeated(writer, event.kind, event.taskId)
  if (event.initiator === 'user') writer.kept.push('initiator')
}

export function writeTaskStatus(writer: A2aWriter, event: ContextEvent<TaskStatusEvent>): void {
  const { status: before, eventStatus } = writer.state
  const state = stateOf(event)
  if (!writer.hasExtension && isRepetition(writer, event, state)) {
    // What began or continued the task has stated it as well.
    if (eventStatus !== null)
      writer.dropped(event.kind, 'repeated', `The task is already in state ${before.state}.`)
    writer.state.eventStatus = event.status
    return
  }
  if (event.error !== undefined && event.status !== 'failed') {
    writer.lossy('error', `Only a failed task has an error; the status is ${event.status}.`)
  }
  if (event.status === 'submitted' && before.state !== 'submitted') {
    writer.state.eventStatus = eventStatus ?? event.status
    writer.dropped(event.kind, 'out-of-order', `Status submitted after state ${before.state}.`)
    return
  }
  writer.state.eventStatus = event.status
  if (event.status === 'waiting-input' || event.status === 'waiting-auth') {
    writeWaiting(writer, event, state)
    return
  }
  if (event.status === 'waiting-subtask')
    writer.lossy('status', 'A2A has no state for waiting-subtask; sent as working.')
  if (event.status === 'completed' && mayPrecedeResult(writer, event)) {
    writer.ensureOpen()
    writer.state.deferredStatus = statusWith(writer, event, state)
    return
  }
  if (isTerminalStatus(event.status)) {
    writer.ensureOpen()
    endTask(writer, event.taskId, statusWith(writer, event, state))
  } else if (writer.state.phase === 'paused') writer.resume(messageOf(writer, event))
  else writer.setStatus(statusWith(writer, event, state))
}

export function writeTaskComplete(writer: A2aWriter, event: ContextEvent<TaskCompleteEvent>): void {
  writer.ensureOpen()
  const { kind: _, content = '', ...fields } = event
  const records = textRecords(writer)
  // Written only if no content was streamed; otherwise it would appear twice.
  if (content !== '' && records.length === 0)
    writeWhole(writer, formats, { ...fields, kind: 'content-complete', content })
  else if (!wasStreamed(records, content)) {
    writer.lossy('content', 'The content of task-complete differs from the streamed content.')
  }
  endTask(writer, event.taskId, writer.statusOf('completed', writer.state.deferredStatus?.message))
}

/** Whether a text is that of a segment, or of the last segments together. Of texts not stored, it is assumed. */
function wasStreamed(records: readonly ArtifactRecord[], content: string): boolean {
  const texts = records.flatMap(({ body }) => body ?? [])
  return texts.length < records.length || texts.includes(content) || texts.join('').endsWith(content)
}

/** Emits the deferred status: the event it waited for did not come. */
export function flushDeferredStatus(writer: A2aWriter): void {
  const { deferredStatus, task } = writer.state
  if (deferredStatus === null) return
  if (deferredStatus.state === 'completed') endTask(writer, task.id, deferredStatus)
  else {
    writer.state.deferredStatus = null
    writer.setStatus(deferredStatus)
  }
}

/** Ends a task, with its texts. */
export function endTask(writer: A2aWriter, taskId: string, status: Status): void {
  closeTexts(writer, taskId, status.state === 'completed')
  reportUnwritten(writer)
  writer.state.deferredStatus = null
  writer.setStatus(status)
  writer.endTask()
}

/**
 * Whether a `task-complete`, if one follows this status, may bring something to send before the task ends:
 * with the extension the event itself, otherwise the result of a task that has written nothing yet.
 */
function mayPrecedeResult({ hasExtension, state }: A2aWriter, event: TaskStatusEvent): boolean {
  if (hasExtension) return true
  if (event.message !== undefined) return false
  for (const { isWritten } of boundedValues(state.artifacts)) if (isWritten) return false
  return true
}

/** Writes a waiting status. The request it belongs to may come before or after it. */
function writeWaiting(writer: A2aWriter, event: ContextEvent<TaskStatusEvent>, state: State): void {
  const { status, phase, requests } = writer.state
  if (status.state === state || (phase === 'paused' && state === 'auth-required')) {
    // The request has stated it.
    if (status.state !== state || event.message !== undefined) writer.noEquivalent(event)
    return
  }
  const request = requests.findLast((open) => open.state === state)
  const { blockedBy } = event.metadata ?? {}
  if (
    state === 'input-required' &&
    request === undefined &&
    blockedBy !== undefined &&
    blockedBy !== 'user'
  ) {
    // This status ends the stream, so the request it waits for must be sent first.
    writer.state.deferredStatus = statusWith(writer, event, state)
    return
  }
  writer.ensureOpen()
  if (request !== undefined && event.message !== undefined) {
    writer.lossy('message', 'The message of the status is that of the request.')
  }
  const message = request?.message ?? messageOf(writer, event) ?? defaultMessage(writer, state)
  writer.setStatus(writer.statusOf(state, message))
}

function defaultMessage(writer: A2aWriter, state: State): Message | undefined {
  // A2A 1.0 requires a message in this state.
  return state === 'auth-required' ? writer.createTextMessage(DEFAULT_AUTH_PROMPT) : undefined
}

function statusWith(writer: A2aWriter, event: ContextEvent<TaskStatusEvent>, state: State): Status {
  return writer.statusOf(state, messageOf(writer, event))
}

function stateOf({ status, error }: TaskStatusEvent): State {
  return status === 'failed' && error?.code === 'refused' ? 'rejected' : a2aStates[status]
}

/** Whether the status only repeats the current one, or would replace a prompt. */
function isRepetition(writer: A2aWriter, event: ContextEvent<TaskStatusEvent>, state: State): boolean {
  const { status, eventStatus } = writer.state
  if (state !== status.state || (eventStatus ?? status.state) !== event.status) return false
  if (event.message === undefined) return true
  const [part] = status.message?.parts ?? []
  return (
    part?.type === 'text' &&
    part.text === event.message &&
    status.timestamp === writer.statusOf(state).timestamp
  )
}

/** The message of a status. A failure always has one. */
function messageOf(writer: A2aWriter, event: ContextEvent<TaskStatusEvent>): Message | undefined {
  const { status, message: text, error, metadata } = event
  const reason = typeof metadata?.reason === 'string' ? metadata.reason : undefined
  if (status === 'failed') return writer.createMessage(failureParts(text ?? reason, error))
  return writer.createTextMessage(text ?? (status === 'canceled' ? reason : undefined))
}

/** The parts of a failure message: a text for people, and the error for programs. */
export function failureParts(text: string | undefined, error: ErrorInfo | undefined): Part[] {
  const shown = text || error?.message || error?.code || 'Task failed'
  const parts: Part[] = [{ type: 'text', text: shown }]
  if (error !== undefined) parts.push({ type: 'data', data: cleanObject(error) })
  return parts
}
