/** Messages of a conversation, as clients send them and snapshots list them. */

import type { AgUiContentPart, AgUiMetadata } from './shared.ts'

interface MessageBase {
  /** The subagent that the message is from. Omitted: the agent of the run. */
  subagentRunId?: string
  /** The message. */
  id: string
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
}

interface NamedMessage extends MessageBase {
  /** The name of the author. Omitted if unknown. */
  name?: string
  /** The provider's opaque value of the message. Omitted if there is none. */
  encryptedValue?: string
}

/** A call in a message of the assistant. */
export interface AgUiToolCall {
  /** The call. */
  id: string
  type: 'function'
  /** The tool, and the arguments as JSON text. */
  function: { name: string; arguments: string }
  /** The provider's opaque value of the call. Omitted if there is none. */
  encryptedValue?: string
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
}

/** Instructions of the developer or the system. */
export interface AgUiInstructionMessage extends NamedMessage {
  role: 'developer' | 'system'
  content: string
}

/** A message of the agent. */
export interface AgUiAssistantMessage extends NamedMessage {
  role: 'assistant'
  /** The text. Omitted if the message consists of calls. */
  content?: string
  /** The calls. Omitted if none. */
  toolCalls?: AgUiToolCall[]
}

/** A message of the user. */
export interface AgUiUserMessage extends NamedMessage {
  role: 'user'
  content: string | AgUiContentPart[]
}

/** The result of a call. */
export interface AgUiToolMessage extends MessageBase {
  role: 'tool'
  content: string | AgUiContentPart[]
  /** The call. */
  toolCallId: string
  /** Why the call failed. Omitted if it succeeded. */
  error?: string
  /** The provider's opaque value of the message. Omitted if there is none. */
  encryptedValue?: string
}

/** What an activity shows. */
export interface AgUiActivityMessage extends MessageBase {
  role: 'activity'
  activityType: string
  content: Record<string, unknown>
}

/** Reasoning of the model. */
export interface AgUiReasoningMessage extends MessageBase {
  role: 'reasoning'
  content: string
  /** The provider's opaque value of the message. Omitted if there is none. */
  encryptedValue?: string
}

/** A message of a conversation, discriminated by `role`. */
export type AgUiMessage =
  | AgUiInstructionMessage
  | AgUiAssistantMessage
  | AgUiUserMessage
  | AgUiToolMessage
  | AgUiActivityMessage
  | AgUiReasoningMessage
