/** The tool calls of a stream: their beginning, their start and their end. */

import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { type Draft, uniqueId } from '../../engine/draft.ts'
import { iterationOf } from '../../engine/draft-item.ts'
import { readProvider } from '../wire/provider-metadata.ts'
import type { ToolOutputAvailableChunk, ToolOutputErrorChunk } from '../wire/types.ts'
import { emitWith } from './emit.ts'
import { type Call, type MessageWriter, OPEN, stepIteration } from './state.ts'

export function newCall(writer: MessageWriter, toolCallId: string, toolName: string): Call {
  const known = writer.item('calls', toolCallId)
  // A refused call of which nothing was emitted may start after all.
  const isRefused = known !== undefined && !known.isStarted && known.deltas === 0
  if (toolName === '')
    writer.inferred('toolName', `Expected the name of a tool in call ${describeValue(toolCallId)}, got "".`)
  return {
    iteration: stepIteration(writer.state),
    id: isRefused ? known.id : uniqueId(writer, 'call', toolCallId || 'call'),
    toolName: toolName || 'unknown',
    phase: 'writing',
    isStarted: false,
    text: '',
    isLong: false,
    deltas: 0,
    isText: false,
    input: '',
    metadata: null,
    output: '',
    progress: 0,
    request: known?.request ?? null,
    error: null,
  }
}

/** The call that a chunk belongs to, if it has not ended. */
export function openCall(writer: MessageWriter, toolCallId: string): Call | undefined {
  const call = writer.item('calls', toolCallId)
  return call?.phase === 'ended' ? undefined : call
}

/** Starts the call whose input is complete, as the chunk that follows does not ask to approve it. */
export function startHeldCall(writer: MessageWriter): void {
  const { heldCall } = writer.state
  if (heldCall === null) return
  writer.state.heldCall = null
  const call = writer.item('calls', heldCall)
  if (call?.phase === 'ready') startCall(writer, heldCall, call)
}

/** Emits `tool-start`. */
export function startCall(writer: MessageWriter, toolCallId: string, call: Call): Call {
  const { id, toolName, input } = call
  const metadata = withoutFalseClaim(writer, call.metadata)
  const draft: Draft = {
    kind: 'tool-start',
    toolCallId: id,
    toolName,
    arguments: JSON.parse(input || '{}') as Record<string, unknown>,
    ...iterationOf(call),
  }
  emitWith(writer, draft, metadata === null ? {} : (cleanObject(metadata) as Metadata))
  const started: Call = { ...call, phase: call.phase === 'faulty' ? 'faulty' : 'running', isStarted: true }
  writer.setItem('calls', toolCallId, started)
  return started
}

/** The metadata of a call that starts. It may have been approved before others ended, so that it does not run alone. */
function withoutFalseClaim(writer: MessageWriter, metadata: Metadata | null): Metadata | null {
  if (metadata?.concurrent !== false) return metadata
  if (!writer.itemsOf('calls', OPEN).some(([, { isStarted }]) => isStarted)) return metadata
  writer.lossy('providerMetadata', 'Another call runs beside this one.', { concurrent: false })
  const { concurrent: _, ...rest } = metadata
  return rest
}

/** Emits `tool-start` for a call that waited for the approval it now has. `null`: the request is about no call. */
export function startApproved(writer: MessageWriter, toolCallId: string | null): void {
  const call = toolCallId === null ? undefined : writer.item('calls', toolCallId)
  if (toolCallId !== null && call?.phase === 'asked') startCall(writer, toolCallId, call)
}

export type Outcome = { success: true; result: unknown } | { success: false; error: string }

/** Emits `tool-complete`. */
export function endCall(
  writer: MessageWriter,
  toolCallId: string,
  call: Call,
  outcome: Outcome,
  chunk?: ToolOutputAvailableChunk | ToolOutputErrorChunk,
): void {
  const { id, toolName } = call
  const { own, carried: read } = readProvider(chunk?.providerMetadata)
  const { toolMetadata, providerMetadata } = chunk ?? {}
  const { turnstream: _, ...others } = providerMetadata ?? {}
  const carried = {
    ...(read !== undefined && { providerMetadata: cleanObject(others) }),
    ...(toolMetadata !== undefined && { toolMetadata: cleanObject(toolMetadata) }),
  }
  const stated = {
    // The metadata of a call that never started is that of its failure.
    ...(!call.isStarted && call.metadata),
    ...(isFields(own.metadata) && own.metadata),
  }
  const known = fieldsOf(stated.aiSdk)
  const draft: Draft = { kind: 'tool-complete', toolCallId: id, toolName, ...outcome, ...iterationOf(call) }
  const metadata = cleanObject(stated) as Metadata
  const aiSdk = Object.keys(carried).length > 0 ? { ...known, ...carried } : undefined
  emitWith(writer, draft, aiSdk === undefined ? metadata : { ...metadata, aiSdk })
  writer.setItem('calls', toolCallId, {
    ...call,
    phase: 'ended',
    text: '',
    input: '',
    output: '',
    metadata: null,
  })
}

/** Ends the calls that nothing else will end, in the order in which they began. */
export function endCalls(writer: MessageWriter, isSuccess: boolean): void {
  for (const [toolCallId, call] of writer.itemsOf('calls', OPEN)) {
    if (call.phase === 'asked' || (call.phase === 'running' && !isSuccess)) continue
    if (call.error !== null) {
      endCall(writer, toolCallId, call, { success: false, error: call.error })
      continue
    }
    writer.diagnostic(
      'inferred:tool-complete',
      `Expected the output of call ${describeValue(toolCallId)}, got none.`,
      {
        detail: call.id,
      },
    )
    const isCutOff = !call.isStarted && call.deltas > 0
    const running = call.isStarted || isCutOff ? call : startCall(writer, toolCallId, call)
    const error = isCutOff ? 'The arguments were cut off.' : 'The stream ended before the output of the tool.'
    endCall(writer, toolCallId, running, { success: false, error })
  }
}
