/** Checks texts and reasoning. */

import { describeValue } from '../../../core/require.ts'
import { type AgUiContext, textOf } from './context.ts'

export function checkText(context: AgUiContext, type: string, event: object): void {
  const messageId = textOf(event, 'messageId')
  if (type === 'TEXT_MESSAGE_CHUNK') {
    checkChunk(context, 'text', messageId)
    return
  }
  if (messageId === undefined) return
  const key = `text: ${messageId}`
  const item = context.item(key)
  const id = describeValue(messageId)
  const path = '/messageId'
  if (type === 'TEXT_MESSAGE_START') {
    if (item?.phase === 'open') {
      context.report('text-not-reopened', `Message ${id} is open, got its start again.`, {
        path,
        relatedEventIndex: item.index,
      })
    } else if (item?.phase === 'closed') {
      context.report('text-id-once', `Message ${id} has ended, got its start again.`, {
        path,
        relatedEventIndex: item.index,
      })
    } else context.open(key, type)
    return
  }
  if (item?.phase !== 'open') {
    const isEnd = type === 'TEXT_MESSAGE_END'
    if (context.state.isPartial && item === undefined) return
    const related = !isEnd && item?.phase === 'closed' ? { relatedEventIndex: item.index } : {}
    const message = `Expected TEXT_MESSAGE_START of message ${id}, got ${type}.`
    context.report(isEnd ? 'text-end-started' : 'text-started', message, { path, ...related })
  } else if (type === 'TEXT_MESSAGE_END') context.close(key, type)
  else if (textOf(event, 'delta') === '') {
    context.report('text-not-empty', `Expected a text in the content of message ${id}, got "".`, {
      path: '/delta',
      relatedEventIndex: item.index,
    })
  }
}

export function checkReasoning(context: AgUiContext, type: string, event: object): void {
  const messageId = textOf(event, 'messageId')
  if (type === 'REASONING_MESSAGE_CHUNK') {
    checkChunk(context, 'reasoning', messageId)
    return
  }
  if (messageId === undefined) return
  const isSpan = type === 'REASONING_START' || type === 'REASONING_END'
  const key = `${isSpan ? 'span' : 'reasoning'}: ${messageId}`
  if (type.endsWith('START')) context.open(key, type)
  else if (type.endsWith('END')) context.close(key, type)
  else if (context.item(key)?.phase !== 'open' && context.state.chunks.reasoning !== messageId) {
    if (context.state.isPartial) return
    const message = `Expected REASONING_MESSAGE_START of message ${describeValue(messageId)}, got ${type}.`
    context.report('reasoning-started', message, { path: '/messageId' })
  }
}

/** The first chunk of a message names it. */
function checkChunk(context: AgUiContext, kind: 'text' | 'reasoning', messageId: string | undefined): void {
  const { state } = context
  if (messageId === undefined) {
    if (state.chunks[kind] !== null || state.isPartial) return
    context.report('well-formed', 'Expected messageId in the first chunk of a message, got none.', {
      path: '/messageId',
    })
    return
  }
  if (state.chunks[kind] === messageId) return
  const key = `${kind}: ${messageId}`
  const item = context.item(key)
  if (item?.phase === 'open') return
  if (item?.phase === 'closed' && kind === 'text') {
    const message = `Message ${describeValue(messageId)} has ended, got another chunk of it.`
    context.report('text-id-once', message, { path: '/messageId', relatedEventIndex: item.index })
    return
  }
  context.setItem(key, 'closed', 'chunk')
  state.chunks = { ...state.chunks, [kind]: messageId }
}
