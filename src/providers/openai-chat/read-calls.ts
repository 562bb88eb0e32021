/** The tool calls of a chunk, in pieces. */

import { balanced, balanceOf, isOpen } from '../../json/balance.ts'
import { addArguments, dropArguments, openCall, renameCall, stateArguments } from '../shared/calls.ts'
import { type Fields, fieldsOf, firstText, jsonTextOf, objectsOf, textOf } from '../shared/fields.ts'
import { contentOf } from '../shared/growing.ts'
import { keepName } from '../shared/limits.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { reportFields } from '../shared/report.ts'
import { type CallState, findOpen, MAX_ITEMS } from '../shared/state.ts'
import { endReasoning } from './read-reasoning.ts'
import type { CallRef, ChatState } from './state.ts'

type Writer = ModelWriter<ChatState>

/** What a piece states about its call. Empty, or `null`: nothing. */
interface Piece {
  readonly index: number | null
  readonly id: string
  readonly name: string
  /** Of the arguments. */
  readonly text: string
}

const pieceFields = new Set('index id type function custom extra_content'.split(' '))

export function readCalls(writer: Writer, delta: Fields): void {
  const { tool_calls: pieces, function_call: single } = delta
  /** The calls that this chunk has named. */
  const named = new Set<string>()
  for (const piece of objectsOf(pieces)) readPiece(writer, piece, named)
  // The form of before there were several calls.
  if (single != null) readPiece(writer, { index: 0, function: single }, named)
}

/** Reads calls as a whole: those of which pieces were read lack only what the pieces do. */
export function readWholeCalls(writer: Writer, { tool_calls: calls, function_call: single }: Fields): void {
  const wholes = single == null ? objectsOf(calls) : [{ function: single }]
  let left = writer.state.own.calls
  for (const whole of wholes) {
    const id = textOf(whole.id)
    const known = left.find((ref) => ref.id === id) ?? left.find((ref) => ref.id === '' || id === '')
    if (known === undefined) readPiece(writer, { ...whole, index: null }, new Set())
    else if (callOf(writer, known) !== undefined) {
      const { name, arguments: text } = fieldsOf(whole.function ?? whole.custom)
      openCall(writer, known.key, { toolCallId: id, toolName: textOf(name) })
      stateArguments(writer, known.key, argumentsText(text ?? fieldsOf(whole.custom).input))
    }
    left = left.filter((ref) => ref !== known)
  }
}

function readPiece(writer: Writer, fields: Fields, named: Set<string>): void {
  const { function: called, custom, index, id } = fields
  const { name, arguments: text } = fieldsOf(called)
  const { name: customName, input } = fieldsOf(custom)
  const piece: Piece = {
    index: indexOf(index),
    id: textOf(id),
    name: firstText(name, customName),
    text: argumentsText(text),
  }
  endReasoning(writer)
  reportFields(writer, fields, pieceFields, '/choices/0/delta/tool_calls')
  const known = refOf(writer, piece, named)
  const isOpen = known !== undefined && callOf(writer, known) !== undefined
  if (known !== undefined && !isOpen && (piece.name === '' || (piece.id !== '' && piece.id === known.id))) {
    dropArguments(writer)
    return
  }
  const ref = isOpen ? refined(writer, known, piece) : newRef(writer, piece)
  if (piece.name !== '') named.add(ref.key)
  openCall(writer, ref.key, {
    toolCallId: ref.id,
    toolName: piece.name,
    // Gemini, in the format of OpenAI.
    signature: textOf(fieldsOf(fieldsOf(fields.extra_content).google).thought_signature),
    ...(custom != null && { input: {} }),
  })
  addArguments(writer, ref.key, textOf(input))
  addArguments(writer, ref.key, piece.text)
}

/**
 * The call that a piece belongs to: the one with its id, or else the last one with its index, or else the last one.
 * `undefined` if it begins another call.
 */
function refOf(writer: Writer, piece: Piece, named: ReadonlySet<string>): CallRef | undefined {
  const { calls, lastCall } = writer.state.own
  const { index, id, name } = piece
  // Two calls may have the same id: then the index and the name identify them.
  const hasIndex = (ref: CallRef): boolean => index === null || ref.index === null || ref.index === index
  const identified =
    id === '' ? undefined : calls.findLast((ref) => ref.id === id && (name === '' || hasIndex(ref)))
  if (identified !== undefined) return identified
  const last = calls.find(({ key }) => key === lastCall)
  const indexed = last?.index === index ? last : calls.findLast((ref) => ref.index === index)
  const known = index === null ? (id === '' ? last : undefined) : indexed
  if (known === undefined || (id !== '' && known.id !== '')) return undefined
  return isAnother(writer, known, piece, index === null && named.has(known.key)) ? undefined : known
}

/** Whether a piece with a name begins another call than the one it follows. Servers may repeat names, or cut them. */
function isAnother(writer: Writer, ref: CallRef, { name, text }: Piece, isNamed: boolean): boolean {
  const call = callOf(writer, ref)
  if (call === undefined || name === '' || call.toolName === '') return false
  const known = contentOf(call.text)
  if (known === '') return isNamed
  return call.toolName !== name || (/^\s*\{/.test(text) && isWhole(writer, ref, known))
}

/** Whether arguments are whole. Reads what follows those that were read before. */
function isWhole(writer: Writer, ref: CallRef, text: string): boolean {
  const searched = balanceOf(text, ref.searched)
  replaceRef(writer, ref, { ...ref, searched })
  return !isOpen(searched)
}

function replaceRef(writer: Writer, ref: CallRef, next: CallRef): void {
  const { own } = writer.state
  writer.state.own = { ...own, calls: own.calls.map((other) => (other.key === ref.key ? next : other)) }
}

/** The call with what a later piece states. Servers may send a name in pieces, before the arguments. */
function refined(writer: Writer, known: CallRef, { index, id, name }: Piece): CallRef {
  const ref = { ...known, index: known.index ?? index, id: known.id || keepName(writer, id) }
  if (known.id !== ref.id || known.index !== ref.index) replaceRef(writer, known, ref)
  writer.state.own = { ...writer.state.own, lastCall: ref.key }
  const call = callOf(writer, ref)
  if (call === undefined || call.toolName === '' || call.toolName === name || contentOf(call.text) !== '')
    return ref
  if (name !== '') renameCall(writer, ref.key, name.startsWith(call.toolName) ? name : call.toolName + name)
  return ref
}

function newRef(writer: Writer, { index, id }: Piece): CallRef {
  const { own } = writer.state
  const ref = { key: `call ${own.calls.length}`, index, id: keepName(writer, id), searched: balanced }
  if (own.calls.length < MAX_ITEMS)
    writer.state.own = { ...own, calls: [...own.calls, ref], lastCall: ref.key }
  return ref
}

/** The call, if it is still being written. */
function callOf({ state: { calls } }: Writer, { key }: CallRef): CallState | undefined {
  return findOpen(calls, key, 'writing')
}

/** Some servers send the index as a text. */
function indexOf(value: unknown): number | null {
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value)
  return typeof value === 'number' ? value : null
}

/** Some servers send the arguments as an object. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? jsonTextOf(value) : ''
}
