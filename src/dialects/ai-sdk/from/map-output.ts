/** Maps the output of tool calls to events. */

import { describeValue } from '../../../core/require.ts'
import { parsedJson } from '../../../json/parsed.ts'
import { cleanJson, cleanText } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import { emitValid } from '../../engine/draft.ts'
import { iterationOf } from '../../engine/draft-item.ts'
import { MAX_ARGUMENTS } from '../../shared/limits.ts'
import type { ToolOutputAvailableChunk, ToolOutputErrorChunk } from '../wire/types.ts'
import { answerInput, takeRequests } from './answers.ts'
import { endCall, newCall, openCall, startCall } from './calls.ts'
import { isStreamed } from './map-input.ts'
import type { Call, MessageWriter } from './state.ts'

/** A call that has started, for its output: one that is not known starts with unknown arguments. */
function runningCall(writer: MessageWriter, type: string, toolCallId: string): Call | undefined {
  const known = writer.item('calls', toolCallId)
  if (known?.phase === 'ended') return undefined
  if (known?.isStarted) return known
  if (known === undefined) {
    writer.inferred(
      'tool-start',
      `Expected the input of call ${describeValue(toolCallId)} before ${type}, got none.`,
    )
    return startCall(writer, toolCallId, newCall(writer, toolCallId, 'unknown'))
  }
  if (known.phase === 'ready' || known.phase === 'asked') return startCall(writer, toolCallId, known)
  return restartCall(writer, type, toolCallId, known)
}

/** Starts a call whose streamed arguments were cut off or invalid, as the tool has run all the same. */
function restartCall(writer: MessageWriter, type: string, toolCallId: string, known: Call): Call {
  const message = `Expected the whole input of call ${describeValue(toolCallId)} before ${type}, got pieces.`
  writer.inferred('tool-start', message)
  const value = parsedJson(known.input || known.text)
  const args = isFields(value) ? value : {}
  const input = JSON.stringify(args)
  if (isStreamed(known, args)) return startCall(writer, toolCallId, { ...known, input })
  const { metadata } = known
  const replaced: Call = { ...known, metadata: null }
  endCall(writer, toolCallId, replaced, { success: false, error: 'The streamed arguments were replaced.' })
  return startCall(writer, toolCallId, { ...newCall(writer, toolCallId, known.toolName), input, metadata })
}

/** Emits `tool-progress` or `tool-complete`. */
export function mapOutput(writer: MessageWriter, chunk: ToolOutputAvailableChunk): void {
  const { type, toolCallId, output, preliminary } = chunk
  approve(writer, toolCallId)
  const call = runningCall(writer, type, toolCallId)
  if (call === undefined) {
    dropLate(writer, type, toolCallId, output)
    return
  }
  if (preliminary === true) emitPreliminary(writer, toolCallId, call, output)
  else endCall(writer, toolCallId, call, { success: true, result: cleanJson(output) ?? null }, chunk)
}

/** Reports another outcome of a call. */
function dropLate(writer: MessageWriter, type: string, toolCallId: string, output: unknown): void {
  const message = `Call ${describeValue(toolCallId)} has already ended.`
  writer.diagnostic(`dropped:${type}`, message, { detail: { reason: 'after-end', output } })
}

/** Emits what a preliminary output adds to the one before, or all of it as JSON. */
function emitPreliminary(writer: MessageWriter, toolCallId: string, call: Call, output: unknown): void {
  const { id, progress } = call
  if (typeof output === 'string' && output.startsWith(call.output)) {
    const chunk = output.slice(call.output.length)
    emitValid(writer, {
      kind: 'tool-progress',
      toolCallId: id,
      progress,
      ...iterationOf(call),
      metadata: { chunk },
    })
    writer.setItem('calls', toolCallId, { ...call, output: output.length > MAX_ARGUMENTS ? '' : output })
    return
  }
  const chunk = cleanText(output)
  const metadata = { chunk, aiSdk: { preliminary: true } }
  emitValid(writer, { kind: 'tool-progress', toolCallId: id, progress, ...iterationOf(call), metadata })
}

/** Emits `tool-complete` with an error. */
export function mapOutputError(writer: MessageWriter, chunk: ToolOutputErrorChunk): void {
  const { type, toolCallId, errorText } = chunk
  approve(writer, toolCallId)
  const known = openCall(writer, toolCallId)
  // A call whose input was cut off ends without having started.
  const isCutOff = known !== undefined && !known.isStarted && known.deltas > 0 && known.phase !== 'ready'
  const call = isCutOff ? known : runningCall(writer, type, toolCallId)
  if (call === undefined) dropLate(writer, type, toolCallId, errorText)
  else endCall(writer, toolCallId, call, { success: false, error: errorText }, chunk)
}

/** Answers the request to approve a call, as the call continues. */
function approve(writer: MessageWriter, toolCallId: string): void {
  for (const inputId of takeRequests(writer, toolCallId)) {
    writer.inferred('input-received', `Expected an answer to request ${describeValue(inputId)}, got none.`)
    answerInput(writer, inputId, 'answered')
  }
}
