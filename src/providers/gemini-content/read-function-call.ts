/** Calls of functions, as a whole or as values at JSON paths. */

import { addArguments, endCall, identifyCall, openCall } from '../shared/calls.ts'
import { type Fields, fieldsOf, jsonTextOf, objectsOf, textOf } from '../shared/fields.ts'
import { contentOf } from '../shared/growing.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { type CallState, findOpen } from '../shared/state.ts'
import { parsePath } from './json-path.ts'
import { addValue, endOfArguments, noArguments, type PathValue } from './path-arguments.ts'
import type { GeminiState } from './state.ts'

type Writer = ModelWriter<GeminiState>

/** Reads a call or a piece of one. Pieces without a name belong to the call that continues. */
export function readFunctionCall(writer: Writer, call: Fields, signature: string): void {
  const { args, partialArgs, willContinue } = call
  if (isOther(writer, call)) {
    endFunctionCall(writer)
    if (textOf(call.name) === '' && args == null && partialArgs == null) return
    openFunctionCall(writer, call, signature)
  }
  const { call: key } = writer.state.own
  const isWhole = Object.keys(fieldsOf(args)).length > 0
  if (isWhole) addArguments(writer, key, jsonTextOf(args))
  else for (const piece of objectsOf(partialArgs)) readPiece(writer, key, piece)
  if (isWhole || willContinue !== true) endFunctionCall(writer)
}

/** Ends the call that continues: the part that states its end may be missing. */
export function endFunctionCall(writer: Writer): void {
  const { call: key, args } = writer.state.own
  if (key === '') return
  writer.state.own = { ...writer.state.own, call: '', args: noArguments }
  const written = textOfCall(writer, key)
  const end = endOfArguments(args, written)
  if (end !== undefined) addArguments(writer, key, end)
  // Without a character they were complete.
  else if (written === '') addArguments(writer, key, '{')
  endCall(writer, key)
}

/** Whether a call is another one than the one that continues. */
function isOther(writer: Writer, { id, name }: Fields): boolean {
  const { call: key } = writer.state.own
  if (key === '') return true
  const toolCallId = stateOf(writer, key)?.toolCallId ?? ''
  const isNamed = textOf(id) !== '' && toolCallId !== ''
  return isNamed ? textOf(id) !== toolCallId : textOf(name) !== ''
}

function openFunctionCall(writer: Writer, { id, name }: Fields, signature: string): void {
  const { own } = writer.state
  const key = `call ${own.count}`
  writer.state.own = { ...own, count: own.count + 1, call: key, args: noArguments }
  openCall(writer, key, { toolCallId: textOf(id), toolName: textOf(name), signature })
  identifyCall(writer, key)
}

function readPiece(writer: Writer, key: string, piece: Fields): void {
  const { own } = writer.state
  const value = pathValueOf(piece)
  const [args, text] = value === undefined ? [{ ...own.args, isBroken: true }, ''] : addValue(own.args, value)
  if (args.isBroken && !own.args.isBroken) {
    writer.diagnostic('invalid-path', 'Expected a value at a JSON path that has a place in the arguments.', {
      path: '/functionCall/partialArgs',
      detail: { jsonPath: textOf(piece.jsonPath).slice(0, 256) },
    })
  }
  writer.state.own = { ...own, args }
  addArguments(writer, key, text)
}

function pathValueOf(piece: Fields): PathValue | undefined {
  const { jsonPath, stringValue, numberValue, boolValue, nullValue, willContinue } = piece
  const path = parsePath(textOf(jsonPath))
  const value = nullValue == null ? (stringValue ?? numberValue ?? boolValue) : null
  const isKnown =
    typeof value === 'string' || Number.isFinite(value) || typeof value === 'boolean' || value === null
  if (path === undefined || !isKnown) return undefined
  const scalar = value as PathValue['value']
  return { path, value: scalar, continues: typeof value === 'string' && willContinue === true }
}

function textOfCall(writer: Writer, key: string): string {
  const call = stateOf(writer, key)
  return call === undefined ? '' : contentOf(call.text)
}

function stateOf({ state: { calls } }: Writer, key: string): CallState | undefined {
  return calls[findOpen(calls, key, 'writing')]
}
