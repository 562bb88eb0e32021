/** Writing a task as the run of an agent, event by event. */

import { boundedDelete, boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { FNV_OFFSET_BASIS, fnv1a } from '../../../encoding/fnv1a.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { TaskCompleteEvent, TaskStatusEvent } from '../../../events/task.ts'
import type { ToolCompleteEvent, ToolProgressEvent, ToolStartEvent } from '../../../events/tool.ts'
import { jsonText } from '../../../json/json-text.ts'
import { dropAfterEnd, dropOfOtherTask } from '../../engine/drop.ts'
import { calledItem, closeItems, endCall, takeItems, writeItem } from '../../engine/write-item.ts'
import { argumentsText } from '../wire/json-text.ts'
import { closeCall, newestCall } from '../wire/open-calls.ts'
import { progressData } from '../wire/progress.ts'
import { formats, type RunWriter } from './run-writer.ts'

/** More diagnostics help nobody. */
const MAX_DIAGNOSTICS = 32

export function writeEvent(writer: RunWriter, event: ContextAnyEvent): void {
  const { state } = writer
  if (dropOfOtherTask(writer, state.taskId, event)) return
  state.taskId = event.taskId
  // Success has two events, in either order; nothing else may follow the end.
  const isSuccess =
    event.kind === 'task-complete' || (event.kind === 'task-status' && event.status === 'completed')
  if (state.phase !== 'running' && (state.phase === 'failed' || !isSuccess)) {
    dropAfterEnd(writer, event)
    return
  }
  switch (event.kind) {
    case 'task-status':
      writeStatus(writer, event)
      break
    case 'task-complete':
      writeTaskComplete(writer, event)
      break
    case 'content-complete':
      if (writeItem(writer, formats, event)) state.lastText = textOf(event.content)
      break
    case 'content-delta':
    case 'content-replace':
    case 'thought-stream':
      writeItem(writer, formats, event)
      break
    case 'iteration-reset':
      // What was written stays; its deltas begin again.
      takeItems(writer, event.taskId, event.iteration)
      writer.noEquivalent(event)
      break
    case 'tool-start':
      writeItem(writer, formats, event)
      writer.reportLost(withoutOriginal(event))
      return
    case 'tool-progress':
      writeProgress(writer, event)
      break
    case 'tool-complete':
      writeResult(writer, event)
      break
    default:
      writer.noEquivalent(event)
  }
  writer.reportLost(event)
}

function textOf(content: string): { length: number; hash: number } {
  return { length: content.length, hash: fnv1a(FNV_OFFSET_BASIS, content) }
}

/** A call without the original text of its arguments, if that is what was sent. */
function withoutOriginal(event: ContextEvent<ToolStartEvent>): ContextEvent<ToolStartEvent> {
  if (!argumentsText(event.arguments, event.metadata?.toolArgs).isOriginal) return event
  const { toolArgs: _, ...metadata } = event.metadata ?? {}
  return { ...event, metadata }
}

function writeStatus(writer: RunWriter, event: ContextEvent<TaskStatusEvent>): void {
  const { status, error, message, metadata } = event
  if (status === 'completed') {
    if (writer.state.phase === 'running') {
      closeItems(writer, formats, event.taskId, 'success')
      if (writer.state.hasText) writeFinal(writer)
      else writer.state.phase = 'completed'
    }
  } else if (status === 'failed' || status === 'canceled') {
    closeItems(writer, formats, event.taskId, 'failure')
    writeError(writer, error?.message ?? message ?? metadata?.reason ?? `The task is ${status}.`)
    if (status === 'canceled') writer.lossy('status', 'The status canceled is sent as an error.')
    if (error !== undefined && !isPlainError(error))
      writer.lossy('error', 'Only the message of the error is sent.')
  } else writer.noEquivalent(event, `status ${status}`)
}

/** Whether an error has nothing but a message, as a receiver reads it. */
function isPlainError(error: NonNullable<TaskStatusEvent['error']>): boolean {
  return error.code === 'internal' && error.retry === 'terminal' && Object.keys(error).length === 3
}

function writeTaskComplete(
  writer: RunWriter,
  { taskId, content = '' }: ContextEvent<TaskCompleteEvent>,
): void {
  const { state } = writer
  const isOther = state.lastText?.length !== content.length || state.lastText.hash !== textOf(content).hash
  if (state.phase === 'running') closeItems(writer, formats, taskId, 'success')
  if (!state.hasText && content !== '') {
    writer.emit({ type: 'stream', content })
    state.hasText = true
  } else if (content !== '' && isOther) writer.lossy('content', 'Another text was sent.')
  if (state.phase !== 'succeeded') writeFinal(writer)
}

/** Ends the run with the stream: a task that has not ended was cut off, or left calls to the application. */
export function writeEnd(writer: RunWriter): void {
  const { phase, taskId } = writer.state
  if (phase === 'completed') writeFinal(writer)
  if (phase !== 'running' || taskId === null) return
  const error = 'The stream ended before the task did.'
  writer.diagnostic('gap', error)
  closeItems(writer, formats, taskId, 'failure')
  writeError(writer, error)
}

function writeFinal(writer: RunWriter): void {
  writer.emit({ type: 'final' })
  writer.state.phase = 'succeeded'
}

function writeError(writer: RunWriter, error: string): void {
  writer.emit({ type: 'error', error })
  writer.state.phase = 'failed'
}

function writeProgress(writer: RunWriter, event: ContextEvent<ToolProgressEvent>): void {
  const call = calledItem(writer, event)
  if (call === undefined) return
  const { state } = writer
  const { toolCallId, progress, message, metadata } = event
  writer.emit({
    type: 'tool_progress',
    toolName: call.toolName,
    data: progressData(event),
    ...writer.callId(toolCallId),
  })
  reportReceiver(writer, toolCallId, call.toolName)
  if (metadata === undefined || !Object.hasOwn(metadata, 'data')) {
    state.progress = boundedSet(state.progress, toolCallId, progress).map
    return
  }
  const reason = 'Only metadata.data is sent.'
  if (progress !== boundedGet(state.progress, toolCallId)) writer.lossy('progress', reason)
  if (message !== undefined) writer.lossy('message', reason)
  const others = Object.keys(metadata).filter((key) => key !== 'data' && metadata[key] !== undefined)
  for (const key of others.slice(0, MAX_DIAGNOSTICS)) {
    writer.diagnostic('lossy:metadata', reason, { path: toPointer(['metadata', key]) })
  }
}

function writeResult(writer: RunWriter, event: ContextEvent<ToolCompleteEvent>): void {
  const call = calledItem(writer, event)
  if (call === undefined) return
  const { state } = writer
  const { toolCallId, toolName, success, result, error, timestamp } = event
  endCall(writer, formats, call, timestamp)
  state.progress = boundedDelete(state.progress, toolCallId)
  const failure = success ? undefined : error
  const text = typeof result === 'string' ? result : result === undefined ? '' : jsonText(result)
  writer.emit({
    type: 'tool_result',
    toolName,
    output: failure ?? text ?? '',
    ...(!success && { isError: true }),
    ...writer.callId(toolCallId),
  })
  if (result !== undefined && (!success || typeof result !== 'string')) {
    writer.lossy('result', success ? 'The result is sent as JSON text.' : 'A failed call has no result.')
  }
  if (success && error !== undefined) writer.lossy('error', 'A successful call has no error.')
  reportReceiver(writer, toolCallId, toolName)
  const closed = newestCall(state.receiverCalls, toolName)
  if (closed !== undefined) state.receiverCalls = closeCall(state.receiverCalls, closed)
}

/** Reports if a receiver without ids matches the event to another call. */
function reportReceiver(writer: RunWriter, toolCallId: string, toolName: string): void {
  const assumed = newestCall(writer.state.receiverCalls, toolName)?.statedId
  if (assumed === undefined || assumed === toolCallId) return
  const [expected, actual] = [describeValue(toolCallId), describeValue(assumed)]
  writer.lossy('toolCallId', `A receiver reads call ${actual}, not ${expected}.`, { assumed })
}
