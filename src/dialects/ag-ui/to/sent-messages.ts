/**
 * The messages of the stream that clients have, as `MESSAGES_SNAPSHOT` repeats them. Activities are none of them: clients
 * keep those that a snapshot does not name.
 */

import {
  type BoundedMap,
  boundedDelete,
  boundedGet,
  boundedSet,
  boundedValues,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { jsonText } from '../../../json/json-text.ts'
import type { Item } from '../../engine/item.ts'
import type { AgUiEvent, AgUiMessage, AgUiToolCall } from '../wire/types/index.ts'

/** More messages, or longer ones in UTF-16 units, are not repeated. */
const MAX_MESSAGES = 1024
const MAX_LENGTH = 1 << 20
/** Snapshots repeat all messages, so that many small revisions of a long conversation would send much more than it has. */
const MAX_REPEATED = 1 << 24

export interface SentMessage {
  readonly taskId: string
  /** The model response whose reset discards it; `null` if none does. */
  readonly iteration: number | null
  /** Its place: that of its call for a result, and then the order in which they began. */
  readonly place: number
  readonly nth: number
  /** A text without content, and reasoning without content and encrypted value, is not there for clients. */
  readonly message: AgUiMessage
}

export interface SentMessages {
  readonly byId: BoundedMap<SentMessage>
  readonly size: number
  readonly nth: number
  readonly length: number
  /** The length of all snapshots so far. */
  readonly repeated: number
}

export const noMessages: SentMessages = { byId: emptyBoundedMap, size: 0, nth: 0, length: 0, repeated: 0 }

/** The messages after an event; `null` if they are too many. */
export function withSentEvent(
  sent: SentMessages,
  event: AgUiEvent,
  { taskId, iteration }: Pick<Item, 'taskId' | 'iteration'>,
): SentMessages | null {
  const owner = 'subagentRunId' in event ? { subagentRunId: event.subagentRunId } : {}
  const begin = (message: AgUiMessage, of?: SentMessage): SentMessages | null => {
    const nth = sent.nth + 1
    const origin = { taskId, iteration: of === undefined ? iteration : of.iteration }
    const added = { ...origin, place: of?.place ?? nth, nth, message: { ...owner, ...message } }
    return withMessage({ ...sent, nth }, added as SentMessage, lengthOf(message))
  }
  const change = (id: string, changes: object, length: number): SentMessages | null => {
    const known = boundedGet(sent.byId, id)
    if (known === undefined) return sent
    const message = { ...known.message, ...changes, ...merged(known.message.metadata, event.metadata) }
    return withMessage(sent, { ...known, message } as SentMessage, length + lengthOf(event.metadata))
  }
  const changeCall = (id: string, changes: (call: AgUiToolCall) => object): SentMessages | null => {
    const known = boundedGet(sent.byId, id)
    const [call] = known?.message.role === 'assistant' ? (known.message.toolCalls ?? []) : []
    if (known === undefined || call === undefined) return sent
    const next = { ...call, ...changes(call), ...merged(call.metadata, event.metadata) }
    const length = lengthOf('delta' in event ? event.delta : event.metadata)
    return withMessage(
      sent,
      { ...known, message: { ...known.message, toolCalls: [next] } as AgUiMessage },
      length,
    )
  }
  switch (event.type) {
    case 'TEXT_MESSAGE_START':
    case 'REASONING_MESSAGE_START': {
      const role = event.type === 'TEXT_MESSAGE_START' ? 'assistant' : 'reasoning'
      if (boundedGet(sent.byId, event.messageId) !== undefined) return sent
      return begin({ id: event.messageId, role, content: '' })
    }
    case 'TEXT_MESSAGE_CONTENT':
    case 'REASONING_MESSAGE_CONTENT': {
      const known = boundedGet(sent.byId, event.messageId)?.message.content as string | undefined
      return change(event.messageId, { content: (known ?? '') + event.delta }, event.delta.length)
    }
    case 'TEXT_MESSAGE_END':
    case 'REASONING_MESSAGE_END':
      return event.metadata === undefined ? sent : change(event.messageId, {}, 0)
    case 'REASONING_ENCRYPTED_VALUE': {
      const { entityId, encryptedValue } = event
      if (event.subtype === 'tool-call') return changeCall(entityId, () => ({ encryptedValue }))
      return change(entityId, { encryptedValue }, encryptedValue.length)
    }
    case 'TOOL_CALL_START': {
      const { toolCallId: id, toolCallName: name } = event
      if (boundedGet(sent.byId, id) !== undefined) return sent
      const call = { id, type: 'function', function: { name, arguments: '' } } as const
      return begin({ id, role: 'assistant', toolCalls: [call] })
    }
    case 'TOOL_CALL_ARGS':
      return changeCall(event.toolCallId, ({ function: { name, arguments: text } }) => ({
        function: { name, arguments: text + event.delta },
      }))
    case 'TOOL_CALL_END':
      return event.metadata === undefined ? sent : changeCall(event.toolCallId, () => ({}))
    case 'TOOL_CALL_RESULT': {
      const { messageId: id, toolCallId, content } = event
      const call = boundedGet(sent.byId, toolCallId)
      return begin({ id, role: 'tool', toolCallId, content, ...merged(undefined, event.metadata) }, call)
    }
    default:
      return sent
  }
}

/** The messages after a snapshot of them; `null` if they were repeated too often to be sent again. */
export function withSnapshot(sent: SentMessages): SentMessages | null {
  const repeated = sent.repeated + sent.length
  return repeated > MAX_REPEATED ? null : { ...sent, repeated }
}

function withMessage(sent: SentMessages, message: SentMessage, added: number): SentMessages | null {
  const { id } = message.message
  const size = boundedGet(sent.byId, id) === undefined ? sent.size + 1 : sent.size
  const length = sent.length + added
  if (size > MAX_MESSAGES || length > MAX_LENGTH) return null
  return { ...sent, byId: boundedSet(sent.byId, id, message, MAX_MESSAGES).map, size, length }
}

function merged(known: Metadata | undefined, stated: Metadata | undefined): { metadata?: Metadata } {
  return stated === undefined ? {} : { metadata: { ...known, ...stated } }
}

function lengthOf(value: unknown): number {
  if (value === undefined) return 0
  return typeof value === 'string' ? value.length : (jsonText(value)?.length ?? 0)
}

/** The messages with the text of one replaced, which has no metadata any more. */
export function withContent(sent: SentMessages, known: SentMessage, content: string): SentMessages | null {
  const { metadata: _, ...message } = known.message
  return withMessage(sent, { ...known, message: { ...message, content } as AgUiMessage }, content.length)
}

/** A text that clients do not have, as it is empty. */
export function withEmptyText(
  sent: SentMessages,
  { id, taskId, iteration }: Pick<Item, 'id' | 'taskId' | 'iteration'>,
): SentMessages | null {
  const nth = sent.nth + 1
  const message = { id, role: 'assistant', content: '' } as const
  return withMessage({ ...sent, nth }, { taskId, iteration, place: nth, nth, message }, 0)
}

/** A call that has started: no reset discards it. */
export function withStarted(sent: SentMessages, id: string): SentMessages | null {
  const known = boundedGet(sent.byId, id)
  return known === undefined ? sent : withMessage(sent, { ...known, iteration: null }, 0)
}

export function withoutMessage(sent: SentMessages, { message }: SentMessage): SentMessages {
  return { ...sent, byId: boundedDelete(sent.byId, message.id), size: sent.size - 1 }
}

/** Whether clients have a message. */
export function isThere({ message }: SentMessage): boolean {
  if (message.role === 'assistant') return message.toolCalls !== undefined || message.content !== ''
  return message.role !== 'reasoning' || message.content !== '' || message.encryptedValue !== undefined
}

/** All messages in the order in which clients have them. */
export function messagesInOrder({ byId }: SentMessages): SentMessage[] {
  return [...boundedValues(byId)].sort((a, b) => a.place - b.place || a.nth - b.nth)
}
