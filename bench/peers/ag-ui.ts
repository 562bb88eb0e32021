/** `@ag-ui/client`: what its `HttpAgent` does with the bytes of a response, up to validated events. */
import { transformHttpEventStream } from '@ag-ui/client'
import { Subject } from 'rxjs'
import type { ContextAnyEvent } from 'turnstream'
import type { Reader } from '../support/readers.ts'

export const readAgUi: Reader<object> = async (chunks, take) => {
  const headers = new Headers({ 'content-type': 'text/event-stream' })
  const response = new Subject()
  const done = new Promise((complete, error) => {
    transformHttpEventStream(response).subscribe({ next: take, complete, error })
  })
  response.next({ type: 'headers', status: 200, headers })
  // The client chooses a parser when it has the headers.
  await null
  for (const data of chunks) response.next({ type: 'data', data })
  response.complete()
  await done
}

/** The equivalent AG-UI event, of the same task. */
export function toAgUi(event: ContextAnyEvent): object {
  return { ...withoutTask(event), subagentRunId: event.taskId }
}

function withoutTask(event: ContextAnyEvent): object {
  const timestamp = Date.parse(event.timestamp)
  const messageId = `msg_${event.taskId}`
  switch (event.kind) {
    case 'content-delta':
      return { type: 'TEXT_MESSAGE_CONTENT', timestamp, messageId, delta: event.delta }
    case 'content-complete':
      return { type: 'TEXT_MESSAGE_END', timestamp, messageId }
    case 'thought-delta':
      return { type: 'REASONING_MESSAGE_CONTENT', timestamp, messageId: event.thoughtId, delta: event.delta }
    case 'thought-stream':
      return { type: 'REASONING_MESSAGE_END', timestamp, messageId: event.thoughtId }
    case 'tool-start':
      return {
        type: 'TOOL_CALL_START',
        timestamp,
        toolCallId: event.toolCallId,
        toolCallName: event.toolName,
        parentMessageId: messageId,
      }
    case 'tool-progress': {
      const { toolCallId, progress, message, metadata } = event
      return {
        type: 'CUSTOM',
        timestamp,
        name: 'tool-progress',
        value: { toolCallId, progress, message, metadata },
      }
    }
    case 'tool-complete':
      return {
        type: 'TOOL_CALL_RESULT',
        timestamp,
        messageId,
        toolCallId: event.toolCallId,
        content: JSON.stringify(event.result),
        role: 'tool',
      }
    case 'task-status':
      return { type: 'STEP_STARTED', timestamp, stepName: event.status }
    default:
      throw new Error(`AG-UI has no event for ${event.kind} here.`)
  }
}
