/** Writing the calls of tools. */

import { describeValue } from '../../../core/require.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import type { ToolCompleteEvent, ToolProgressEvent, ToolStartEvent } from '../../../events/tool.ts'
import { jsonText } from '../../../json/json-text.ts'
import { reportLosses } from '../../shared/losses.ts'
import { argumentsText } from '../wire/json-text.ts'
import {
  closeCall,
  findCall,
  keyOf,
  newestCall,
  noOpenCalls,
  openCall,
  replaceCall,
} from '../wire/open-calls.ts'
import { progressData } from '../wire/progress.ts'
import { ownLosses } from './losses.ts'
import type { RunWriter } from './state.ts'
import { segmentAfterCall } from './write-text.ts'

/** More diagnostics help nobody. */
const MAX_DIAGNOSTICS = 32

export function writeCall(writer: RunWriter, event: ToolStartEvent, hasCallIds: boolean): void {
  const { toolCallId, toolName, metadata } = event
  const { text, isOriginal } = argumentsText(event.arguments, metadata?.toolArgs)
  if (text === undefined) writer.lossy('arguments', 'The arguments are not JSON; sent as {}.')
  const out = { type: 'tool_call', toolName, toolArgs: text ?? '{}' } as const
  writer.emit(hasCallIds ? { ...out, toolCallId } : out)
  reportLosses(writer, isOriginal ? withoutToolArgs(event) : event, ownLosses)
  const { state } = writer
  const order = state.callCount + 1
  const call = { key: keyOf(toolCallId), toolName, order, progress: 0 }
  const received = { key: keyOf(order), toolName, order, statedId: toolCallId }
  writer.update({
    segment: segmentAfterCall(state),
    callCount: order,
    openCalls: openCall(state.openCalls, call),
    receiverCalls: hasCallIds ? noOpenCalls : openCall(state.receiverCalls, received),
  })
}

export function writeProgress(writer: RunWriter, event: ToolProgressEvent, hasCallIds: boolean): void {
  const { toolCallId, progress, message, metadata } = event
  const { openCalls } = writer.state
  const call = findCall(openCalls, { toolCallId })
  if (call === undefined) {
    const text = `Expected the toolCallId of an open call, got ${describeValue(toolCallId)}.`
    writer.diagnostic(`dropped:${event.kind}`, text, { detail: { reason: 'not-started', toolCallId } })
    return
  }
  const { toolName } = call
  const out = { type: 'tool_progress', toolName, data: progressData(event) } as const
  writer.emit(hasCallIds ? { ...out, toolCallId } : out)
  if (!hasCallIds) reportReceiver(writer, toolCallId, toolName)
  if (metadata !== undefined && Object.hasOwn(metadata, 'data')) {
    const text = 'Only metadata.data is sent.'
    if (progress !== call.progress) writer.lossy('progress', text)
    if (message !== undefined) writer.lossy('message', text)
    const others = Object.keys(metadata).filter((key) => key !== 'data' && metadata[key] !== undefined)
    for (const key of others.slice(0, MAX_DIAGNOSTICS)) {
      writer.diagnostic('lossy:metadata', text, { path: toPointer(['metadata', key]) })
    }
  } else writer.update({ openCalls: replaceCall(openCalls, { ...call, progress }) })
  reportLosses(writer, event, ownLosses)
}

export function writeResult(writer: RunWriter, event: ToolCompleteEvent, hasCallIds: boolean): void {
  const { toolCallId, toolName, success, result, error } = event
  const failure = success ? undefined : error
  const text = typeof result === 'string' ? result : result === undefined ? '' : jsonText(result)
  const out = { type: 'tool_result', toolName, output: failure ?? text ?? '' } as const
  writer.emit({ ...out, ...(!success && { isError: true }), ...(hasCallIds && { toolCallId }) })
  if (result !== undefined && (!success || typeof result !== 'string')) {
    writer.lossy('result', success ? 'The result is sent as JSON text.' : 'A failed call has no result.')
  }
  if (success && error !== undefined) writer.lossy('error', 'A successful call has no error.')
  if (!hasCallIds) reportReceiver(writer, toolCallId, toolName)
  reportLosses(writer, event, ownLosses)
  const { openCalls, receiverCalls } = writer.state
  const call = findCall(openCalls, { toolCallId })
  const closed = hasCallIds ? undefined : newestCall(receiverCalls, toolName)
  writer.update({
    openCalls: call === undefined ? openCalls : closeCall(openCalls, call),
    receiverCalls: closed === undefined ? receiverCalls : closeCall(receiverCalls, closed),
  })
}

/** Reports if a receiver without ids matches the event to another call. */
function reportReceiver(writer: RunWriter, toolCallId: string, toolName: string): void {
  const assumed = newestCall(writer.state.receiverCalls, toolName)?.statedId
  if (assumed === undefined || assumed === toolCallId) return
  const [expected, actual] = [describeValue(toolCallId), describeValue(assumed)]
  writer.lossy('toolCallId', `A receiver reads call ${actual}, not ${expected}.`, {
    assumed,
  })
}

function withoutToolArgs(event: ToolStartEvent): ToolStartEvent {
  const { toolArgs: _, ...metadata } = event.metadata ?? {}
  return { ...event, metadata }
}
