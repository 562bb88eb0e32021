/** The AI SDK: what `useChat` does with the bytes of a response, up to validated chunks. */

import { parseJsonEventStream, uiMessageChunkSchema } from 'ai'
import type { ContextAnyEvent } from 'turnstream'
import type { Reader } from '../support/readers.ts'

export const readAi: Reader<object> = async (chunks, take) => {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as Uint8Array<ArrayBuffer>)
      controller.close()
    },
  })
  const reader = parseJsonEventStream({ stream, schema: uiMessageChunkSchema }).getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (!read.value.success) throw read.value.error
    take(read.value.value)
  }
}

/** The equivalent AI SDK chunk. */
export function toAi(event: ContextAnyEvent): object {
  switch (event.kind) {
    case 'content-delta':
      return { type: 'text-delta', id: event.taskId, delta: event.delta }
    case 'content-complete':
      return { type: 'text-end', id: event.taskId }
    case 'thought-delta':
      return { type: 'reasoning-delta', id: event.thoughtId, delta: event.delta }
    case 'thought-stream':
      return { type: 'reasoning-end', id: event.thoughtId }
    case 'tool-start': {
      const { toolCallId, toolName } = event
      return { type: 'tool-input-available', toolCallId, toolName, input: event.arguments }
    }
    case 'tool-progress': {
      const { toolCallId, progress, message, metadata } = event
      const output = { progress, message, metadata }
      return { type: 'tool-output-available', toolCallId, output, preliminary: true }
    }
    case 'tool-complete':
      return { type: 'tool-output-available', toolCallId: event.toolCallId, output: event.result }
    case 'task-status':
      return { type: 'start-step' }
    default:
      throw new Error(`The AI SDK has no chunk for ${event.kind} here.`)
  }
}
