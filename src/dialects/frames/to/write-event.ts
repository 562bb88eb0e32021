/** Maps each kind of event to frames. */

import { FNV_OFFSET_BASIS, fnv1a } from '../../../encoding/fnv1a.ts'
import type { ContentCompleteEvent, ContentDeltaEvent } from '../../../events/content.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { TaskCompleteEvent, TaskCreatedEvent, TaskStatusEvent } from '../../../events/task.ts'
import { jsonText } from '../../../json/json-text.ts'
import { dropOtherText, isOfOpenText } from '../../shared/one-text.ts'
import { trackCalls } from '../../shared/tracked-calls.ts'
import { type EmbeddedFrame, embeddedFrame } from '../wire/embedded-frame.ts'
import { endStatusOf, sessionError } from '../wire/exit-status.ts'
import type { FrameWriter } from './frame-writer.ts'
import { writeToolComplete, writeToolProgress, writeToolStart } from './write-tool.ts'

/** Maps one event. */
export function writeEvent(writer: FrameWriter, event: ContextAnyEvent, isFirst: boolean): void {
  if (isFirst && event.kind !== 'task-created' && writer.state.isSession) {
    writer.inferred('session_started', `Expected task-created first, got ${event.kind}.`)
    writer.emitFrame({ type: 'session_started', input: '' })
  }
  const embedded = embeddedFrame(event)
  if (writer.state.phase === 'ended') writeAfterEnd(writer, event)
  else if (trackCalls(writer, event)) return
  else if (event.kind === 'content-delta') writeContentDelta(writer, event, embedded)
  else if (embedded !== undefined) writeEmbedded(writer, event, embedded)
  else writeKind(writer, event, isFirst)
}

function writeEmbedded(writer: FrameWriter, event: ContextAnyEvent, frame: EmbeddedFrame): void {
  writer.emitEmbedded({ ...frame })
  if (event.kind === 'tool-start') writer.startTool(event)
  if (event.kind === 'tool-progress') writer.addStreamedTool(event.toolCallId)
  if (event.kind === 'tool-complete') writer.removeTool(event.toolCallId)
}

function writeKind(writer: FrameWriter, event: ContextAnyEvent, isFirst: boolean): void {
  switch (event.kind) {
    case 'task-created':
      if (isFirst) writeTaskCreated(writer, event)
      else writer.dropped(event.kind, 'repeated', 'Expected one task-created.')
      break
    case 'task-status':
    case 'task-complete':
      if (writer.state.kind === 'task') writer.droppedEvent(event, 'Only tool_task_status ends the stream.')
      else if (event.kind === 'task-status') writeTaskStatus(writer, event)
      else writeTaskComplete(writer, event)
      break
    case 'content-complete':
      writeContentComplete(writer, event)
      break
    case 'tool-start':
      writeToolStart(writer, event)
      break
    case 'tool-progress':
      writeToolProgress(writer, event)
      break
    case 'tool-complete':
      writeToolComplete(writer, event)
      break
    default:
      writer.droppedEvent(event)
  }
}

/** Only the result of a task may follow its final status. */
function writeAfterEnd(writer: FrameWriter, event: ContextAnyEvent): void {
  if (event.kind === 'task-complete') writer.reportLost(event)
  else writer.dropped(event.kind, 'after-end', `${event.kind} after the end of the task.`)
}

function writeTaskCreated(writer: FrameWriter, event: ContextEvent<TaskCreatedEvent>): void {
  const { initiator, metadata } = event
  // A stream of frames that started without its regular first frame.
  if (typeof metadata?.streamKind === 'string') {
    writer.reportLost(event, ['initiator', 'metadata.streamKind'])
    return
  }
  const input = metadata?.input ?? ''
  const text = typeof input === 'string' ? input : jsonText(input)
  writer.emitFrame({ type: 'session_started', input: text ?? '' })
  const kept = initiator === 'user' ? ['initiator'] : []
  writer.reportLost(event, input === text && text !== '' ? [...kept, 'metadata.input'] : kept)
}

function writeTaskStatus(writer: FrameWriter, event: ContextEvent<TaskStatusEvent>): void {
  const { status, metadata, error, message } = event
  if (status !== 'completed' && status !== 'failed' && status !== 'canceled') {
    writer.droppedEvent(event, `Frames have no equivalent for status ${status}.`)
    return
  }
  const explanation = metadata?.reason ?? error?.message ?? message
  // The reason must map back to the same status.
  const isUsable = explanation !== undefined && endStatusOf(explanation) === status
  const reason = isUsable ? explanation : status === 'canceled' ? 'cancelled' : status
  writer.emitFrame({ type: 'session_ended', reason })
  const kept: string[] = []
  if (status !== 'completed' && metadata?.reason === reason) kept.push('metadata.reason')
  if (status === 'failed' && error !== undefined && isSessionError(error, reason)) kept.push('error')
  writer.reportLost(event, kept)
}

/** Whether readers derive an error from the reason of the end. */
function isSessionError(error: ErrorInfo, reason: string): boolean {
  const { code, message, retry } = sessionError(reason)
  const isSame = error.code === code && error.message === message && error.retry === retry
  return isSame && Object.keys(error).length === 3
}

function writeTaskComplete(writer: FrameWriter, event: ContextEvent<TaskCompleteEvent>): void {
  const { content = '' } = event
  if (writer.state.text === 'none' && content !== '') {
    writer.emitFrame({ type: 'output_text_delta', delta: content })
  }
  writer.emitFrame({ type: 'session_ended', reason: 'completed' })
  writer.reportLost(event)
}

function writeContentDelta(
  writer: FrameWriter,
  event: ContextEvent<ContentDeltaEvent>,
  embedded: EmbeddedFrame | undefined,
): void {
  const { delta, index, indexEnd = index } = event
  const isOpen = writer.state.text === 'open'
  if (dropOtherText(writer, isOpen, event)) return
  const { state } = writer
  const { nextIndex, readIndex, sentLength, sentHash } = state
  const isKept = index === readIndex
  if (!isOpen) state.isSegmentWhole = isKept && readIndex === 0
  const [expected, length, hash] = isOpen ? [nextIndex, sentLength, sentHash] : [0, 0, FNV_OFFSET_BASIS]
  state.nextIndex = indexEnd + 1
  state.sentLength = length + delta.length
  state.sentHash = index === expected && hash !== null ? fnv1a(hash, delta) : null
  writer.emitEmbedded(embedded === undefined ? { type: 'output_text_delta', delta } : { ...embedded })
  if (embedded === undefined) writer.reportLost(event, isKept ? ['index'] : [])
}

function writeContentComplete(writer: FrameWriter, event: ContextEvent<ContentCompleteEvent>): void {
  const { content } = event
  const { text, isSegmentWhole, readIndex, sentLength, sentHash } = writer.state
  const isOpen = text === 'open'
  const isOwn = isOfOpenText(writer.state, isOpen, event)
  const [length, hash] = isOwn ? [sentLength, sentHash] : [0, FNV_OFFSET_BASIS]
  const isSame = content.length >= length && fnv1a(FNV_OFFSET_BASIS, content, 0, length) === hash
  const isKept = isOwn ? isSame && isSegmentWhole : content !== '' && readIndex === 0
  const delta = content.slice(length)
  if (isSame && delta !== '') writer.emitFrame({ type: 'output_text_delta', delta })
  writer.reportLost(event, isKept ? ['content'] : [])
  if (isOpen && !isOwn) {
    // Readers join it with the text around it.
    writer.state.isSegmentWhole = false
    return
  }
  if (writer.state.text === 'open') writer.state.text = 'complete'
}
