/** Output items: how each type opens, and how it ends. */

import { addArguments, dropArguments, endCall, openCall, stateArguments } from '../shared/calls.ts'
import {
  countOf,
  type Fields,
  fieldsOf,
  firstText,
  isFields,
  jsonTextOf,
  objectsOf,
  textOf,
} from '../shared/fields.ts'
import { keepName } from '../shared/limits.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { reportType } from '../shared/report.ts'
import { MAX_ITEMS, MAX_NAME } from '../shared/state.ts'
import { describeText, endText } from '../shared/texts.ts'
import { addThought, describeThought, endThought } from '../shared/thoughts.ts'
import { callTypes, keepItem, keepStart } from './content.ts'
import { addWholes, idOf, keyOf, type PartKind, refusalKeyOf } from './parts.ts'
import { endServerItem, isServerItem, openServerItem, readOutput } from './server-items.ts'
import { addAnnotation } from './sources.ts'
import { addItem, type ItemState, itemAt, itemOf, putItem, type ResponsesState } from './state.ts'

type Writer = ModelWriter<ResponsesState>

/** Reads an item that begins. */
export function openItem(writer: Writer, chunk: Fields): void {
  const item = fieldsOf(chunk.item)
  const known = itemAt(writer, chunk, false)
  if (known?.isDone === true) {
    writer.dropped('item', 'repeated', `Expected item ${known.index} once, got it again.`)
    return
  }
  beginItem(writer, known ?? addItem(writer, countOf(chunk.output_index), ''), item)
}

function beginItem(writer: Writer, known: ItemState, item: Fields): void {
  const { type, phase } = item
  const key = keyOf(known.index)
  identifyItem(writer, known, item, false)
  keepStart(writer, key, item)
  if (isServerItem(item)) openServerItem(writer, key, item)
  else if (type === 'reasoning') addThought(writer, key, '')
  else if (type === 'message') {
    if (typeof phase === 'string') describeText(writer, key, { phase })
  } else {
    openClientCall(writer, key, item)
    const text = item.type === 'custom_tool_call' ? item.input : item.arguments
    if (callTypes.has(textOf(type)) && textOf(text) !== '') stateArguments(writer, key, textOf(text))
  }
}

/** Reads an item that has ended: its parts as a whole. */
export function endItem(writer: Writer, chunk: Fields): void {
  const known = itemAt(writer, chunk, true) ?? addItem(writer, countOf(chunk.output_index), '')
  if (!known.isDone) finishItem(writer, known, fieldsOf(chunk.item))
}

/** Reads an item of the whole response, if its end was not read. */
export function readItem(writer: Writer, item: Fields, at: number): void {
  const { items } = writer.state.own
  const type = textOf(item.type)
  const known =
    itemAt(writer, { item }, false) ??
    items.find((each) => each.index === at && (each.type === '' || each.type === type)) ??
    addItem(writer, at, '')
  if (known.type === '') beginItem(writer, known, item)
  if (!known.isDone) finishItem(writer, known, item)
}

/** Stores what an item states about itself. */
function identifyItem(
  writer: Writer,
  { index, outputIndex, itemId, callId, parts }: ItemState,
  { id, call_id: call, type }: Fields,
  isDone: boolean,
): void {
  putItem(writer, {
    index,
    outputIndex,
    itemId: (id !== itemId && keepName(writer, textOf(id))) || itemId,
    callId: (call !== callId && keepName(writer, textOf(call))) || callId,
    type: textOf(type).slice(0, MAX_NAME),
    parts,
    isDone,
  })
}

function finishItem(writer: Writer, known: ItemState, item: Fields): void {
  const { index } = known
  const key = keyOf(index)
  const { type } = item
  identifyItem(writer, known, item, true)
  if (textOf(type) !== '') keepItem(writer, key, item)
  if (type === 'message') endMessage(writer, index, item)
  else if (type === 'reasoning') endReasoning(writer, index, item)
  else if (isServerItem(item)) endServerItem(writer, key, item)
  else if (callTypes.has(textOf(type))) endClientCall(writer, index, item)
  else if (type === 'mcp_approval_request') askApproval(writer, item)
  else if (textOf(type).endsWith('_call_output')) readOutput(writer, item)
  // Of the turn alone.
  else if (!bookkeeping.has(textOf(type))) reportType(writer, type, '/item')
}

const bookkeeping = new Set([
  'mcp_list_tools',
  'mcp_approval_response',
  'tool_search_output',
  'additional_tools',
  'compaction',
  'program',
  'program_output',
])

function openClientCall(writer: Writer, key: string, item: Fields): void {
  const type = textOf(item.type)
  const name = callTypes.get(type)
  if (name === undefined) return
  const info = { toolCallId: textOf(item.call_id), toolName: firstText(item.name, name) }
  const input = inputOf(item)
  openCall(writer, key, input === undefined ? info : { ...info, input })
}

function endClientCall(writer: Writer, index: number, item: Fields): void {
  const key = keyOf(index)
  // It failed as its deltas contradict its arguments.
  if (writer.state.calls.some((call) => call.key === key && call.status === 'invalid')) return
  openClientCall(writer, key, item)
  if (textOf(item.call_id) === '') openCall(writer, key, { toolCallId: textOf(item.id) })
  const { arguments: text, input, action, operation } = item
  if (item.type === 'shell_call') {
    const { commands } = fieldsOf(action)
    if (Array.isArray(commands)) addWholes(writer, index, 'command', textsOf(commands), true)
    endCall(writer, key)
  } else if (item.type === 'custom_tool_call') endCall(writer, key, stringOf(input))
  else if (item.type === 'apply_patch_call') endCall(writer, key, diffOf(fieldsOf(operation)))
  else if (item.type === 'computer_call') endCall(writer, key, jsonTextOf(computerArguments(item)))
  else endCall(writer, key, stringOf(text) ?? jsonTextOf(text ?? action ?? {}))
}

/** The diff of a patch. A file that is deleted has none. */
function diffOf({ type, diff }: Fields): string | undefined {
  return stringOf(diff) ?? (type === 'delete_file' ? '' : undefined)
}

/** The action, or all of them, and the safety checks that the application has to acknowledge. */
function computerArguments({ action, actions, pending_safety_checks: checks }: Fields): Fields {
  return {
    ...fieldsOf(action),
    ...(Array.isArray(actions) && { actions }),
    ...(Array.isArray(checks) && checks.length > 0 && { pending_safety_checks: checks }),
  }
}

/** What the arguments of a call have besides its text; `undefined` if its arguments are JSON. */
function inputOf({ type, operation }: Fields): Fields | undefined {
  if (type === 'custom_tool_call' || type === 'shell_call') return {}
  if (type !== 'apply_patch_call') return undefined
  const { type: kind, path } = fieldsOf(operation)
  return { type: textOf(kind), path: textOf(path) }
}

function endMessage(writer: Writer, index: number, item: Fields): void {
  addParts(writer, index, [...objectsOf(item.content).entries()], true)
  endText(writer, keyOf(index))
  endText(writer, refusalKeyOf(index))
}

/** Reads a part of a message or of a reasoning item as a whole. */
export function readPart(writer: Writer, chunk: Fields, part: Fields): void {
  addParts(writer, itemOf(writer, chunk).index, [[chunk.content_index, part]], false)
}

function addParts(
  writer: Writer,
  index: number,
  parts: readonly (readonly [at: unknown, part: Fields])[],
  isAll: boolean,
): void {
  for (const kind of new Set(partKinds.values())) {
    const same = parts.filter(([, { type }]) => partKinds.get(textOf(type)) === kind)
    const wholes = same.map(([at, { text, refusal }]) => [at, kind === 'refusal' ? refusal : text] as const)
    const texts = wholes.filter(isText)
    const ids = addWholes(writer, index, kind, texts, isAll)
    const idAt = new Map(texts.map(([at], i) => [at, ids[i]]))
    for (const [at, { annotations }] of same)
      for (const annotation of objectsOf(annotations))
        addAnnotation(writer, index, idAt.get(at) ?? idOf(kind, at), annotation)
  }
  for (const [, { type }] of parts) if (!partKinds.has(textOf(type))) reportType(writer, type, '/part')
}

const partKinds: ReadonlyMap<string, PartKind> = new Map([
  ['output_text', 'text'],
  ['text', 'text'],
  ['refusal', 'refusal'],
  ['reasoning_text', 'reasoning'],
  ['summary_text', 'summary'],
])

type Whole = readonly [at: unknown, text: string]

const isText = (whole: readonly [at: unknown, text: unknown]): whole is Whole => typeof whole[1] === 'string'

const textsOf = (values: readonly unknown[]): Whole[] =>
  values.map((text, at) => [at as unknown, text] as const).filter(isText)

function endReasoning(writer: Writer, index: number, item: Fields): void {
  const key = keyOf(index)
  for (const [kind, list] of [['summary', item.summary] as const, ['reasoning', item.content] as const])
    addWholes(writer, index, kind, textsOf(objectsOf(list).map(({ text }) => text)), true)
  const signature = textOf(item.encrypted_content)
  if (signature !== '') describeThought(writer, key, { signature })
  endThought(writer, key)
}

/** The question whether an MCP server may be called. */
function askApproval(writer: Writer, item: Fields): void {
  const { id, name, arguments: text, server_label: server } = item
  const inputId = textOf(id)
  if (inputId === '' || textOf(name) === '') {
    writer.dropped(
      'mcp_approval_request',
      'invalid-content',
      'Expected an approval request with an id and a name.',
    )
    return
  }
  const { own } = writer.state
  const asked = inputId.slice(0, MAX_NAME)
  if (own.asked.includes(asked)) {
    writer.dropped(
      'mcp_approval_request',
      'repeated',
      `Expected approval request ${inputId} once, got it again.`,
    )
    return
  }
  writer.state.own = { ...own, asked: [...own.asked, asked].slice(-MAX_ITEMS) }
  writer.emit({
    kind: 'input-required',
    inputId,
    requireUser: true,
    inputType: 'tool-execution',
    prompt: `May the model call the tool ${textOf(name)} of the MCP server ${textOf(server)}?`,
    metadata: {
      toolCall: { id: inputId, type: 'mcp', function: { name: textOf(name), arguments: argumentsOf(text) } },
    },
  })
}

/** Arguments as JSON text; some servers send the object. */
function argumentsOf(value: unknown): string {
  return isFields(value) ? jsonTextOf(value) : textOf(value)
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Reads the arguments of a call in pieces. */
export function readArguments(writer: Writer, chunk: Fields): void {
  const { index, isDone } = itemOf(writer, chunk)
  if (isDone) dropArguments(writer)
  else addArguments(writer, keyOf(index), textOf(chunk.delta))
}

/** Reads all arguments of a call. */
export function readWholeArguments(writer: Writer, chunk: Fields, text: unknown): void {
  const { index, isDone } = itemOf(writer, chunk)
  if (!isDone && typeof text === 'string') stateArguments(writer, keyOf(index), text)
}
