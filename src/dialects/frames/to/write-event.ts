/** Maps each kind of event to frames. */

import type { ContentCompleteEvent, ContentDeltaEvent } from '../../../events/content.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { TaskCompleteEvent, TaskCreatedEvent, TaskStatusEvent } from '../../../events/task.ts'
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
  if (embedded !== undefined) writeEmbedded(writer, event, embedded)
  else {
    if ('frame' in event) writer.lossy('frame', 'Expected a valid frame without its envelope.')
    if (writer.state.phase === 'ended') writeAfterEnd(writer, event)
    else writeKind(writer, event, isFirst)
  }
}

function writeEmbedded(writer: FrameWriter, event: ContextAnyEvent, frame: EmbeddedFrame): void {
  writer.emitEmbedded({ ...frame })
  if (event.kind === 'tool-progress') writer.addStreamedTool(event.toolCallId)
  if (event.kind === 'tool-complete') writer.removeStreamedTool(event.toolCallId)
}

function writeKind(writer: FrameWriter, event: ContextAnyEvent, isFirst: boolean): void {
  if (trackUnstarted(writer, event)) return
  switch (event.kind) {
    case 'task-created':
      if (isFirst) writeTaskCreated(writer, event)
      else writer.dropped(event.kind, 'repeated', 'Duplicate task-created of the same task.')
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
  if (event.kind !== 'task-complete') {
    writer.dropped(event.kind, 'after-end', `Got ${event.kind} after the end of its task.`)
  } else writer.reportLossyFields(event, writer.state.text === 'none' ? [] : ['content'])
}

function writeTaskCreated(writer: FrameWriter, event: ContextEvent<TaskCreatedEvent>): void {
  const { initiator, metadata } = event
  // A stream of frames that started without its regular first frame.
  if (typeof metadata?.streamKind === 'string') {
    writer.reportLossyFields(event, ['initiator'], ['streamKind'])
    return
  }
  const input = metadata?.input ?? ''
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  writer.emitFrame({ type: 'session_started', input: text })
  writer.reportLossyFields(event, initiator === 'user' ? ['initiator'] : [], ['input'])
  if (input !== text) writer.lossy('metadata', 'Converted a structured input to JSON text.', ['input'])
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
  const mapped = ['status']
  if (message === reason) mapped.push('message')
  if (JSON.stringify(error) === JSON.stringify(sessionError(reason))) mapped.push('error')
  writer.reportLossyFields(event, mapped, metadata?.reason === reason ? ['reason'] : [])
}

function writeTaskComplete(writer: FrameWriter, event: ContextEvent<TaskCompleteEvent>): void {
  const { content = '' } = event
  if (writer.state.kind === 'task') {
    writer.droppedEvent(event)
    return
  }
  if (writer.state.text === 'none' && content !== '')
    writer.emitFrame({ type: 'output_text_delta', delta: content })
  writer.emitFrame({ type: 'session_ended', reason: 'completed' })
  writer.reportLossyFields(event, ['content'])
}

function writeContentDelta(writer: FrameWriter, event: ContextEvent<ContentDeltaEvent>): void {
  if (dropOtherText(writer, writer.state.text === 'open', event)) return
  writer.emitFrame({ type: 'output_text_delta', delta: event.delta })
  writer.reportLossyFields(event, ['delta', 'index'])
}

function writeContentComplete(writer: FrameWriter, event: ContextEvent<ContentCompleteEvent>): void {
  const { content } = event
  const isOpen = writer.state.text === 'open'
  const isOwn = isOfOpenText(writer.state, isOpen, event)
  if (!isOwn && content !== '') writer.emitFrame({ type: 'output_text_delta', delta: content })
  writer.reportLossyFields(event, ['content'])
  if (isOwn || !isOpen) writer.completeText()
}
