/** Maps the input of tool calls to events. */

import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { parsedJson } from '../../../json/parsed.ts'
import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { isEqualJson } from '../../../json/value.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { emitValid } from '../../engine/draft.ts'
import { appendArguments, dropUnstarted, withPiece } from '../../engine/draft-item.ts'
import { dropRepeated } from '../../engine/drop.ts'
import { MAX_ARGUMENTS } from '../../shared/limits.ts'
import { type Carried, readProvider } from '../wire/provider-metadata.ts'
import type {
  ToolInputAvailableChunk,
  ToolInputDeltaChunk,
  ToolInputErrorChunk,
  ToolInputStartChunk,
} from '../wire/types.ts'
import { endCall, newCall, openCall, startCall } from './calls.ts'
import { withProvider } from './map-text.ts'
import type { Call, MessageWriter } from './state.ts'

/** The beginning and the end of arguments around the text of a tool that takes plain text. */
const TEXT_PREFIX = '{"input":"'

const TEXT_SUFFIX = '"}'

/** Begins a call. Nothing is emitted before the first piece of its input. */
export function mapInputStart(writer: MessageWriter, chunk: ToolInputStartChunk): void {
  const { type, toolCallId, toolName, inputEncoding } = chunk
  endCutOff(writer, toolCallId)
  if (openCall(writer, toolCallId) !== undefined) {
    dropRepeated(writer, type, toolCallId)
    return
  }
  const call = newCall(writer, toolCallId, toolName)
  writer.setItem('calls', toolCallId, {
    ...call,
    isText: inputEncoding === 'text',
    metadata: metadataOf(writer, chunk, null),
  })
}

/** Emits `tool-arguments-delta`. */
export function mapInputDelta(
  writer: MessageWriter,
  { type, toolCallId, inputTextDelta }: ToolInputDeltaChunk,
): void {
  const call = openCall(writer, toolCallId)
  if (call?.phase !== 'writing') {
    dropUnstarted(writer, 'tool-input-start', toolCallId, type)
    return
  }
  const escaped = call.isText ? JSON.stringify(inputTextDelta).slice(1, -1) : inputTextDelta
  emitArguments(writer, toolCallId, call, call.isText && call.deltas === 0 ? TEXT_PREFIX + escaped : escaped)
}

function emitArguments(writer: MessageWriter, toolCallId: string, call: Call, delta: string): Call {
  const next = withPiece(call, appendArguments(writer, call, delta, writer.state))
  const isLong = call.isLong || next.text.length > MAX_ARGUMENTS
  const known: Call = isLong ? { ...next, text: '', isLong } : next
  writer.setItem('calls', toolCallId, known)
  return known
}

/** What of a chunk of a call events have no field for, with that of the chunks before. Reports what is replaced. */
function metadataOf(
  writer: MessageWriter,
  chunk: ToolInputStartChunk | ToolInputAvailableChunk | ToolInputErrorChunk,
  known: Metadata | null,
): Metadata | null {
  const { providerExecuted, providerMetadata, toolMetadata, title, dynamic } = chunk
  const { own, carried: read, signature, isRedacted } = readProvider(providerMetadata)
  const before: Carried = isFields(known?.aiSdk) ? known.aiSdk : {}
  const carried: Metadata = {
    ...before,
    ...read,
    ...withProvider(writer, before.providerMetadata, read?.providerMetadata),
    ...(title !== undefined && { title }),
    ...(toolMetadata !== undefined && { toolMetadata: cleanObject(toolMetadata) }),
    ...(dynamic === false && { dynamic }),
  }
  const metadata: Metadata = {
    ...known,
    ...(isFields(own.metadata) && (cleanObject(own.metadata) as Metadata)),
    ...(providerExecuted === true && { provider: 'provider' }),
    ...(signature !== undefined && { signature }),
    ...(isRedacted && { redacted: true }),
    ...(Object.keys(carried).length > 0 && { aiSdk: carried }),
  }
  reportReplaced(writer, before, carried)
  reportReplaced(writer, known ?? {}, metadata)
  return Object.keys(metadata).length === 0 ? null : metadata
}

function reportReplaced(writer: MessageWriter, before: Fields, after: Fields): void {
  for (const key of Object.keys(before)) {
    // Those of providers are merged.
    if (key === 'aiSdk' || key === 'providerMetadata' || isEqualJson(before[key], after[key])) continue
    writer.lossy(key, 'The last chunk of the input counts.', before[key])
  }
}

/** The call of a chunk; a new one if none is open. It keeps its name. */
function callOf(
  writer: MessageWriter,
  { toolCallId, toolName }: ToolInputAvailableChunk | ToolInputErrorChunk,
): Call {
  const known = openCall(writer, toolCallId)
  if (known !== undefined && known.toolName !== (toolName || 'unknown')) {
    writer.lossy('toolName', `Expected the tool ${describeValue(known.toolName)}, got another.`, toolName)
  }
  return known ?? newCall(writer, toolCallId, toolName)
}

/** The arguments of an input: an object as it is, any other value as `{ input }`. */
export function argumentsOf(writer: MessageWriter, input: unknown, isText: boolean): Record<string, unknown> {
  if (isFields(input)) return cleanObject(input) as Record<string, unknown>
  if (!isText) writer.lossy('input', 'Expected an object.', input)
  const value = cleanJson(input)
  return value === undefined ? {} : { input: value }
}

/** Takes the complete input. The call starts with the next chunk, unless that asks to approve it. */
export function mapInputAvailable(writer: MessageWriter, chunk: ToolInputAvailableChunk): void {
  const { type, toolCallId, input } = chunk
  endCutOff(writer, toolCallId)
  const call = callOf(writer, chunk)
  const args = argumentsOf(writer, input, call.isText)
  const text = JSON.stringify(args)
  if (call.phase !== 'writing') {
    if (call.phase === 'asked' && call.input === text) startCall(writer, toolCallId, call)
    else if (call.input !== text)
      writer.dropped(type, 'repeated', `The input of ${describeValue(toolCallId)} was complete before.`)
    return
  }
  const metadata = metadataOf(writer, chunk, call.metadata)
  const whole = endArguments(writer, toolCallId, call, args)
  if (!isStreamed(whole, args)) {
    // Arguments that were repaired, or replaced by an error. Whether the tool runs shows its output.
    writer.lossy('input', 'Expected the streamed input, got another.', input)
    writer.setItem('calls', toolCallId, { ...whole, input: text, metadata, phase: 'faulty' })
    return
  }
  writer.setItem('calls', toolCallId, { ...whole, input: text, metadata, phase: 'ready' })
  writer.state.heldCall = toolCallId
}

/** Ends the arguments of a tool that takes plain text, and emits the rest of those of which only the beginning was streamed. */
function endArguments(writer: MessageWriter, toolCallId: string, call: Call, args: unknown): Call {
  if (call.deltas === 0) return call
  if (call.isText) return emitArguments(writer, toolCallId, call, TEXT_SUFFIX)
  const { text } = call
  const json = JSON.stringify(args)
  if (isStreamed(call, args) || !json.startsWith(text)) return call
  return emitArguments(writer, toolCallId, call, json.slice(text.length))
}

/** Whether the streamed arguments, if there are any, are those of the complete input. */
export function isStreamed({ deltas, text, isLong }: Call, args: unknown): boolean {
  if (deltas === 0 || isLong) return true
  // Providers stream no text where there are no arguments.
  return isEqualJson(text.trim() === '' ? {} : parsedJson(text), args)
}

/** Ends a call whose input had an error, as another one with its id begins: a response that was discarded comes again. */
function endCutOff(writer: MessageWriter, toolCallId: string): void {
  const call = openCall(writer, toolCallId)
  if (call?.phase === 'faulty' && call.error !== null)
    endCall(writer, toolCallId, call, { success: false, error: call.error })
}

/** Emits a failure of the call, whose outcome may still come. */
export function mapInputError(writer: MessageWriter, chunk: ToolInputErrorChunk): void {
  const { toolCallId, input, errorText } = chunk
  const known = callOf(writer, chunk)
  const metadata = metadataOf(writer, chunk, known.metadata)
  let call: Call = { ...known, metadata, phase: 'faulty', error: errorText }
  if (!call.isStarted && isStreamed(call, input)) {
    call = { ...call, input: JSON.stringify(argumentsOf(writer, input, call.isText)) }
    call = startCall(writer, toolCallId, call)
  } else if (input !== undefined && input !== call.text && !isEqualJson(parsedJson(call.input), input)) {
    writer.lossy('input', 'The call keeps its first input.', input)
  }
  writer.setItem('calls', toolCallId, call)
  emitValid(writer, {
    kind: 'task-error',
    error: { code: 'tool_failed', message: errorText, retry: 'retrying', scope: 'tool', toolCallId: call.id },
  })
}
