/** Maps each kind of event to frames. */

import type { ErrorInfo } from '../../../events/error.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { TaskCompleteEvent, TaskCreatedEvent, TaskStatusEvent } from '../../../events/task.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import { jsonText } from '../../../json/json-text.ts'
import { dropAfterEnd, dropRepeated } from '../../engine/drop.ts'
import { calledItem, closeItems, endCall, takeItems } from '../../engine/end-items.ts'
import { writeItem } from '../../engine/write-item.ts'
import { embeddedFrame } from '../wire/embedded-frame.ts'
import { endStatusOf, sessionError } from '../wire/exit-status.ts'
import type { FrameWriter } from './frame-writer.ts'
import { formats } from './item-formats.ts'
import { writeToolComplete, writeToolProgress } from './write-tool.ts'

/** Maps one event. */
export function writeEvent(writer: FrameWriter, event: ContextAnyEvent, isFirst: boolean): void {
  if (isFirst && event.kind !== 'task-created' && writer.state.isSession) {
    writer.inferred('session_started', `Expected task-created first, got ${event.kind}.`)
    writer.emitFrame({ type: 'session_started', input: '' })
  }
  if (writer.state.phase === 'ended') {
    // Only the result of a task may follow its final status.
    if (event.kind !== 'task-complete') dropAfterEnd(writer, event)
  } else writeOpen(writer, event, isFirst)
  if (!writer.isWhole) writer.reportLost(event)
}

function writeOpen(writer: FrameWriter, event: ContextAnyEvent, isFirst: boolean): void {
  switch (event.kind) {
    case 'content-delta':
    case 'content-complete':
    case 'content-replace':
    case 'tool-start':
      writeItem(writer, formats, event)
      return
    case 'iteration-reset':
      takeItems(writer, event.taskId, event.iteration)
      return
    case 'tool-progress':
      if (calledItem(writer, formats, event) === undefined) return
      break
    case 'tool-complete': {
      const call = calledItem(writer, formats, event)
      if (call === undefined) return
      endCall(writer, formats, call, event.timestamp)
      break
    }
    case 'task-status':
      if (isTerminalStatus(event.status))
        closeItems(writer, formats, event.taskId, event.status === 'completed' ? 'success' : 'failure')
      break
    default:
  }
  const embedded = embeddedFrame(event)
  if (embedded === undefined) writeKind(writer, event, isFirst)
  else {
    writer.emitWhole(embedded)
    if (event.kind === 'tool-progress') writer.addStreamedTool(event.toolCallId)
    if (event.kind === 'tool-complete') writer.removeTool(event.toolCallId)
  }
}

function writeKind(writer: FrameWriter, event: ContextAnyEvent, isFirst: boolean): void {
  switch (event.kind) {
    case 'task-created':
      if (isFirst) writeTaskCreated(writer, event)
      else dropRepeated(writer, event.kind, event.taskId)
      break
    case 'task-status':
    case 'task-complete':
      if (writer.state.kind === 'task')
        writer.noEquivalent(event, `${event.kind}: only tool_task_status ends the stream`)
      else if (event.kind === 'task-status') writeTaskStatus(writer, event)
      else writeTaskComplete(writer, event)
      break
    case 'tool-progress':
      writeToolProgress(writer, event)
      break
    case 'tool-complete':
      writeToolComplete(writer, event)
      break
    default:
      writer.noEquivalent(event)
  }
}

function writeTaskCreated(writer: FrameWriter, event: ContextEvent<TaskCreatedEvent>): void {
  const { initiator, metadata } = event
  // A stream of frames that started without its regular first frame.
  if (typeof metadata?.streamKind === 'string') {
    writer.kept.push('initiator', 'metadata.streamKind')
    return
  }
  const input = metadata?.input ?? ''
  const text = typeof input === 'string' ? input : jsonText(input)
  writer.emitFrame({ type: 'session_started', input: text ?? '' })
  if (initiator === 'user') writer.kept.push('initiator')
  if (input === text && text !== '') writer.kept.push('metadata.input')
}

function writeTaskStatus(writer: FrameWriter, event: ContextEvent<TaskStatusEvent>): void {
  const { status, metadata, error, message } = event
  if (!isTerminalStatus(status)) {
    writer.noEquivalent(event, `status ${status}`)
    return
  }
  const explanation = metadata?.reason ?? error?.message ?? message
  // The reason must map back to the same status.
  const isUsable = explanation !== undefined && endStatusOf(explanation) === status
  const reason = isUsable ? explanation : status === 'canceled' ? 'cancelled' : status
  writer.emitFrame({ type: 'session_ended', reason })
  const { kept } = writer
  if (status !== 'completed' && metadata?.reason === reason) kept.push('metadata.reason')
  if (status === 'failed' && error !== undefined && isSessionError(error, reason)) kept.push('error')
}

/** Whether readers derive an error from the reason of the end. */
function isSessionError(error: ErrorInfo, reason: string): boolean {
  const { code, message, retry } = sessionError(reason)
  const isSame = error.code === code && error.message === message && error.retry === retry
  return isSame && Object.keys(error).length === 3
}

function writeTaskComplete(
  writer: FrameWriter,
  { taskId, content = '' }: ContextEvent<TaskCompleteEvent>,
): void {
  if (!writer.state.hasText && content !== '') writer.emitFrame({ type: 'output_text_delta', delta: content })
  closeItems(writer, formats, taskId, 'success')
  writer.emitFrame({ type: 'session_ended', reason: 'completed' })
}
