/** Maps each kind of event to frames. */

import type { ContentCompleteEvent, ContentDeltaEvent } from '../../../events/content.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { TaskCompleteEvent, TaskCreatedEvent, TaskStatusEvent } from '../../../events/task.ts'
import { isEqualJson } from '../../../json/value.ts'
import { dropOtherText, isOfOpenText } from '../../shared/one-text.ts'
import { trackUnstarted } from '../../shared/unstarted-calls.ts'
import { type EmbeddedFrame, embeddedFrame } from '../wire/embedded-frame.ts'
import { endStatusOf, sessionError } from '../wire/exit-status.ts'
import type { FrameWriter } from './frame-writer.ts'
import { writeToolComplete, writeToolProgress, writeToolStart } from './write-tool.ts'

/** Maps one event. */
export function writeEvent(writer: FrameWriter, event: ContextAnyEvent, isFirst: boolean): void {
  if (isFirst && event.kind !== 'task-created' && writer.state.isSession) {
    writer.inferred(
      'session_started',
      `Expected task-created as the first event of the task, got ${event.kind}; session_started was inferred.`,
    )
    writer.emitFrame({ type: 'session_started', input: '' })
  }
  const embedded = embeddedFrame(event)
  if (writer.state.phase === 'ended') writeAfterEnd(writer, event)
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
  if (trackUnstarted(writer, event)) return
  switch (event.kind) {
    case 'task-created':
      if (isFirst) writeTaskCreated(writer, event)
      else writer.dropped(event.kind, 'repeated', 'Expected one task-created of the task, got another.')
      break
    case 'task-status':
      writeTaskStatus(writer, event)
      break
    case 'task-complete':
      writeTaskComplete(writer, event)
      break
    case 'content-delta':
      writeContentDelta(writer, event)
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
  else
    writer.dropped(event.kind, 'after-end', `Expected no event after the end of the task, got ${event.kind}.`)
}

function writeTaskCreated(writer: FrameWriter, event: ContextEvent<TaskCreatedEvent>): void {
  const { initiator, metadata } = event
  // A stream of frames that started without its regular first frame.
  if (typeof metadata?.streamKind === 'string') {
    writer.reportLost(event, ['initiator', 'metadata.streamKind'])
    return
  }
  const input = metadata?.input ?? ''
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  writer.emitFrame({ type: 'session_started', input: text })
  const kept = initiator === 'user' ? ['initiator'] : []
  writer.reportLost(event, input === text && text !== '' ? [...kept, 'metadata.input'] : kept)
}

function writeTaskStatus(writer: FrameWriter, event: ContextEvent<TaskStatusEvent>): void {
  const { status, metadata, error, message } = event
  if (status !== 'completed' && status !== 'failed' && status !== 'canceled') {
    writer.droppedEvent(event, `Frames have no equivalent for status ${status}, only for final ones.`)
    return
  }
  if (writer.state.kind === 'task') {
    writer.droppedEvent(event, 'The status of a background tool is expressed by its tool_task_status frame.')
    return
  }
  const explanation = metadata?.reason ?? error?.message ?? message
  // The reason must map back to the same status.
  const isUsable = explanation !== undefined && endStatusOf(explanation) === status
  const reason = isUsable ? explanation : status === 'canceled' ? 'cancelled' : status
  writer.emitFrame({ type: 'session_ended', reason })
  const kept: string[] = []
  if (status !== 'completed' && metadata?.reason === reason) kept.push('metadata.reason')
  if (status === 'failed' && isEqualJson(error, sessionError(reason))) kept.push('error')
  writer.reportLost(event, kept)
}

function writeTaskComplete(writer: FrameWriter, event: ContextEvent<TaskCompleteEvent>): void {
  const { content = '' } = event
  if (writer.state.kind === 'task') {
    writer.droppedEvent(event, 'The end of a background tool is expressed by its tool_task_status frame.')
    return
  }
  if (writer.state.text === 'none' && content !== '') {
    writer.emitFrame({ type: 'output_text_delta', delta: content })
  }
  writer.emitFrame({ type: 'session_ended', reason: 'completed' })
  writer.reportLost(event)
}

function writeContentDelta(writer: FrameWriter, event: ContextEvent<ContentDeltaEvent>): void {
  const { text, readIndex } = writer.state
  const isOpen = text === 'open'
  if (dropOtherText(writer, isOpen, event)) return
  const isKept = event.index === readIndex
  if (!isOpen) writer.state.isSegmentWhole = isKept && readIndex === 0
  writer.emitFrame({ type: 'output_text_delta', delta: event.delta })
  writer.reportLost(event, isKept ? ['index'] : [])
}

function writeContentComplete(writer: FrameWriter, event: ContextEvent<ContentCompleteEvent>): void {
  const { content } = event
  const { text, isSegmentWhole, readIndex } = writer.state
  const isOpen = text === 'open'
  const isOwn = isOfOpenText(writer.state, isOpen, event)
  const isKept = isOwn ? isSegmentWhole : content !== '' && readIndex === 0
  if (!isOwn && content !== '') writer.emitFrame({ type: 'output_text_delta', delta: content })
  writer.reportLost(event, isKept ? ['content'] : [])
  if (isOpen && !isOwn) {
    // Readers join it with the text around it.
    writer.state.isSegmentWhole = false
    return
  }
  if (writer.state.text === 'open') writer.state.text = 'complete'
}
