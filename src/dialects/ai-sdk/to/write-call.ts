/** Maps the output and the end of a tool call to chunks. */

import { boundedDelete, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { setMember } from '../../../core/mutable.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { ToolCompleteEvent, ToolProgressEvent } from '../../../events/tool.ts'
import { parsedOrText } from '../../../json/parsed.ts'
import { isFields } from '../../../validation/predicates.ts'
import { calledItem, endCall } from '../../engine/end-items.ts'
import type { Item } from '../../engine/item.ts'
import { lostMetadata } from '../../engine/private-metadata.ts'
import { stored } from '../../shared/stored.ts'
import type { UiToolProgressData } from '../wire/data-parts.ts'
import { toProviderMetadata } from '../wire/provider-metadata.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { formats, ownMetadata } from './item-formats.ts'
import { type CallRecord, plainCall } from './state.ts'

/** The last characters of a stream that are kept: at least as many, at most twice as many. */
const MAX_OUTPUT = 32_768

/** The output of further streams of a call is not sent: the same as in views. */
const MAX_STREAMS = 32

/** Shorter output is sent with every piece; longer output when it has grown by a quarter. */
const SHORT_OUTPUT = 1024

/** What is special about a call. */
export function callRecord({ state }: ChunkWriter, toolCallId: string): CallRecord {
  return boundedGet(state.calls, toolCallId) ?? plainCall
}

export function setCall(writer: ChunkWriter, toolCallId: string, call: CallRecord): void {
  writer.state.calls = stored(writer, writer.state.calls, toolCallId, call, 'calls')
}

/** Emits the output so far as a preliminary output, and the progress as transient data. */
export function writeToolProgress(writer: ChunkWriter, event: ContextEvent<ToolProgressEvent>): void {
  const { toolCallId, progress, message, metadata } = event
  const { stream = '', chunk, ...rest } = metadata ?? {}
  const call = calledItem(writer, formats, event)
  if (call === undefined) return
  if (chunk !== undefined) {
    const isWhole = isFields(rest.aiSdk) && rest.aiSdk.preliminary === true
    const output = isWhole ? parsedOrText(chunk) : addOutput(writer, toolCallId, stream, chunk)
    const { toolName } = call
    if (output !== undefined)
      writer.send({
        type: 'tool-output-available',
        toolCallId,
        output,
        preliminary: true,
        ...writer.dynamic(toolName),
      })
  }
  const hasMetadata = Object.keys(rest).length > 0
  if (chunk !== undefined && progress === 0 && message === undefined && !hasMetadata) return
  const data: UiToolProgressData = {
    toolCallId,
    progress,
    ...(message !== undefined && { message }),
    ...(hasMetadata && { metadata: rest }),
  }
  writer.send({ type: 'data-tool-progress', id: toolCallId, data, transient: true })
}

/** Appends to the output of a call. Returns it if it is to be sent. */
function addOutput(writer: ChunkWriter, toolCallId: string, stream: string, chunk: string): unknown {
  const call = callRecord(writer, toolCallId)
  const output: Record<string, string> = { ...call.output }
  const isNew = !Object.hasOwn(output, stream)
  if (isNew && Object.keys(output).length >= MAX_STREAMS) {
    lostMetadata(writer, 'chunk')
    return undefined
  }
  const text = isNew ? chunk : output[stream] + chunk
  setMember(output, stream, text.length > 2 * MAX_OUTPUT ? text.slice(-MAX_OUTPUT) : text)
  const outputLength = call.outputLength + chunk.length
  const isDue = outputLength < SHORT_OUTPUT || outputLength >= call.sentLength * 1.25
  const sentLength = isDue ? outputLength : call.sentLength
  setCall(writer, toolCallId, { ...call, output, outputLength, sentLength })
  return isDue ? outputValue(output) : undefined
}

/** The output of a call as one value: a text, or texts by stream; `null` for none. */
function outputValue(output: CallRecord['output']): unknown {
  if (output === null) return null
  const streams = Object.keys(output)
  return streams.length === 1 && streams[0] === '' ? output[''] : { ...output }
}

/** Emits `tool-output-available`, `tool-output-error`, `tool-output-denied` or `tool-input-error`. */
export function writeToolComplete(writer: ChunkWriter, event: ContextEvent<ToolCompleteEvent>): void {
  const { state } = writer
  const { toolCallId, timestamp } = event
  const call = calledItem(writer, formats, event)
  if (call === undefined) return
  writeOutcome(writer, event, call)
  // The outcome of a call that is cut off states its input.
  endCall(writer, formats, { ...call, phase: 'running' }, timestamp)
  state.isStepOver = true
  state.calls = boundedDelete(state.calls, toolCallId)
}

function writeOutcome(
  writer: ChunkWriter,
  event: ContextEvent<ToolCompleteEvent>,
  { phase, text }: Item,
): void {
  const { toolCallId, toolName, success, result, error, metadata } = event
  const { asked, isDenied, output } = callRecord(writer, toolCallId)
  const errorText = error ?? 'The tool failed.'
  const { aiSdk, ...rest } = metadata ?? {}
  const providerMetadata = writer.version > 5 ? toProviderMetadata(ownMetadata(rest), aiSdk) : undefined
  const more = { ...writer.dynamic(toolName), ...(providerMetadata !== undefined && { providerMetadata }) }
  const hasDenial = isDenied && !success
  if (success) {
    if (result === undefined) writer.lossy('result', 'The call has no result.')
    const value = result === undefined ? outputValue(output) : result
    writer.send({ type: 'tool-output-available', toolCallId, output: value, ...more })
  } else if (hasDenial) {
    writer.send({ type: 'tool-output-denied', toolCallId })
    if (error !== undefined) writer.lossy('error', 'A denied call has no error.')
  } else if (phase === 'running' || asked !== null)
    writer.send({ type: 'tool-output-error', toolCallId, errorText, ...more })
  else writer.send({ type: 'tool-input-error', toolCallId, toolName, input: text ?? '', errorText, ...more })
  const isStated = Object.keys(metadata ?? {}).some((key) => !/^(m|parentM)essageId$/.test(key))
  if (isStated && (hasDenial || providerMetadata === undefined))
    writer.lossy('metadata', 'The chunk has no metadata.')
}
