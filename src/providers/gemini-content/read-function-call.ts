/** Calls of functions, as a whole or as values at JSON paths. */

import { isEqualJson } from '../../json/value.ts'
import { addArguments, argumentsOf, endCall, identifyCall, openCall } from '../shared/calls.ts'
import { addContent } from '../shared/content.ts'
import { type Fields, fieldsOf, jsonTextOf, objectsOf, textOf } from '../shared/fields.ts'
import { contentOf } from '../shared/growing.ts'
import { hasSpace, keepName } from '../shared/limits.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { findOpen, MAX_ITEMS } from '../shared/state.ts'
import { parsePath } from './json-path.ts'
import {
  addValue,
  endOfArguments,
  noArguments,
  type PathArguments,
  type PathValue,
} from './path-arguments.ts'
import type { GeminiState, OpenCall } from './state.ts'

type Writer = ModelWriter<GeminiState>

/** Reads a call or a piece of one: of the call with its id, or else of the last one that continues. */
export function readFunctionCall(writer: Writer, call: Fields, signature: string): void {
  const { args, partialArgs, willContinue } = call
  const open = openOf(writer, call)
  if (open === undefined && textOf(call.name) === '') {
    // A part without anything is the end of a call, which may be missing or repeated.
    if (args == null && partialArgs == null) return
    writer.dropped('arguments', 'after-end', 'Expected arguments of a call that continues.')
    return
  }
  if (open === undefined && isRepeated(writer, call)) {
    writer.dropped('call', 'repeated', `Expected call ${textOf(call.id)} once, got it again.`)
    return
  }
  const key = open?.key ?? openFunctionCall(writer, call, signature)
  if (Object.keys(fieldsOf(args)).length > 0) {
    take(writer, key)
    endCall(writer, key, jsonTextOf(args))
    return
  }
  for (const piece of objectsOf(partialArgs)) readPiece(writer, key, piece)
  if (willContinue !== true) endFunctionCall(writer, key)
}

/** Ends the calls that continue, as the model has stopped: the parts that state their end may be missing. */
export function endFunctionCalls(writer: Writer): void {
  for (const { key } of writer.state.own.calls) endFunctionCall(writer, key)
}

/** Makes sure that the calls that continue do not seem to have no arguments, as the model could not finish. */
export function cutFunctionCalls(writer: Writer): void {
  for (const { key } of writer.state.own.calls) {
    take(writer, key)
    if (textOfCall(writer, key) === '') addArguments(writer, key, '{')
  }
}

function endFunctionCall(writer: Writer, key: string): void {
  const args = take(writer, key)
  const written = textOfCall(writer, key)
  const end = endOfArguments(args, written)
  const { isBroken, textPath, left } = args
  if (end === undefined && !isBroken && textPath === null && left.length === 0) reportPath(writer, '')
  if (end !== undefined) addArguments(writer, key, end)
  // Without a character they were complete.
  else if (written === '') addArguments(writer, key, '{')
  endCall(writer, key)
}

/** Whether a call with all its arguments is the same as one before. */
function isRepeated({ state: { calls } }: Writer, { id, name, args, partialArgs }: Fields): boolean {
  if (textOf(id) === '' || partialArgs != null) return false
  const known = calls.find(({ toolCallId, status }) => toolCallId === id && status === 'complete')
  if (known === undefined || known.toolName !== name) return false
  return isEqualJson(argumentsOf(contentOf(known.text)).value, fieldsOf(args))
}

/** The call that a piece belongs to, if it continues. */
function openOf({ state }: Writer, { id, name }: Fields): OpenCall | undefined {
  const { calls } = state.own
  if (textOf(id) === '') return textOf(name) === '' ? calls.at(-1) : undefined
  const isSame = (call: OpenCall): boolean => textOf(name) === '' || textOf(name) === call.name
  const known = calls.findLast((call) => call.id === textOf(id) && isSame(call))
  // The id may follow the start of the call.
  return known ?? (textOf(name) === '' ? calls.findLast((call) => call.id === '') : undefined)
}

function openFunctionCall(writer: Writer, fields: Fields, signature: string): string {
  const { own } = writer.state
  const [id, name] = [keepName(writer, textOf(fields.id)), keepName(writer, textOf(fields.name))]
  const key = `call ${own.count}`
  const call: OpenCall = { key, id, name, args: noArguments }
  const calls = own.calls.length < MAX_ITEMS ? [...own.calls, call] : own.calls
  writer.state.own = { ...own, count: own.count + 1, calls }
  const block = {
    functionCall: { id, name },
    ...(signature !== '' && { thoughtSignature: signature }),
  }
  const place = { path: ['functionCall', 'args'], labelPath: ['functionCall', 'id'] }
  addContent(writer, key, { of: 'call', ...place }, block)
  openCall(writer, key, { toolCallId: id, toolName: name, signature })
  identifyCall(writer, key)
  return key
}

/** Removes a call from those that continue. Returns its arguments. */
function take(writer: Writer, key: string): PathArguments {
  const { own } = writer.state
  writer.state.own = { ...own, calls: own.calls.filter((call) => call.key !== key) }
  return own.calls.find((call) => call.key === key)?.args ?? noArguments
}

function readPiece(writer: Writer, key: string, piece: Fields): void {
  const { own } = writer.state
  const call = own.calls.find((other) => other.key === key)
  if (call === undefined) return
  const value = pathValueOf(piece)
  const broken = [{ ...call.args, isBroken: true }, ''] as const
  const added = value === undefined ? broken : addValue(call.args, value)
  const hasRoom = hasSpace(writer, added[0].lateLength - call.args.lateLength)
  const [args, text] = hasRoom ? added : broken
  if (args.isBroken && !call.args.isBroken) {
    reportPath(writer, textOf(piece.jsonPath))
  }
  writer.state.own = { ...own, calls: own.calls.map((other) => (other === call ? { ...call, args } : other)) }
  addArguments(writer, key, text)
}

/** Reports a value without a place. An item of an array that lacks those before it is known at the end. */
function reportPath(writer: Writer, jsonPath: string): void {
  writer.diagnostic('invalid-path', 'Expected a value at a JSON path that has a place in the arguments.', {
    path: '/functionCall/partialArgs',
    ...(jsonPath !== '' && { detail: { jsonPath: jsonPath.slice(0, 256) } }),
  })
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

function textOfCall({ state: { calls } }: Writer, key: string): string {
  const call = findOpen(calls, key, 'writing')
  return call === undefined ? '' : contentOf(call.text)
}
