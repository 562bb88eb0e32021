/**
 * Other packages at the same job: bytes to validated events.
 *
 * Each gets the conversation in its own vocabulary, one event for one event. AG-UI's SSE reader is part
 * of its client, which is not installed here; `eventsource-parser`, which is a little faster, stands in
 * for it.
 */
import { deepStrictEqual } from 'node:assert'
import { EventSchemas } from '@ag-ui/core/schemas'
import { parseJsonEventStream, uiMessageChunkSchema } from 'ai'
import { createParser } from 'eventsource-parser'
import type { ContextAnyEvent } from '../src/index.ts'
import { contextAnyEventSchema } from '../src/zod/index.ts'
import { chunksOf, EVENTS, makeEvents, sseOf } from './data.ts'
import { nsPer, type Row, race, ratio } from './harness.ts'
import { type Reader, readAll, readOurs, summing } from './readers.ts'

export async function bench(rounds: number): Promise<Row[]> {
  const events = makeEvents(EVENTS, 'ascii')
  const aguiEvents = events.map(toAgUi)
  const aiChunks = events.map(toAi)
  const bytes = chunksOf(sseOf(events), 16_384)
  const aguiBytes = chunksOf(dataOnly(aguiEvents), 16_384)
  const aiBytes = chunksOf(dataOnly(aiChunks), 16_384)
  for (const reader of [readOurs, readParsed, readZod]) {
    deepStrictEqual(await readAll<unknown>(reader, bytes), events)
  }
  deepStrictEqual(await readAll(readAgUi, aguiBytes), aguiEvents)
  deepStrictEqual(await readAll(readAi, aiBytes), aiChunks)

  const times = await race(rounds, {
    ours: summing(readOurs, bytes),
    parsed: summing(readParsed, bytes),
    zod: summing(readZod, bytes),
    agui: summing(readAgUi, aguiBytes),
    ai: summing(readAi, aiBytes),
  })
  const rowOf = (peer: keyof typeof times, what: string, atLeast?: number): Row => {
    const faster = ratio(times[peer], times.ours)
    const row: Row = {
      what: `faster than ${what}`,
      measured: `${nsPer('event', times[peer], EVENTS)}; ours ${nsPer('event', times.ours, EVENTS)}`,
      ratio: { ...faster, against: 'ours' },
    }
    if (atLeast === undefined) return row
    return { ...row, budget: { figure: faster.typical, bound: 'at least', limit: atLeast, unit: 'x' } }
  }
  return [
    rowOf('agui', '`@ag-ui/core` `EventSchemas` (SSE by `eventsource-parser`)', 2),
    rowOf('ai', '`ai` `parseJsonEventStream` with `uiMessageChunkSchema`', 5),
    rowOf('parsed', '`eventsource-parser` and `JSON.parse`, nothing validated'),
    rowOf('zod', '`eventsource-parser`, `JSON.parse` and `contextAnyEventSchema`'),
  ]
}

/** A reader of `eventsource-parser` messages. */
function parsing<T>(decode: (data: string) => T): Reader<T> {
  return (chunks, take) => {
    const decoder = new TextDecoder()
    const parser = createParser({ onEvent: ({ data }) => take(decode(data)) })
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
  }
}

const readParsed = parsing((data): ContextAnyEvent => JSON.parse(data))
const readZod = parsing((data) => contextAnyEventSchema.parse(JSON.parse(data)))
const readAgUi: Reader<object> = parsing((data) => EventSchemas.parse(JSON.parse(data)))

const readAi: Reader<object> = async (chunks, take) => {
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

function dataOnly(values: readonly object[]): string {
  return values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')
}

/** The equivalent AG-UI event, of the same task. */
function toAgUi(event: ContextAnyEvent): object {
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

/** The equivalent AI SDK chunk. */
function toAi(event: ContextAnyEvent): object {
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
