/** Spellings of AG-UI 0.x: read, never written. */

import { type Fields, isFields } from '../../../validation/predicates.ts'

/** The id of reasoning that has none. */
const NO_ID = 'thinking'

/** The types that have another name since 1.0. */
const renamed: Readonly<Record<string, string>> = {
  THINKING_START: 'REASONING_START',
  THINKING_TEXT_MESSAGE_START: 'REASONING_MESSAGE_START',
  THINKING_TEXT_MESSAGE_CONTENT: 'REASONING_MESSAGE_CONTENT',
  THINKING_TEXT_MESSAGE_END: 'REASONING_MESSAGE_END',
  THINKING_END: 'REASONING_END',
}

/**
 * The event as AG-UI 1.0 spells it: the value itself, or a copy. `THINKING_…` is `REASONING_…`, whose messages then have
 * the id `thinking`; a reasoning message has the role `reasoning`, an instant is an integer of milliseconds, and the request of a run
 * has `tools` and `context`.
 */
export function withCurrentSpelling(value: Fields): Fields {
  const { type, timestamp } = value
  let event = value
  if (typeof type === 'string' && type.startsWith('THINKING_') && Object.hasOwn(renamed, type)) {
    event = { ...value, type: renamed[type], messageId: value.messageId ?? NO_ID }
  }
  if (event.type === 'REASONING_MESSAGE_START' && event.role !== 'reasoning') {
    if (event.role === undefined || event.role === 'assistant') event = { ...event, role: 'reasoning' }
  }
  if (typeof timestamp === 'number' && !Number.isInteger(timestamp) && Number.isFinite(timestamp)) {
    event = { ...event, timestamp: Math.round(timestamp) }
  }
  if (event.type === 'RUN_STARTED' && isFields(event.input)) {
    const input = withCurrentInput(event.input)
    if (input !== event.input) event = { ...event, input }
  }
  return event
}

/** The request as clients of AG-UI 1.0 post it: the value itself, or a copy with empty `tools` and `context`. */
export function withCurrentInput(value: Fields): Fields {
  const { tools, context } = value
  if (tools != null && context != null) return value
  return { ...value, tools: tools ?? [], context: context ?? [] }
}
