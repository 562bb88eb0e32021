/** The tool calls of a chunk, in pieces. */

import { addArguments, endCall, openCall } from '../shared/calls.ts'
import { type Fields, fieldsOf, firstText, jsonTextOf, objectsOf, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { findOpen } from '../shared/state.ts'
import { endThought } from '../shared/thoughts.ts'
import { type ChatState, REASONING } from './state.ts'

export function readCalls(writer: ModelWriter<ChatState>, delta: Fields): void {
  const { tool_calls: pieces, function_call: single } = delta
  for (const piece of objectsOf(pieces)) readPiece(writer, piece)
  // The form of before there were several calls.
  if (single != null) readPiece(writer, { index: 0, function: single })
}

function readPiece(writer: ModelWriter<ChatState>, piece: Fields): void {
  const { function: called, custom } = piece
  const { name, arguments: text } = fieldsOf(called)
  const { name: customName, input } = fieldsOf(custom)
  const toolName = firstText(name, customName)
  const toolCallId = textOf(piece.id)
  const key = keyOf(writer, piece, toolCallId)
  endThought(writer, REASONING)
  // Some servers give all calls the same index.
  if (toolName !== '' && isOther(writer, key, toolCallId)) endCall(writer, key)
  openCall(writer, key, { toolCallId, toolName, ...(custom != null && { input: {} }) })
  addArguments(writer, key, textOf(input))
  addArguments(writer, key, argumentsText(text))
  writer.state.own = { lastCall: key, sources: writer.state.own.sources }
}

/** The key of the call that a piece belongs to: by its index, else its id, else the same as the last one. */
function keyOf({ state }: ModelWriter<ChatState>, { index }: Fields, toolCallId: string): string {
  if (typeof index === 'number') return `call ${index}`
  return toolCallId === '' ? state.own.lastCall : `call ${toolCallId}`
}

/** Whether a piece with an id belongs to another call than the open one with its key. */
function isOther({ state: { calls } }: ModelWriter<ChatState>, key: string, toolCallId: string): boolean {
  const known = calls[findOpen(calls, key, 'writing')]?.toolCallId ?? ''
  return known !== '' && toolCallId !== '' && known !== toolCallId
}

/** Some servers send the arguments as an object. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? jsonTextOf(value) : ''
}
