/** Maps the events of a tool call to chunks. */

import { boundedDelete, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { ToolArgumentsDeltaEvent, ToolCompleteEvent, ToolStartEvent } from '../../../events/tool.ts'
import { isEqualJson } from '../../../json/value.ts'
import { isFields } from '../../../validation/predicates.ts'
import { toProviderMetadata } from '../wire/provider-metadata.ts'
import type { JsonField, ProviderMetadata, ToolInputAvailableChunk } from '../wire/types.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import type { CallRecord } from './state.ts'
import { isRepeated } from './write-text.ts'

/** Longer arguments are not repeated if they are cut off. */
const MAX_INPUT = 1 << 20

/** A call before its first chunk. */
export function newCall(toolName: string, phase: CallRecord['phase'], input = '', nextIndex = 0): CallRecord {
  return {
    toolName,
    phase,
    input,
    nextIndex,
    metadata: null,
    approvalId: null,
    isDenied: false,
    output: null,
    outputLength: 0,
    sentLength: 0,
  }
}

/** What is known of a call. */
export function callOf({ state }: ChunkWriter, toolCallId: string): CallRecord | undefined {
  const call = boundedGet(state.calls, toolCallId)
  return call === undefined && boundedGet(state.endedCalls, toolCallId) ? newCall('', 'ended') : call
}

/** Stores what is known of a call. One that has ended makes room for those that have not. */
export function setCall(writer: ChunkWriter, toolCallId: string, call: CallRecord): void {
  const { state } = writer
  if (call.phase === 'ended') {
    state.calls = boundedDelete(state.calls, toolCallId)
    state.endedCalls = writer.store(state.endedCalls, toolCallId, true)
  } else state.calls = writer.store(state.calls, toolCallId, call)
}

/** A call as it is; one that is not known begins with an empty input, as readers require one. */
export function knownCall(
  writer: ChunkWriter,
  toolCallId: string,
  toolName: string,
  event: { readonly taskId: string; readonly iteration?: number },
): CallRecord {
  const known = callOf(writer, toolCallId)
  if (known !== undefined) return known
  writer.beginItem(event)
  return inferStart(writer, toolCallId, toolName)
}

function inferStart(writer: ChunkWriter, toolCallId: string, toolName: string): CallRecord {
  writer.inferred('tool-start', `Expected a tool-start of call ${describeValue(toolCallId)}, got none.`)
  writer.send({ type: 'tool-input-available', toolCallId, toolName, input: {}, ...writer.dynamic(toolName) })
  return newCall(toolName, 'running')
}

/** Emits `tool-input-start` once, and `tool-input-delta`. */
export function writeArgumentsDelta(writer: ChunkWriter, event: ContextEvent<ToolArgumentsDeltaEvent>): void {
  const { kind, toolCallId, toolName, delta, index, indexEnd = index } = event
  let call = callOf(writer, toolCallId)
  if (call !== undefined && call.phase !== 'writing') {
    writer.dropped(kind, 'out-of-order', `Got ${kind} after the input of the call.`)
    return
  }
  if (call === undefined) {
    call = newCall(toolName, 'writing')
    writer.beginItem(event)
    writer.send({ type: 'tool-input-start', toolCallId, toolName, ...writer.dynamic(toolName) })
  }
  if (isRepeated(writer, call, event)) return
  writer.send({ type: 'tool-input-delta', toolCallId, inputTextDelta: delta })
  const input = call.input.length > MAX_INPUT ? call.input : call.input + delta
  setCall(writer, toolCallId, newCall(call.toolName, 'writing', input, indexEnd + 1))
}

/** Emits `tool-input-available`, unless the same input was sent before to have it approved. */
export function writeToolStart(writer: ChunkWriter, event: ContextEvent<ToolStartEvent>): void {
  const { kind, toolCallId, toolName, arguments: input, metadata } = event
  const known = callOf(writer, toolCallId)
  if (known?.phase === 'running' || known?.phase === 'ended') {
    writer.dropped(
      kind,
      'repeated',
      `Expected one tool-start of call ${describeValue(toolCallId)}, got another.`,
    )
    return
  }
  if (known === undefined || known.phase === 'denied') writer.beginItem(event)
  if (known?.phase === 'asked' && known.approvalId === null && isEqualJson(JSON.parse(known.input), input)) {
    if (!isEqualJson(metadata ?? null, known.metadata))
      writer.changed('metadata', 'It was sent with other metadata.')
  } else writer.send(inputChunk(writer, { toolCallId, toolName, arguments: input, metadata }))
  const { approvalId = null, isDenied = false } = known ?? {}
  setCall(writer, toolCallId, { ...newCall(toolName, 'running'), approvalId, isDenied })
}

/** The complete input of a call. */
export function inputChunk(
  writer: ChunkWriter,
  call: Pick<ToolStartEvent, 'toolCallId' | 'toolName'> & {
    arguments: unknown
    metadata: ToolStartEvent['metadata'] | undefined
  },
): ToolInputAvailableChunk {
  const { toolCallId, toolName, arguments: input, metadata } = call
  const carried: Metadata = isFields(metadata?.aiSdk) ? metadata.aiSdk : {}
  const { title, toolMetadata } = carried
  const providerMetadata = callMetadata(metadata)
  return {
    type: 'tool-input-available',
    toolCallId,
    toolName,
    input,
    ...(metadata?.provider === 'provider' && { providerExecuted: true }),
    ...writer.dynamic(toolName),
    ...(typeof title === 'string' && writer.version > 5 && { title }),
    ...(isFields(toolMetadata) &&
      writer.version > 5 && { toolMetadata: toolMetadata as Record<string, JsonField> }),
    ...(providerMetadata !== undefined && { providerMetadata }),
  }
}

/** What `tool-input-available` has no fields for. */
export function callMetadata(metadata: ToolStartEvent['metadata']): ProviderMetadata | undefined {
  const { aiSdk, signature, ...rest } = metadata ?? {}
  const own = Object.keys(rest).length === 0 ? undefined : { metadata: rest }
  return toProviderMetadata(own, aiSdk, signature)
}

/** Emits `tool-output-available`, `tool-output-error`, `tool-output-denied` or `tool-input-error`. */
export function writeToolComplete(writer: ChunkWriter, event: ContextEvent<ToolCompleteEvent>): void {
  const { kind, toolCallId, toolName, success } = event
  let call = knownCall(writer, toolCallId, toolName, event)
  if (call.phase === 'ended') {
    writer.dropped(kind, 'repeated', `Call ${describeValue(toolCallId)} has already ended.`)
    return
  }
  if (call.phase === 'writing' && success) call = inferStart(writer, toolCallId, toolName)
  writeOutcome(writer, event, call)
  if (call.phase !== 'denied') writer.endItem()
  writer.state.isStepOver = true
  setCall(writer, toolCallId, newCall(toolName, 'ended'))
}

function writeOutcome(
  writer: ChunkWriter,
  event: ContextEvent<ToolCompleteEvent>,
  { phase, input, isDenied, output }: CallRecord,
): void {
  const { toolCallId, toolName, success, result, error, metadata } = event
  const errorText = error ?? 'The tool failed.'
  const { aiSdk, ...rest } = metadata ?? {}
  const own = Object.keys(rest).length === 0 ? undefined : { metadata: rest }
  const providerMetadata = writer.version > 5 ? toProviderMetadata(own, aiSdk) : undefined
  const more = { ...writer.dynamic(toolName), ...(providerMetadata !== undefined && { providerMetadata }) }
  const isKept = metadata === undefined || providerMetadata !== undefined
  if (phase === 'writing') {
    writer.send({ type: 'tool-input-error', toolCallId, toolName, input, errorText, ...more })
  } else if (success) {
    if (result === undefined) writer.changed('result', 'The call has no result.')
    writer.send({
      type: 'tool-output-available',
      toolCallId,
      output: result === undefined ? outputValue(output) : result,
      ...more,
    })
  } else if (isDenied && writer.version > 5) {
    if (phase !== 'denied') writer.send({ type: 'tool-output-denied', toolCallId })
    if (error !== undefined) writer.changed('error', 'A denied call has no error.')
    if (metadata === undefined) return
  } else {
    writer.send({ type: 'tool-output-error', toolCallId, errorText, ...more })
  }
  if (!isKept || (isDenied && !success)) writer.changed('metadata', 'The chunk has no metadata.')
}

/** The output of a call as one value: a text, or texts by stream; `null` for none. */
export function outputValue(output: Readonly<Record<string, string>> | null | undefined): unknown {
  if (output === null || output === undefined) return null
  const streams = Object.keys(output)
  return streams.length === 1 && streams[0] === '' ? output[''] : { ...output }
}
