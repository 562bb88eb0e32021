/** Checks tool calls. */

import { describeValue } from '../../../core/require.ts'
import { isFields } from '../../../validation/predicates.ts'
import { type AgUiContext, textOf } from './context.ts'
import type { SeenItem } from './state.ts'

/** Longer arguments are not parsed. */
const MAX_ARGUMENTS = 65_536

export function checkCall(context: AgUiContext, type: string, event: object): void {
  const toolCallId = textOf(event, 'toolCallId')
  if (toolCallId === undefined) {
    if (type === 'TOOL_CALL_CHUNK') continueChunk(context, event)
    return
  }
  const key = `call: ${toolCallId}`
  const item = context.item(key)
  const id = describeValue(toolCallId)
  switch (type) {
    case 'TOOL_CALL_START':
      startCall(context, key, item, event, type)
      break
    case 'TOOL_CALL_ARGS':
      if (item?.phase === 'open') addArguments(context, key, item, event)
      else
        reportUnknown(
          context,
          'call-started',
          item,
          `Expected TOOL_CALL_START of call ${id}, got its arguments.`,
        )
      break
    case 'TOOL_CALL_END':
      if (item?.phase === 'open') endCall(context, key, item, isCut(event) ? CUT : type)
      else
        reportUnknown(
          context,
          'call-end-started',
          item,
          `Expected TOOL_CALL_START of call ${id}, got its end.`,
        )
      break
    case 'TOOL_CALL_RESULT':
      checkResult(context, item, event, id)
      break
    default:
      checkChunk(context, key, toolCallId, item, event)
  }
}

function reportUnknown(
  context: AgUiContext,
  rule: 'call-started' | 'call-end-started' | 'result-of-call',
  item: SeenItem | undefined,
  message: string,
): void {
  if (context.state.isPartial && item === undefined) return
  context.report(rule, message, { path: '/toolCallId' })
}

function startCall(
  context: AgUiContext,
  key: string,
  item: SeenItem | undefined,
  event: object,
  type: string,
): void {
  if (item !== undefined && item.phase !== 'known') {
    const id = describeValue(textOf(event, 'toolCallId'))
    const details = { path: '/toolCallId', relatedEventIndex: item.index }
    context.report('call-id-once', `Call ${id} has started before, got its start again.`, details)
    return
  }
  // A call that the end of a run has cut off continues.
  context.open(key, type, item?.by === CUT ? item.text : '')
  const parent = textOf(event, 'parentMessageId')
  if (parent === undefined || context.item(`text: ${parent}`) !== undefined || context.state.isPartial) return
  const message = `Expected the id of an earlier message, got ${describeValue(parent)}.`
  context.report('known-parent', message, { path: '/parentMessageId' })
}

function addArguments(context: AgUiContext, key: string, item: SeenItem, event: object): void {
  const delta = textOf(event, 'delta') ?? ''
  const text =
    item.text === null || item.text.length + delta.length > MAX_ARGUMENTS ? null : item.text + delta
  context.setText(key, item, text)
}

/** The end of a call whose arguments are not complete. */
const CUT = 'cut'

/** Whether the end of a call states that its arguments were cut off, as `toAgUi` does. */
function isCut(event: object): boolean {
  const { metadata } = event as { metadata?: unknown }
  return isFields(metadata) && metadata.complete === false
}

function endCall(context: AgUiContext, key: string, item: SeenItem, by: string): void {
  context.close(key, by, by === CUT ? item.text : '')
  if (by === CUT) return
  if (item.text === null || item.text === '') return
  try {
    JSON.parse(item.text)
  } catch {
    const message = `Expected JSON as arguments of call ${describeValue(key.slice(6))}, got other text.`
    context.report('arguments-json', message, { relatedEventIndex: item.index })
  }
}

function checkResult(context: AgUiContext, item: SeenItem | undefined, event: object, id: string): void {
  if (item === undefined)
    reportUnknown(context, 'result-of-call', item, `Expected a call ${id}, got only its result.`)
  else if (item.phase === 'open') {
    context.report('result-after-end', `Expected TOOL_CALL_END of call ${id} before its result.`, {
      path: '/toolCallId',
      relatedEventIndex: item.index,
    })
  }
  const messageId = textOf(event, 'messageId')
  if (messageId !== undefined && context.item(`text: ${messageId}`) === undefined) {
    context.setItem(`text: ${messageId}`, 'known', 'result')
  }
}

/** The first chunk of a call names it and its tool. */
function checkChunk(
  context: AgUiContext,
  key: string,
  toolCallId: string,
  item: SeenItem | undefined,
  event: object,
): void {
  const { state } = context
  if (item?.phase === 'open' || state.chunks.call === toolCallId) {
    if (item !== undefined) addArguments(context, key, item, event)
    return
  }
  endCallChunk(context)
  if (item?.phase === 'closed') {
    const details = { path: '/toolCallId', relatedEventIndex: item.index }
    context.report(
      'call-id-once',
      `Call ${describeValue(toolCallId)} has ended, got another chunk of it.`,
      details,
    )
    return
  }
  if (textOf(event, 'toolCallName') === undefined) {
    const message = 'Expected toolCallName in the first chunk of a call, got none.'
    context.report('well-formed', message, { path: '/toolCallName' })
  }
  context.setItem(key, 'open', 'chunk', textOf(event, 'delta') ?? '')
  state.chunks = { ...state.chunks, call: toolCallId }
}

function continueChunk(context: AgUiContext, event: object): void {
  const { chunks, isPartial } = context.state
  const key = `call: ${chunks.call}`
  const item = chunks.call === null ? undefined : context.item(key)
  if (item !== undefined) addArguments(context, key, item, event)
  else if (!isPartial) {
    const message = 'Expected toolCallId in the first chunk of a call, got none.'
    context.report('well-formed', message, { path: '/toolCallId' })
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
