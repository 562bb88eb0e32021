/** Writing tasks: how they start, change their status and end. */

import { describeValue } from '../../../core/require.ts'
import { toWellFormed } from '../../../encoding/surrogates.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { TaskCompleteEvent, TaskCreatedEvent, TaskStatusEvent } from '../../../events/task.ts'
import { isTerminalStatus, type TaskStatus } from '../../../events/task-status.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { DEFAULT_AUTH_PROMPT, type Message, type Part, type State } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import type { ArtifactRecord } from './artifact-record.ts'
import { writeParts } from './write-artifact.ts'
import { closeContent, contentRecords, createContent } from './write-content.ts'

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
  if (writer.state.phase !== 'new') {
    writer.dropped(event.kind, 'repeated', `Task ${describeValue(event.taskId)} already exists.`)
    return
  }
  writer.createTask(event, writer.cleanMetadata(event.metadata), writer.extensionEvent(event))
}

export function writeTaskStatus(writer: A2aWriter, event: ContextEvent<TaskStatusEvent>): void {
  const { status: before, eventStatus } = writer.state
  const state = stateOf(event)
  if (!writer.settings.extension && isRepetition(writer, event, state)) {
    writer.dropped(event.kind, 'repeated', `The task is already in state ${before.state}.`)
    return
  }
  writer.state.eventStatus = event.status
  switch (event.status) {
    case 'submitted':
      if (before.state !== 'submitted') {
        writer.state.eventStatus = eventStatus ?? event.status
        if (writer.settings.extension) writer.emitExtensionOnly(event)
        else writer.dropped(event.kind, 'out-of-order', `Status submitted after state ${before.state}.`)
        return
      }
      break
    case 'waiting-input':
    case 'waiting-auth':
      writeWaiting(writer, event, state)
      return
    case 'waiting-subtask':
      if (!writer.settings.extension) {
        writer.lossy('status', 'A2A has no state for waiting-subtask; sent as working.')
      }
      break
    case 'completed':
      if (!mayPrecedeResult(writer, event)) break
      writer.ensureOpen(event)
      if (writer.settings.extension) {
        writer.state.heldEvents = [...writer.state.heldEvents, writer.extensionEvent(event)]
      }
      writer.state.deferredStatus = { state, ...writer.timestamp(event), ...messageOf(writer, event) }
      return
    default:
      break
  }
  if (isTerminalStatus(event.status)) {
    writer.ensureOpen(event)
    endTask(writer, event, state)
  } else if (writer.state.phase === 'paused') {
    writer.resume(event, writer.extensionEvent(event), messageOf(writer, event).message)
  } else {
    const status = { state, ...writer.timestamp(event), ...messageOf(writer, event) }
    writer.setStatus(status, writer.extensionEvent(event))
  }
}

export function writeTaskComplete(writer: A2aWriter, event: ContextEvent<TaskCompleteEvent>): void {
  writer.ensureOpen(event)
  const content = toWellFormed(event.content ?? '')
  const records = contentRecords(writer)
  if (content !== '' && !records.some(({ isWritten }) => isWritten)) {
    // Written only if no content was streamed; otherwise it would appear twice.
    const record = records.at(-1) ?? createContent(writer)
    const options = { isComplete: true, pendingSurrogate: '' }
    writeParts(writer, record, [{ type: 'text', text: content }], options)
  } else if (!writer.settings.extension && !wasStreamed(records, content)) {
    writer.lossy('content', 'The content of task-complete differs from the streamed content.')
  }
  endTask(writer, event, 'completed')
}

/** Whether a text is that of a segment, or of the last segments together. Of texts not stored, it is assumed. */
function wasStreamed(records: readonly ArtifactRecord[], content: string): boolean {
  const texts = records.flatMap(({ body }) => body ?? [])
  return texts.length < records.length || texts.includes(content) || texts.join('').endsWith(content)
}

/** Emits the deferred status: the event it waited for did not come. */
export function flushDeferredStatus(writer: A2aWriter): void {
  const { deferredStatus } = writer.state
  if (deferredStatus === undefined) return
  delete writer.state.deferredStatus
  if (deferredStatus.state === 'completed') closeContent(writer)
  writer.setStatus(deferredStatus)
  if (deferredStatus.state === 'completed') writer.endTask()
}

function endTask(
  writer: A2aWriter,
  event: ContextEvent<TaskStatusEvent | TaskCompleteEvent>,
  state: State,
): void {
  if (state === 'completed') closeContent(writer)
  const { message } =
    (event.kind === 'task-status' ? messageOf(writer, event) : writer.state.deferredStatus) ?? {}
  delete writer.state.deferredStatus
  const status = { state, ...writer.timestamp(event), ...(message !== undefined && { message }) }
  writer.setStatus(status, writer.extensionEvent(event))
  writer.endTask()
}

/**
 * Whether a `task-complete`, if one follows this status, may bring something to send before the task ends:
 * with the extension the event itself, otherwise the result of a task that has written nothing yet.
 */
function mayPrecedeResult({ settings, state }: A2aWriter, event: TaskStatusEvent): boolean {
  return (
    settings.extension ||
    (state.completeArtifacts.length === 0 &&
      !state.openArtifacts.some(({ isWritten }) => isWritten) &&
      event.message === undefined)
  )
}

/** Writes a waiting status. The request it belongs to may come before or after it. */
function writeWaiting(writer: A2aWriter, event: ContextEvent<TaskStatusEvent>, state: State): void {
  const { status, phase, requests } = writer.state
  if (status.state === state || (phase === 'paused' && state === 'auth-required')) {
    writer.emitExtensionOnly(event)
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
    writer.state.deferredStatus = { state, ...writer.timestamp(event), ...messageOf(writer, event) }
    if (writer.settings.extension) {
      writer.state.heldEvents = [...writer.state.heldEvents, writer.extensionEvent(event)]
    }
    return
  }
  writer.ensureOpen(event)
  const message = request?.message ?? messageOf(writer, event).message ?? defaultMessage(writer, event, state)
  writer.setStatus(
    { state, ...writer.timestamp(event), ...(message !== undefined && { message }) },
    writer.extensionEvent(event),
  )
}

function defaultMessage(
  writer: A2aWriter,
  event: ContextEvent<TaskStatusEvent>,
  state: State,
): Message | undefined {
  // A2A 1.0 requires a message in this state.
  return state === 'auth-required' ? writer.createTextMessage(event, DEFAULT_AUTH_PROMPT) : undefined
}

function stateOf({ status, error }: TaskStatusEvent): State {
  return status === 'failed' && error?.code === 'refused' ? 'rejected' : a2aStates[status]
}

/** Whether the status only repeats the current one, or would replace a prompt. */
function isRepetition(writer: A2aWriter, event: ContextEvent<TaskStatusEvent>, state: State): boolean {
  const { status, eventStatus } = writer.state
  if (state !== status.state || (eventStatus ?? 'submitted') !== event.status) return false
  if (event.message === undefined) return true
  const [part] = status.message?.parts ?? []
  return (
    part?.type === 'text' &&
    part.text === event.message &&
    status.timestamp === writer.timestamp(event).timestamp
  )
}

/** The message of a status. A failure always has one. */
function messageOf(writer: A2aWriter, event: ContextEvent<TaskStatusEvent>): { message?: Message } {
  const { status, message: text, error, metadata } = event
  const reason = typeof metadata?.reason === 'string' ? metadata.reason : undefined
  if (status === 'failed') {
    return { message: writer.createMessage(event, failureParts(text ?? reason, error)) }
  }
  const message = writer.createTextMessage(event, text ?? (status === 'canceled' ? reason : undefined))
  return message === undefined ? {} : { message }
}

/** The parts of a failure message: a text for people, and the error for programs. */
export function failureParts(text: string | undefined, error: ErrorInfo | undefined): Part[] {
  const shown = text || error?.message || error?.code || 'Task failed'
  const parts: Part[] = [{ type: 'text', text: toWellFormed(shown) }]
  if (error !== undefined) parts.push({ type: 'data', data: cleanObject(error) })
  return parts
}
