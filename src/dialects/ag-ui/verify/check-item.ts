/** Checks texts, reasoning, calls and steps: their order by a table, and what each has of its own. */

import { describeValue } from '../../../core/require.ts'
import { type Lifecycle, phaseAfter } from '../../../rules/lifecycle.ts'
import { isFields } from '../../../validation/predicates.ts'
import { type AgUiContext, textOf } from './context.ts'
import type { AgUiRuleName } from './rules.ts'
import type { SeenItem } from './state.ts'

type ItemEventType =
  | `${'TEXT_MESSAGE' | 'REASONING_MESSAGE'}_${'START' | 'CONTENT' | 'END' | 'CHUNK'}`
  | `REASONING_${'START' | 'END'}`
  | `TOOL_CALL_${'START' | 'ARGS' | 'END' | 'RESULT' | 'CHUNK'}`
  | `STEP_${'STARTED' | 'FINISHED'}`

type Phase = 'new' | SeenItem['phase']

const lifecycle: Lifecycle<ItemEventType, Phase, AgUiRuleName> = {
  phases: ['new', 'known', 'open', 'closed'],
  events: {
    TEXT_MESSAGE_START: ['open', 'open', 'text-not-reopened', 'text-id-once'],
    TEXT_MESSAGE_CONTENT: ['text-started', 'text-started', 'open', 'text-started'],
    TEXT_MESSAGE_END: ['text-end-started', 'text-end-started', 'closed', 'text-end-started'],
    TEXT_MESSAGE_CHUNK: ['closed', 'closed', 'open', 'text-id-once'],
    REASONING_START: ['open', 'open', 'open', 'open'],
    REASONING_END: ['closed', 'closed', 'closed', 'closed'],
    REASONING_MESSAGE_START: ['open', 'open', 'open', 'open'],
    REASONING_MESSAGE_CONTENT: ['reasoning-started', 'reasoning-started', 'open', 'reasoning-started'],
    REASONING_MESSAGE_END: ['closed', 'closed', 'closed', 'closed'],
    REASONING_MESSAGE_CHUNK: ['closed', 'closed', 'open', 'closed'],
    TOOL_CALL_START: ['open', 'open', 'call-id-once', 'call-id-once'],
    TOOL_CALL_ARGS: ['call-started', 'call-started', 'open', 'call-started'],
    TOOL_CALL_END: ['call-end-started', 'call-end-started', 'closed', 'call-end-started'],
    TOOL_CALL_RESULT: ['result-of-call', 'known', 'result-after-end', 'closed'],
    TOOL_CALL_CHUNK: ['open', 'open', 'open', 'call-id-once'],
    STEP_STARTED: ['open', 'open', 'open', 'open'],
    STEP_FINISHED: ['step-started', 'step-started', 'closed', 'step-started'],
  },
}

/** The items, the field with their id, and the rule that each ends before its run. */
export const itemTypes = {
  text: { idField: 'messageId', name: 'message', endRule: 'text-ends' },
  reasoning: { idField: 'messageId', name: 'reasoning', endRule: 'reasoning-ends' },
  span: { idField: 'messageId', name: 'reasoning', endRule: 'reasoning-ends' },
  call: { idField: 'toolCallId', name: 'call', endRule: 'call-ends' },
  step: { idField: 'stepName', name: 'step', endRule: 'step-ends' },
} as const

type ItemType = keyof typeof itemTypes

function itemTypeOf(type: ItemEventType): ItemType {
  if (type.startsWith('TEXT_')) return 'text'
  if (type.startsWith('TOOL_')) return 'call'
  if (type.startsWith('STEP_')) return 'step'
  return type.startsWith('REASONING_MESSAGE_') ? 'reasoning' : 'span'
}

/** Whether an event is of an item. */
export function isItemEvent(type: string): type is ItemEventType {
  return Object.hasOwn(lifecycle.events, type)
}

/** Checks an event of an item. */
export function checkItem(context: AgUiContext, type: ItemEventType, event: object): void {
  const itemType = itemTypeOf(type)
  const { idField } = itemTypes[itemType]
  const id = textOf(event, idField)
  const isChunk = type.endsWith('_CHUNK')
  if (isChunk && isContinued(context, itemType as ChunkedType, id, event)) return
  if (id === undefined) return
  const agent = itemType === 'step' ? (textOf(event, 'subagentRunId') ?? '') : ''
  const key = `${itemType}:${agent} ${id}`
  const item = context.item(key)
  const phase = item?.phase ?? 'new'
  if (type === 'TOOL_CALL_CHUNK' && phase !== 'open') endCallChunk(context)
  // The chunks of a message leave it closed for other events.
  if (type === 'REASONING_MESSAGE_CONTENT' && context.state.chunks.reasoning === id) return
  const next = phaseAfter(lifecycle, type, phase, (rule) => {
    if (item === undefined && context.state.isPartial) return
    const related = item === undefined || item.phase === 'known' ? {} : { relatedEventIndex: item.index }
    const message = outOfPlace(itemType, id, phase, type)
    context.report(rule, message, { path: `/${idField}`, ...related })
  })
  if (type === 'TOOL_CALL_RESULT') noteResult(context, event)
  if (next === undefined) return
  if (isChunk && phase !== 'open') startChunks(context, itemType as ChunkedType, id, event)
  if (itemType === 'call') {
    changeCall(context, type, key, item, next, event)
    return
  }
  if (type === 'TEXT_MESSAGE_CONTENT' && item !== undefined && textOf(event, 'delta') === '') {
    const message = `Expected a text in the content of message ${describeValue(id)}, got "".`
    context.report('text-not-empty', message, { path: '/delta', relatedEventIndex: item.index })
  }
  // A start that comes again begins the item anew.
  if (next !== phase || !/(CONTENT|CHUNK)$/.test(type)) context.setItem(key, next as SeenItem['phase'], type)
}

/** What is wrong with an event of an item in a phase. */
function outOfPlace(itemType: ItemType, itemId: string, phase: Phase, type: string): string {
  const item = `${itemTypes[itemType].name} ${describeValue(itemId)}`
  if (phase === 'open') return `Expected the end of ${item} before ${type}, got none.`
  if (phase === 'closed') return `Expected nothing after the end of ${item}, got ${type}.`
  return `Expected the start of ${item} before ${type}, got none.`
}

type ChunkedType = keyof AgUiContext['state']['chunks']

/** Whether a chunk continues the item of the chunk before. The first chunk of an item names it. */
function isContinued(
  context: AgUiContext,
  itemType: ChunkedType,
  id: string | undefined,
  event: object,
): boolean {
  const { chunks, isPartial } = context.state
  const current = chunks[itemType]
  if (id !== undefined && id !== current) return false
  if (current !== null) {
    if (itemType === 'call') addArguments(context, `call: ${current}`, event)
  } else if (!isPartial) {
    const { idField, name } = itemTypes[itemType]
    const what = itemType === 'call' ? name : 'message'
    const message = `Expected ${idField} in the first chunk of a ${what}, got none.`
    context.report('well-formed', message, { path: `/${idField}` })
  }
  return true
}

function startChunks(context: AgUiContext, itemType: ChunkedType, id: string, event: object): void {
  if (itemType === 'call' && textOf(event, 'toolCallName') === undefined) {
    const message = 'Expected toolCallName in the first chunk of a call, got none.'
    context.report('well-formed', message, { path: '/toolCallName' })
  }
  context.state.chunks = { ...context.state.chunks, [itemType]: id }
}

/** The end of a call whose arguments are not complete. */
const CUT = 'cut'

function changeCall(
  context: AgUiContext,
  type: ItemEventType,
  key: string,
  item: SeenItem | undefined,
  next: Phase,
  event: object,
): void {
  if (type === 'TOOL_CALL_RESULT') return
  if (next === 'closed' && item !== undefined) {
    endCall(context, key, item, isCut(event) ? CUT : type)
    return
  }
  if (item?.phase !== 'open') {
    // A call that the end of a run has cut off continues.
    context.setItem(key, 'open', type, item?.by === CUT ? item.text : '')
    if (type === 'TOOL_CALL_START') checkParent(context, event)
  }
  addArguments(context, key, event)
}

function checkParent(context: AgUiContext, event: object): void {
  const parent = textOf(event, 'parentMessageId')
  if (parent === undefined || context.item(`text: ${parent}`) !== undefined || context.state.isPartial) return
  const message = `Expected the id of an earlier message, got ${describeValue(parent)}.`
  context.report('known-parent', message, { path: '/parentMessageId' })
}

/** Longer arguments are not parsed. */
const MAX_ARGUMENTS = 65_536

function addArguments(context: AgUiContext, key: string, event: object): void {
  const item = context.item(key)
  const delta = textOf(event, 'delta')
  if (item === undefined || delta === undefined || item.text === null) return
  const isTooLong = item.text.length + delta.length > MAX_ARGUMENTS
  context.setText(key, item, isTooLong ? null : item.text + delta)
}

/** Whether the end of a call states that its arguments were cut off, as `toAgUi` does. */
function isCut(event: object): boolean {
  const { metadata } = event as { metadata?: unknown }
  return isFields(metadata) && metadata.complete === false
}

function endCall(context: AgUiContext, key: string, { text, index }: SeenItem, by: string): void {
  context.setItem(key, 'closed', by, by === CUT ? text : '')
  if (by === CUT || text === null || text === '') return
  try {
    JSON.parse(text)
  } catch {
    const message = `Expected JSON as arguments of call ${describeValue(key.slice(6))}, got other text.`
    context.report('arguments-json', message, { relatedEventIndex: index })
  }
}

/** Stores the message of a result, which later events may name. */
function noteResult(context: AgUiContext, event: object): void {
  const key = `text: ${textOf(event, 'messageId')}`
  if (textOf(event, 'messageId') !== undefined && context.item(key) === undefined) {
    context.setItem(key, 'known', 'result')
  }
}

/** Ends the call whose arguments come in chunks. */
export function endCallChunk(context: AgUiContext): void {
  const { chunks } = context.state
  if (chunks.call === null) return
  const key = `call: ${chunks.call}`
  const item = context.item(key)
  context.state.chunks = { ...chunks, call: null }
  if (item?.phase === 'open') endCall(context, key, item, 'chunk')
}
