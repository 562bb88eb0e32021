/**
 * Events of messages: texts, reasoning and tool calls.
 *
 *     TEXT_MESSAGE_START → TEXT_MESSAGE_CONTENT* → TEXT_MESSAGE_END
 *     REASONING_START → (REASONING_MESSAGE_START → …CONTENT* → …END)* → REASONING_ENCRYPTED_VALUE? → REASONING_END
 *     TOOL_CALL_START → TOOL_CALL_ARGS* → TOOL_CALL_END → TOOL_CALL_RESULT?
 *
 * A `…_CHUNK` stands for a start, a content and an end: the message ends with the next event of another kind or id.
 */
import type { AgUiContentPart, AgUiOwnedEvent } from './shared.ts'

/** Who a text is from. */
export type AgUiTextRole = 'developer' | 'system' | 'assistant' | 'user'

/** A text begins. */
export interface AgUiTextMessageStart extends AgUiOwnedEvent {
  type: 'TEXT_MESSAGE_START'
  /** The message. Unique in the thread. */
  messageId: string
  /** Who the text is from. Defaults to `assistant`. */
  role?: AgUiTextRole
  /** The name of the author, for display. Omitted if unknown. */
  name?: string
}

/** A piece of a text, to be appended. */
export interface AgUiTextMessageContent extends AgUiOwnedEvent {
  type: 'TEXT_MESSAGE_CONTENT'
  /** The message. */
  messageId: string
  /** The text to append. Not empty. */
  delta: string
}

/** A text is complete. */
export interface AgUiTextMessageEnd extends AgUiOwnedEvent {
  type: 'TEXT_MESSAGE_END'
  /** The message. */
  messageId: string
}

/** A piece of a text that begins with its first chunk. */
export interface AgUiTextMessageChunk extends AgUiOwnedEvent {
  type: 'TEXT_MESSAGE_CHUNK'
  /** The message. Required on the first chunk; omitted on others: the same message. */
  messageId?: string
  /** Who the text is from. Defaults to `assistant`. */
  role?: AgUiTextRole
  /** The text to append. Omitted if none. */
  delta?: string
  /** The name of the author, for display. Omitted if unknown. */
  name?: string
}

/** A span of reasoning begins, with any number of reasoning messages in it. */
export interface AgUiReasoningStart extends AgUiOwnedEvent {
  type: 'REASONING_START'
  /** The span. */
  messageId: string
}

/** A reasoning message begins. */
export interface AgUiReasoningMessageStart extends AgUiOwnedEvent {
  type: 'REASONING_MESSAGE_START'
  /** The message. Often that of its span. */
  messageId: string
  /** Always `reasoning`. */
  role: 'reasoning'
}

/** A piece of a reasoning message, to be appended. */
export interface AgUiReasoningMessageContent extends AgUiOwnedEvent {
  type: 'REASONING_MESSAGE_CONTENT'
  /** The message. */
  messageId: string
  /** The text to append. Not empty. */
  delta: string
}

/** A reasoning message is complete. */
export interface AgUiReasoningMessageEnd extends AgUiOwnedEvent {
  type: 'REASONING_MESSAGE_END'
  /** The message. */
  messageId: string
}

/** A piece of a reasoning message that begins with its first chunk. */
export interface AgUiReasoningMessageChunk extends AgUiOwnedEvent {
  type: 'REASONING_MESSAGE_CHUNK'
  /** The message. Required on the first chunk; omitted on others: the same message. */
  messageId?: string
  /** The text to append. Omitted if none. */
  delta?: string
}

/** A span of reasoning is complete. */
export interface AgUiReasoningEnd extends AgUiOwnedEvent {
  type: 'REASONING_END'
  /** The span. */
  messageId: string
}

/** The provider's opaque value of a message or a call, to be sent back with the next request. */
export interface AgUiReasoningEncryptedValue extends AgUiOwnedEvent {
  type: 'REASONING_ENCRYPTED_VALUE'
  /** What the value belongs to. */
  subtype: 'tool-call' | 'message'
  /** The message, span or call. */
  entityId: string
  /** The opaque value. */
  encryptedValue: string
}

/** A tool call begins. */
export interface AgUiToolCallStart extends AgUiOwnedEvent {
  type: 'TOOL_CALL_START'
  /** The call. */
  toolCallId: string
  /** Name of the tool. */
  toolCallName: string
  /** The message that the call is part of. Omitted: none. */
  parentMessageId?: string
}

/** A piece of the arguments, to be appended. */
export interface AgUiToolCallArgs extends AgUiOwnedEvent {
  type: 'TOOL_CALL_ARGS'
  /** The call. */
  toolCallId: string
  /** The text to append. The joined deltas are JSON. */
  delta: string
}

/** The arguments of a call are complete. */
export interface AgUiToolCallEnd extends AgUiOwnedEvent {
  type: 'TOOL_CALL_END'
  /** The call. */
  toolCallId: string
}

/** A piece of the arguments of a call that begins with its first chunk. */
export interface AgUiToolCallChunk extends AgUiOwnedEvent {
  type: 'TOOL_CALL_CHUNK'
  /** The call. Required on the first chunk; omitted on others: the same call. */
  toolCallId?: string
  /** Name of the tool. Required on the first chunk. */
  toolCallName?: string
  /** The message that the call is part of. Omitted: none. */
  parentMessageId?: string
  /** The text to append. Omitted if none. */
  delta?: string
}

/** The result of a call. AG-UI has no field for failures. */
export interface AgUiToolCallResult extends AgUiOwnedEvent {
  type: 'TOOL_CALL_RESULT'
  /** The message of the tool that the result is. */
  messageId: string
  /** The call. */
  toolCallId: string
  /** The result: text, which may be JSON, or parts. */
  content: string | AgUiContentPart[]
  /** Always `tool`. Omitted: the same. */
  role?: 'tool'
}
