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
import { append, emptyText, type GrowingText, textOf } from '../../../encoding/growing-text.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { jsonText } from '../../../json/json-text.ts'
import type { Item } from '../../engine/item.ts'
import { MAX_ITEMS, MAX_TEXT } from '../../shared/limits.ts'
import type { AgUiEvent, AgUiMessage } from '../wire/types/index.ts'

/** Snapshots repeat all messages, so that many small revisions of a long conversation would send much more than it has. */
const MAX_REPEATED = 1 << 24

export interface SentMessage {
  readonly taskId: string
  /** The model response whose reset discards it; `null` if none does. */
  readonly iteration: number | null
  /** Its place: that of its call for a result, and then the order in which they began. */
  readonly place: number
  readonly nth: number
  readonly subagentRunId?: string
  readonly id: string
  /** `call`: a message of the assistant with one call. */
  readonly role: 'assistant' | 'reasoning' | 'call' | 'tool'
  /** The tool of a call, or the call of a result. Omitted for others. */
  readonly of?: string
  /** Its content, or the arguments of a call. */
  readonly text: string
  readonly encryptedValue?: string
  readonly metadata?: Metadata
}

export interface SentMessages {
  readonly byId: BoundedMap<SentMessage>
  /** What a message has more than is stored in `byId`: most deltas follow one of the same message. */
  readonly rest: { readonly id: string; readonly text: GrowingText } | null
  readonly size: number
  readonly nth: number
  readonly length: number
  /** The length of all snapshots so far. */
  readonly repeated: number
}

export const noMessages: SentMessages = {
  byId: emptyBoundedMap,
  rest: null,
  size: 0,
  nth: 0,
  length: 0,
  repeated: 0,
}

/** The messages after an event of an item; `null` if they are too many. */
export function withSentEvent(sent: SentMessages, event: AgUiEvent, item: Item): SentMessages | null {
  switch (event.type) {
    case 'TEXT_MESSAGE_CONTENT':
    case 'REASONING_MESSAGE_CONTENT':
    case 'TOOL_CALL_ARGS':
      return withText(sent, item.id, event.delta)
    case 'TEXT_MESSAGE_START':
    case 'REASONING_MESSAGE_START': {
      const role = item.type === 'text' ? 'assistant' : 'reasoning'
      return withBegun(sent, item, { id: item.id, role, ...ownerOf(event) })
    }
    case 'TOOL_CALL_START':
      return withBegun(sent, item, { id: item.id, role: 'call', of: event.toolCallName, ...ownerOf(event) })
    case 'TOOL_CALL_RESULT': {
      const { messageId: id, toolCallId: of, content, metadata } = event
      const result = { text: content as string, ...(metadata !== undefined && { metadata }) }
      return withBegun(sent, item, { id, role: 'tool', of, ...result, ...ownerOf(event) })
    }
    case 'REASONING_ENCRYPTED_VALUE': {
      const { encryptedValue } = event
      const signed = withChange(sent, item.id, (message) => ({ ...message, encryptedValue }))
      return withLength(signed, encryptedValue.length)
    }
    case 'TEXT_MESSAGE_END':
    case 'REASONING_MESSAGE_END':
    case 'TOOL_CALL_END': {
      const { metadata: more } = event
      if (more === undefined) return sent
      const merged = withChange(sent, item.id, ({ metadata, ...message }) => ({
        ...message,
        metadata: { ...metadata, ...more },
      }))
      return withLength(merged, lengthOf(more))
    }
    default:
      return sent
  }
}

type Owner = Pick<SentMessage, 'subagentRunId'>

const ownerOf = ({ subagentRunId }: Owner): Owner => (subagentRunId === undefined ? {} : { subagentRunId })

/** The messages with more text of one. Written out: spreading is slow. */
function withText(sent: SentMessages, id: string, delta: string): SentMessages | null {
  const { byId, rest, size, nth, repeated } = sent.rest?.id === id ? sent : stored(sent)
  const length = sent.length + delta.length
  const text = append(rest?.text ?? emptyText, delta)
  return length > MAX_TEXT ? null : { byId, rest: { id, text }, size, nth, length, repeated }
}

/** The same messages, with all of their text in `byId`. */
function stored(sent: SentMessages): SentMessages {
  const { byId, rest } = sent
  const known = rest === null ? undefined : boundedGet(byId, rest.id)
  if (rest === null || known === undefined) return sent
  return withMessage({ ...sent, rest: null }, { ...known, text: known.text + textOf(rest.text) })
}

function withMessage(sent: SentMessages, message: SentMessage): SentMessages {
  return { ...sent, byId: boundedSet(sent.byId, message.id, message, MAX_ITEMS).map }
}

/** The messages with one more, unless it continues one. */
function withBegun(
  sent: SentMessages,
  { taskId, iteration }: Item,
  fields: Pick<SentMessage, 'id' | 'role'> & Partial<SentMessage>,
): SentMessages | null {
  const all = stored(sent)
  if (boundedGet(all.byId, fields.id) !== undefined) return all
  const nth = all.nth + 1
  const call = fields.role === 'tool' ? boundedGet(all.byId, fields.of ?? '') : undefined
  const origin = {
    taskId,
    iteration: call === undefined ? iteration : call.iteration,
    place: call?.place ?? nth,
  }
  const begun = withMessage({ ...all, size: all.size + 1, nth }, { ...origin, nth, text: '', ...fields })
  return withLength(begun, lengthOf(fields))
}

/** The messages with one of them changed. */
function withChange(
  sent: SentMessages,
  id: string,
  change: (message: SentMessage) => SentMessage,
): SentMessages {
  const all = stored(sent)
  const known = boundedGet(all.byId, id)
  return known === undefined ? all : withMessage(all, change(known))
}

/** The messages, which are so much longer; `null` if they are too long or too many. */
function withLength(sent: SentMessages, added: number): SentMessages | null {
  const length = sent.length + added
  return sent.size > MAX_ITEMS || length > MAX_TEXT ? null : { ...sent, length }
}

const lengthOf = (value: object): number => jsonText(value)?.length ?? 0

/** The messages with the text of one replaced, which has no metadata any more; without it if it is empty then. */
export function withContent(sent: SentMessages, id: string, content: string): SentMessages | null {
  if (content === '') return withoutMessage(sent, id)
  const replaced = withChange(sent, id, ({ metadata: _, ...message }) => ({ ...message, text: content }))
  return withLength(replaced, content.length)
}

export const hasMessage = ({ byId }: SentMessages, id: string): boolean => boundedGet(byId, id) !== undefined

/** A call that has started: no reset discards it. */
export const withStarted = (sent: SentMessages, id: string): SentMessages =>
  withChange(sent, id, (message) => ({ ...message, iteration: null }))

/** The messages without one. */
export function withoutMessage(sent: SentMessages, id: string): SentMessages {
  const all = stored(sent)
  return { ...all, byId: boundedDelete(all.byId, id), size: all.size - 1 }
}

/** The messages after a snapshot of them; `null` if they were repeated too often to be sent again. */
export function withSnapshot(sent: SentMessages): SentMessages | null {
  const repeated = sent.repeated + sent.length
  return repeated > MAX_REPEATED ? null : { ...sent, repeated }
}

/** All messages in the order in which clients have them. */
export function messagesInOrder(sent: SentMessages): SentMessage[] {
  return [...boundedValues(stored(sent).byId)].sort((a, b) => a.place - b.place || a.nth - b.nth)
}

/** A message as clients have it. */
export function toMessage({ id, role, of = '', text, ...more }: SentMessage): AgUiMessage {
  const { subagentRunId, encryptedValue, metadata } = more
  const owner = { ...(subagentRunId !== undefined && { subagentRunId }), id }
  const rest = { ...(encryptedValue !== undefined && { encryptedValue }), ...(metadata && { metadata }) }
  if (role === 'call') {
    const call = { id, type: 'function', function: { name: of, arguments: text }, ...rest } as const
    return { ...owner, role: 'assistant', toolCalls: [call] }
  }
  return { ...owner, role, ...(role === 'tool' && { toolCallId: of }), content: text, ...rest } as AgUiMessage
}
