/** Maps progress and output of a running tool to chunks. */

import type { ContextEvent } from '../../../events/event.ts'
import type { ToolProgressEvent } from '../../../events/tool.ts'
import { parsedOrText } from '../../../json/parsed.ts'
import { setMember } from '../../../json/value.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { UiToolProgressData } from '../wire/data-parts.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import type { CallRecord } from './state.ts'
import { callOf, knownCall, outputValue, setCall } from './write-tool.ts'

/** The last characters of a stream that are kept: at least as many, at most twice as many. */
const MAX_OUTPUT = 32_768

/** The output of further streams of a call is not sent: the same as in views. */
const MAX_STREAMS = 32

/** Shorter output is sent with every piece; longer output when it has grown by a quarter. */
const SHORT_OUTPUT = 1024

/** Emits the output so far as a preliminary output, and the progress as transient data. */
export function writeToolProgress(writer: ChunkWriter, event: ContextEvent<ToolProgressEvent>): void {
  const { toolCallId, progress, message, metadata } = event
  const { stream, chunk, ...rest } = metadata ?? {}
  if (chunk !== undefined) writeOutput(writer, event, chunk)
  const hasMore = message !== undefined || Object.keys(rest).length > 0
  if (chunk !== undefined && progress === 0 && !hasMore) return
  const data: UiToolProgressData = {
    toolCallId,
    progress,
    ...(message !== undefined && { message }),
    ...(Object.keys(rest).length > 0 && { metadata: rest }),
  }
  writer.send({ type: 'data-tool-progress', id: toolCallId, data, transient: true })
}

function writeOutput(writer: ChunkWriter, event: ContextEvent<ToolProgressEvent>, chunk: string): void {
  const { toolCallId, metadata } = event
  const known = callOf(writer, toolCallId)
  if (known !== undefined && known.phase !== 'running' && known.phase !== 'asked') {
    writer.changedMetadata('chunk', 'The call is not running.')
    return
  }
  const call = known ?? knownCall(writer, toolCallId, 'unknown', event)
  const { aiSdk } = metadata ?? {}
  if (isFields(aiSdk) && aiSdk.preliminary === true) {
    sendOutput(writer, toolCallId, call, parsedOrText(chunk))
    setCall(writer, toolCallId, call)
    return
  }
  const stream = metadata?.stream ?? ''
  const streams = Object.keys(call.output ?? {})
  if (streams.length >= MAX_STREAMS && !streams.includes(stream)) {
    writer.changedMetadata('chunk', `The call has more than ${MAX_STREAMS} streams.`)
    return
  }
  const next = withOutput(call, stream, chunk)
  const isDue = next.outputLength < SHORT_OUTPUT || next.outputLength >= next.sentLength * 1.25
  if (isDue) sendOutput(writer, toolCallId, call, outputValue(next.output))
  setCall(writer, toolCallId, isDue ? { ...next, sentLength: next.outputLength } : next)
}

function sendOutput(
  writer: ChunkWriter,
  toolCallId: string,
  { toolName }: CallRecord,
  output: unknown,
): void {
  const dynamic = writer.dynamic(toolName)
  writer.send({ type: 'tool-output-available', toolCallId, output, preliminary: true, ...dynamic })
}

function withOutput(call: CallRecord, stream: string, chunk: string): CallRecord {
  const before = call.output !== null && Object.hasOwn(call.output, stream) ? (call.output[stream] ?? '') : ''
  const text = before + chunk
  const output: Record<string, string> = { ...call.output }
  setMember(output, stream, text.length > 2 * MAX_OUTPUT ? text.slice(-MAX_OUTPUT) : text)
  return { ...call, output, outputLength: call.outputLength + chunk.length }
}
