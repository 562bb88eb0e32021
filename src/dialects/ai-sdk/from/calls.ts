/** The tool calls of a stream: their beginning, their start and their end. */

import { boundedEntries, boundedGet, boundedValues } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import { type Carried, readProvider } from '../wire/provider-metadata.ts'
import type { ToolOutputAvailableChunk, ToolOutputErrorChunk } from '../wire/types.ts'
import { type Draft, type EventWriter, withCarried } from './event-writer.ts'
import { type Call, iterationOf } from './state.ts'

/** Stores what is known of a call. */
export function setCall(writer: EventWriter, toolCallId: string, call: Call): void {
  writer.state.calls = writer.store(writer.state.calls, toolCallId, call)
}

export function newCall(writer: EventWriter, toolCallId: string, toolName: string): Call {
  const { state } = writer
  const known = boundedGet(state.calls, toolCallId)
  // A refused call of which nothing was emitted may start after all.
  const isRefused = known !== undefined && !known.isStarted && known.nextIndex === 0
  return {
    order: state.nextItem++,
    step: state.step,
    id: isRefused ? known.id : writer.newId(toolCallId || 'call'),
    toolName,
    phase: 'writing',
    isStarted: false,
    text: null,
    nextIndex: 0,
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
export function openCall(writer: EventWriter, toolCallId: string): Call | undefined {
  const call = boundedGet(writer.state.calls, toolCallId)
  return call?.phase === 'ended' ? undefined : call
}

/** Starts the call whose input is complete, as the chunk that follows does not ask to approve it. */
export function startHeldCall(writer: EventWriter): void {
  const { heldCall } = writer.state
  if (heldCall === null) return
  writer.state.heldCall = null
  const call = boundedGet(writer.state.calls, heldCall)
  if (call?.phase === 'ready') startCall(writer, heldCall, call)
}

/** Emits `tool-start`. */
export function startCall(writer: EventWriter, toolCallId: string, call: Call): Call {
  const { id, toolName, input } = call
  const metadata = withoutFalseClaim(writer, call.metadata)
  const draft: Draft = {
    kind: 'tool-start',
    toolCallId: id,
    toolName,
    arguments: JSON.parse(input || '{}') as Record<string, unknown>,
    ...iterationOf(call),
  }
  emitWith(writer, draft, metadata === null ? undefined : (cleanObject(metadata) as Metadata))
  const started: Call = { ...call, phase: call.phase === 'faulty' ? 'faulty' : 'running', isStarted: true }
  setCall(writer, toolCallId, started)
  return started
}

/** Emits a draft with its metadata; without, and reports it, if that is not valid. */
function emitWith(writer: EventWriter, draft: Draft, metadata: Metadata | undefined): void {
  if (metadata !== undefined && writer.emitDraft({ ...draft, metadata } as Draft)) return
  writer.emitDraft(draft)
  if (metadata !== undefined) {
    writer.lossy('providerMetadata', `The metadata of a ${draft.kind} is not valid.`, metadata)
  }
}

/** The metadata of a call that starts. It may have been approved before others ended, so that it does not run alone. */
function withoutFalseClaim(writer: EventWriter, metadata: Metadata | null): Metadata | null {
  if (metadata?.concurrent !== false) return metadata
  const all = [...boundedValues(writer.state.calls)]
  if (!all.some(({ isStarted, phase }) => isStarted && phase !== 'ended')) return metadata
  writer.lossy('providerMetadata', 'Another call runs beside this one.', { concurrent: false })
  const { concurrent: _, ...rest } = metadata
  return rest
}

/** Emits `tool-start` for a call that waited for the approval it now has. `null`: the request is about no call. */
export function startApproved(writer: EventWriter, toolCallId: string | null): void {
  const call = toolCallId === null ? undefined : boundedGet(writer.state.calls, toolCallId)
  if (toolCallId !== null && call?.phase === 'asked') startCall(writer, toolCallId, call)
}

export type Outcome = { success: true; result: unknown } | { success: false; error: string }

/** Emits `tool-complete`. */
export function endCall(
  writer: EventWriter,
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
  const known = isFields(stated.aiSdk) ? stated.aiSdk : {}
  const metadata = withCarried(
    Object.keys(stated).length > 0 ? (cleanObject(stated) as Metadata) : undefined,
    Object.keys(carried).length > 0 ? ({ ...known, ...carried } as Carried) : undefined,
  )
  const draft: Draft = { kind: 'tool-complete', toolCallId: id, toolName, ...outcome, ...iterationOf(call) }
  emitWith(writer, draft, metadata)
  setCall(writer, toolCallId, { ...call, phase: 'ended', text: null, input: '', output: '', metadata: null })
}

/** Ends the calls that nothing else will end, in the order in which they began. */
export function endCalls(writer: EventWriter, isSuccess: boolean): void {
  const open = [...boundedEntries(writer.state.calls)]
    .filter(([, call]) => call.phase !== 'ended')
    .sort(([, a], [, b]) => a.order - b.order)
  for (const [toolCallId, call] of open) {
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
    const isCutOff = !call.isStarted && call.nextIndex > 0
    const running = call.isStarted || isCutOff ? call : startCall(writer, toolCallId, call)
    const error = isCutOff ? 'The arguments were cut off.' : 'The stream ended before the output of the tool.'
    endCall(writer, toolCallId, running, { success: false, error })
  }
}
