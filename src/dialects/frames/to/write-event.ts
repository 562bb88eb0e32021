/** What each event of a task is in frames. */
import type { ContentCompleteEvent } from '../../../events/content.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { TaskCompleteEvent, TaskCreatedEvent, TaskStatusEvent } from '../../../events/task.ts'
import { type CarriedFrame, carriedFrame } from '../wire/embedded-frame.ts'
import { endStatusOf, sessionError } from '../wire/outcome.ts'
import type { FrameWriter } from './frame-writer.ts'
import { sayToolComplete, sayToolProgress, sayToolStart } from './write-tool.ts'

/** Says one event. */
export function sayEvent(writer: FrameWriter, event: ContextAnyEvent, isFirst: boolean): void {
  if (isFirst && event.kind !== 'task-created' && writer.stream.isSession) {
    writer.diagnostic({
      code: 'implied:session_started',
      message: 'The task does not begin with task-created.',
    })
    writer.say({ type: 'session_started', input: '' })
  }
  const carried = carriedFrame(event)
  if (carried !== undefined) sayCarried(writer, event, carried)
  else {
    if ('frame' in event) writer.lose('frame', 'Carries no frame, or not a valid one.')
    if (writer.stream.phase === 'ended') sayAfterEnd(writer, event)
    else sayKind(writer, event, isFirst)
  }
}

function sayCarried(writer: FrameWriter, event: ContextAnyEvent, frame: CarriedFrame): void {
  writer.sayAgain({ ...frame })
  if (event.kind === 'tool-progress') writer.streamed(event.toolCallId)
  if (event.kind === 'tool-complete') writer.endStreamed(event.toolCallId)
}

function sayKind(writer: FrameWriter, event: ContextAnyEvent, isFirst: boolean): void {
  switch (event.kind) {
    case 'task-created':
      if (isFirst) sayTaskCreated(writer, event)
      else writer.drop(event, 'The task was created before.')
      break
    case 'task-status':
      sayTaskStatus(writer, event)
      break
    case 'task-complete':
      sayTaskComplete(writer, event)
      break
    case 'content-delta':
      writer.say({ type: 'output_text_delta', delta: event.delta })
      writer.loseAllBut(event, ['delta', 'index'])
      break
    case 'content-complete':
      sayContentComplete(writer, event)
      break
    case 'tool-start':
      sayToolStart(writer, event)
      break
    case 'tool-progress':
      sayToolProgress(writer, event)
      break
    case 'tool-complete':
      sayToolComplete(writer, event)
      break
    default:
      writer.drop(event)
  }
}

/** The result of a task may follow its last status; of anything else there is nothing left to tell. */
function sayAfterEnd(writer: FrameWriter, event: ContextAnyEvent): void {
  if (event.kind !== 'task-complete') writer.drop(event, 'Comes after the end of its task.')
  else writer.loseAllBut(event, writer.stream.text === 'none' ? [] : ['content'])
}

function sayTaskCreated(writer: FrameWriter, event: ContextEvent<TaskCreatedEvent>): void {
  const { initiator, metadata } = event
  // A stream that comes from frames and began without a frame for it.
  if (typeof metadata?.streamKind === 'string') {
    writer.loseAllBut(event, ['initiator'], ['streamKind'])
    return
  }
  const input = metadata?.input ?? ''
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  writer.say({ type: 'session_started', input: text })
  writer.loseAllBut(event, initiator === 'user' ? ['initiator'] : [], ['input'])
  if (input !== text) writer.lose('metadata', 'A structured input becomes JSON text.', ['input'])
}

function sayTaskStatus(writer: FrameWriter, event: ContextEvent<TaskStatusEvent>): void {
  const { status, metadata, error, message } = event
  if (status !== 'completed' && status !== 'failed' && status !== 'canceled') {
    writer.drop(event, 'Frames tell only how a session ends.')
    return
  }
  if (writer.stream.kind === 'task') {
    writer.drop(event, 'The status of a tool in the background comes from its own frame.')
    return
  }
  const told = metadata?.reason ?? error?.message ?? message
  // A reason must not be taken for another end.
  const isFit = told !== undefined && endStatusOf(told) === status
  const reason = isFit ? told : status === 'canceled' ? 'cancelled' : status
  writer.say({ type: 'session_ended', reason })
  const said = ['status']
  if (message === reason) said.push('message')
  if (JSON.stringify(error) === JSON.stringify(sessionError(reason))) said.push('error')
  writer.loseAllBut(event, said, metadata?.reason === reason ? ['reason'] : [])
}

function sayTaskComplete(writer: FrameWriter, event: ContextEvent<TaskCompleteEvent>): void {
  const { content = '' } = event
  if (writer.stream.kind === 'task') {
    writer.drop(event)
    return
  }
  if (writer.stream.text === 'none' && content !== '')
    writer.say({ type: 'output_text_delta', delta: content })
  writer.say({ type: 'session_ended', reason: 'completed' })
  writer.loseAllBut(event, ['content'])
}

function sayContentComplete(writer: FrameWriter, event: ContextEvent<ContentCompleteEvent>): void {
  const { content } = event
  if (writer.stream.text !== 'open' && content !== '')
    writer.say({ type: 'output_text_delta', delta: content })
  writer.loseAllBut(event, ['content'])
  writer.completeText()
}
