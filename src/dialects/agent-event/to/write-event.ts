/** Writing a task as the run of an agent, event by event. */

import type { ContextAnyEvent } from '../../../events/event.ts'
import type { TaskCompleteEvent, TaskStatusEvent } from '../../../events/task.ts'
import type { ThoughtStreamEvent } from '../../../events/thought.ts'
import { reportLosses } from '../../shared/losses.ts'
import { trackCalls } from '../../shared/tracked-calls.ts'
import { ownLosses } from './losses.ts'
import type { RunWriter } from './state.ts'
import { writeCall, writeProgress, writeResult } from './write-call.ts'
import { writeContentComplete, writeContentDelta, writeText } from './write-text.ts'

export function writeEvent(writer: RunWriter, event: ContextAnyEvent, hasCallIds: boolean): void {
  if (dropOutOfPlace(writer, event) || trackCalls(writer, event)) return
  switch (event.kind) {
    case 'task-status':
      writeStatus(writer, event)
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
    case 'thought-stream':
      writeThought(writer, event)
      break
    case 'tool-start':
      writeCall(writer, event, hasCallIds)
      break
    case 'tool-progress':
      writeProgress(writer, event, hasCallIds)
      break
    case 'tool-complete':
      writeResult(writer, event, hasCallIds)
      break
    default:
      writer.dropped(event.kind, 'no-equivalent', `AgentEvents have no equivalent for ${event.kind}.`)
  }
}

/** Drops an event of another task or after the end. Returns whether it did. */
function dropOutOfPlace(writer: RunWriter, event: ContextAnyEvent): boolean {
  const { kind, taskId } = event
  if (writer.state.taskId === null) writer.update({ taskId })
  const { taskId: own, phase } = writer.state
  if (taskId !== own) {
    const detail = { reason: 'other-task', taskId }
    writer.diagnostic(`dropped:${kind}`, `Expected an event of task ${own}, got ${taskId}.`, { detail })
    return true
  }
  // Success has two events, in either order; nothing else may follow the end.
  const isSuccess = kind === 'task-complete' || (kind === 'task-status' && event.status === 'completed')
  if (phase === 'running' || (phase !== 'failed' && isSuccess)) return false
  writer.dropped(kind, 'after-end', `${kind} after the end of the task.`)
  return true
}

function writeStatus(writer: RunWriter, event: TaskStatusEvent): void {
  const { status, error, message, metadata } = event
  if (status === 'completed') {
    if (writer.state.phase === 'running' && !writer.state.hasText) writer.update({ phase: 'completed' })
    else if (writer.state.phase === 'running') writeFinal(writer)
  } else if (status === 'failed' || status === 'canceled') {
    const text = error?.message ?? message ?? metadata?.reason ?? `The task is ${status}.`
    writer.emit({ type: 'error', error: text })
    writer.update({ phase: 'failed' })
    if (status === 'canceled') writer.lossy('status', 'The status canceled is sent as an error.')
    if (error !== undefined && !isPlainError(error))
      writer.lossy('error', 'Only the message of the error is sent.')
  } else {
    writer.dropped(event.kind, 'no-equivalent', `AgentEvents have no equivalent for status ${status}.`)
    return
  }
  reportLosses(writer, event, ownLosses)
}

/** Whether an error has nothing but a message, as a receiver reads it. */
function isPlainError(error: NonNullable<TaskStatusEvent['error']>): boolean {
  return error.code === 'internal' && error.retry === 'terminal' && Object.keys(error).length === 3
}

function writeTaskComplete(writer: RunWriter, event: TaskCompleteEvent): void {
  const { content } = event
  const { hasText, phase, text } = writer.state
  if (content !== undefined && !hasText) {
    if (content !== '') writeText(writer, content, 'complete', '')
  } else if (content !== undefined && content !== text) {
    writer.lossy('content', 'Another text was sent.')
  }
  reportLosses(writer, event, ownLosses)
  if (phase !== 'succeeded') writeFinal(writer)
}

/** Ends the run with the stream: a task that has not ended was cut off, or left calls to the application. */
export function writeEnd(writer: RunWriter): void {
  const { phase, taskId } = writer.state
  if (phase === 'completed') writeFinal(writer)
  if (phase !== 'running' || taskId === null) return
  const error = 'The stream ended before the task did.'
  writer.diagnostic('gap', error)
  writer.emit({ type: 'error', error })
  writer.update({ phase: 'failed' })
}

function writeFinal(writer: RunWriter): void {
  writer.emit({ type: 'final' })
  writer.update({ phase: 'succeeded' })
}

function writeThought(writer: RunWriter, event: ThoughtStreamEvent): void {
  const { content, thoughtType, verbosity } = event
  writer.emit({ type: 'thought', content })
  if (thoughtType !== 'reasoning')
    writer.lossy('thoughtType', `A receiver reads reasoning, not ${thoughtType}.`)
  if (verbosity !== 'normal')
    writer.lossy('verbosity', `A receiver reads normal verbosity, not ${verbosity}.`)
  reportLosses(writer, event, ownLosses)
}
