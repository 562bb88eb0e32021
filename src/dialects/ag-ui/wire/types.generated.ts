// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in the folder schemas beside it. Do not edit.
import type { AgUiMetadata } from './types/shared.ts'
import type { AgUiPatch } from './types/shared.ts'
import type { AgUiUsage } from './types/shared.ts'

/** A run starts. The first event of every stream. */
export interface AgUiRunStarted extends AgUiEventBase {
  type: 'RUN_STARTED'
  /** The conversation. */
  threadId: string
  /** The run: one request to the agent and its answer. */
  runId: string
  /** The version of the protocol, such as `1.0`. Omitted by older servers. */
  protocolVersion?: string
  /** The run before this one, as after an interrupt. Omitted if unknown. */
  parentRunId?: string
  /** The request that started the run. Omitted if the server does not repeat it. */
  input?: AgUiRunInput
}

/** A run ended, unless it failed. */
export interface AgUiRunFinished extends AgUiEventBase {
  type: 'RUN_FINISHED'
  /** The conversation. */
  threadId: string
  /** The run. */
  runId: string
  /** The result: any JSON. Omitted if none. */
  result?: unknown
  /** How the run ended. Defaults to success. */
  outcome?: AgUiRunOutcome
  /** The tokens of the run, by model. Omitted if unknown. */
  usage?: AgUiUsage[]
}

/** A run failed. */
export interface AgUiRunError extends AgUiEventBase {
  type: 'RUN_ERROR'
  /** What went wrong, for people. */
  message: string
  /** What went wrong, for programs. Omitted if unknown. */
  code?: string
  /** The tokens of the run, by model. Omitted if unknown. */
  usage?: AgUiUsage[]
}

/** A step of the agent starts. */
export interface AgUiStepStarted extends AgUiOwnedEvent {
  type: 'STEP_STARTED'
  /** Name of the step. */
  stepName: string
}

/** A step of the agent ended. */
export interface AgUiStepFinished extends AgUiOwnedEvent {
  type: 'STEP_FINISHED'
  /** Name of the step. */
  stepName: string
}

/** A subagent starts. */
export interface AgUiSubagentStarted extends AgUiEventBase {
  type: 'SUBAGENT_STARTED'
  /** The subagent. Unique in the run. */
  subagentRunId: string
  /** Name of the subagent. */
  name: string
  /** What the subagent does. Omitted if unknown. */
  description?: string
  /** The subagent that started this one. Omitted: the agent of the run. */
  parentSubagentRunId?: string
  /** The call that started the subagent. Omitted if none. */
  parentToolCallId?: string
  /** The message that started the subagent. Omitted if none. */
  parentMessageId?: string
}

/** A subagent ended, unless it failed. */
export interface AgUiSubagentFinished extends AgUiEventBase {
  type: 'SUBAGENT_FINISHED'
  /** The subagent. */
  subagentRunId: string
  /** The result: any JSON. Omitted if none. */
  result?: unknown
  /** How it ended. `suspended`: it waits for the answer to interrupts. Defaults to success. */
  outcome?: { type: 'success' } | { type: 'suspended'; interruptIds?: string[] }
}

/** A subagent failed. */
export interface AgUiSubagentError extends AgUiEventBase {
  type: 'SUBAGENT_ERROR'
  /** The subagent. */
  subagentRunId: string
  /** What went wrong, for people. */
  message: string
  /** What went wrong, for programs. Omitted if unknown. */
  code?: string
}

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

/** The state that agent and client share, whole. */
export interface AgUiStateSnapshot extends AgUiOwnedEvent {
  type: 'STATE_SNAPSHOT'
  /** The state: any JSON. */
  snapshot: unknown
}

/** A change of the state. */
export interface AgUiStateDelta extends AgUiOwnedEvent {
  type: 'STATE_DELTA'
  /** The change, from the state so far. */
  delta: AgUiPatch
}

/** What an activity shows, whole. */
export interface AgUiActivitySnapshot extends AgUiOwnedEvent {
  type: 'ACTIVITY_SNAPSHOT'
  /** The message of the activity. */
  messageId: string
  /** The type of the activity, by which a client chooses how to show it. */
  activityType: string
  /** What to show. */
  content: Record<string, unknown>
  /** `false`: does nothing if the message exists. Defaults to `true`. */
  replace?: boolean
}

/** A change of what an activity shows. */
export interface AgUiActivityDelta extends AgUiOwnedEvent {
  type: 'ACTIVITY_DELTA'
  /** The message of the activity. */
  messageId: string
  /** The type of the activity. */
  activityType: string
  /** The change of its content. */
  patch: AgUiPatch
}

/** All messages of the conversation. Replaces those of the client. */
export interface AgUiMessagesSnapshot extends AgUiEventBase {
  type: 'MESSAGES_SNAPSHOT'
  /** The messages, oldest first. */
  messages: AgUiMessage[]
}

/** An event of another system, unchanged. */
export interface AgUiRaw extends AgUiOwnedEvent {
  type: 'RAW'
  /** The event: any JSON. */
  event: unknown
  /** Where it comes from. Omitted if unknown. */
  source?: string
}

/** An event of the application. */
export interface AgUiCustom extends AgUiOwnedEvent {
  type: 'CUSTOM'
  /** What the event is. */
  name: string
  /** The content: any JSON. */
  value: unknown
}

/**
 * Any event of AG-UI 1.0, discriminated by `type`.
 *
 * `@ag-ui/core` types `type` as an enumeration, to which TypeScript assigns no texts: to pass an event to it, state
 * `event as BaseEvent`. Its events can be passed to functions of this package as they are.
 */
export type AgUiEvent =
  | AgUiRunStarted
  | AgUiRunFinished
  | AgUiRunError
  | AgUiStepStarted
  | AgUiStepFinished
  | AgUiSubagentStarted
  | AgUiSubagentFinished
  | AgUiSubagentError
  | AgUiTextMessageStart
  | AgUiTextMessageContent
  | AgUiTextMessageEnd
  | AgUiTextMessageChunk
  | AgUiReasoningStart
  | AgUiReasoningMessageStart
  | AgUiReasoningMessageContent
  | AgUiReasoningMessageEnd
  | AgUiReasoningMessageChunk
  | AgUiReasoningEnd
  | AgUiReasoningEncryptedValue
  | AgUiToolCallStart
  | AgUiToolCallArgs
  | AgUiToolCallEnd
  | AgUiToolCallChunk
  | AgUiToolCallResult
  | AgUiStateSnapshot
  | AgUiStateDelta
  | AgUiActivitySnapshot
  | AgUiActivityDelta
  | AgUiMessagesSnapshot
  | AgUiRaw
  | AgUiCustom

/** The fields that every event may have. */
export interface AgUiEventBase {
  /** When the event was created, in milliseconds since 1970: an integer. Omitted if unknown. */
  timestamp?: number
  /** The event of the provider that this one was made from: any JSON but `null`. Omitted if none. */
  rawEvent?: unknown
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
}

/** The fields that every event of an agent or a subagent may have. */
export interface AgUiOwnedEvent extends AgUiEventBase {
  /** The subagent the event is from. Omitted: the agent of the run. */
  subagentRunId?: string
}

/** Where the bytes of a part are: in `value`, at the URL in `value`, or at a provider under the handle in `value`. */
export type AgUiPartSource =
  | { type: 'data'; value: string; mimeType: string }
  | { type: 'url'; value: string; mimeType?: string }
  | { type: 'file'; value: string; provider?: string; mimeType?: string }

/** A part of the content of a message of a user or a tool. */
export type AgUiContentPart =
  | { type: 'text'; id?: string; text: string; metadata?: unknown }
  | { type: 'image' | 'audio' | 'video' | 'document'; id?: string; source: AgUiPartSource; metadata?: unknown }

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
export interface AgUiInstructionMessage {
  role: 'developer' | 'system'
  /** The subagent that the message is from. Omitted: the agent of the run. */
  subagentRunId?: string
  /** The message. */
  id: string
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
  /** The name of the author. Omitted if unknown. */
  name?: string
  /** The provider's opaque value of the message. Omitted if there is none. */
  encryptedValue?: string
  content: string
}

/** A message of the agent. */
export interface AgUiAssistantMessage {
  role: 'assistant'
  /** The subagent that the message is from. Omitted: the agent of the run. */
  subagentRunId?: string
  /** The message. */
  id: string
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
  /** The name of the author. Omitted if unknown. */
  name?: string
  /** The provider's opaque value of the message. Omitted if there is none. */
  encryptedValue?: string
  /** The text. Omitted if the message consists of calls. */
  content?: string
  /** The calls. Omitted if none. */
  toolCalls?: AgUiToolCall[]
}

/** A message of the user. */
export interface AgUiUserMessage {
  role: 'user'
  /** The subagent that the message is from. Omitted: the agent of the run. */
  subagentRunId?: string
  /** The message. */
  id: string
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
  /** The name of the author. Omitted if unknown. */
  name?: string
  /** The provider's opaque value of the message. Omitted if there is none. */
  encryptedValue?: string
  content: string | AgUiContentPart[]
}

/** The result of a call. */
export interface AgUiToolMessage {
  role: 'tool'
  /** The subagent that the message is from. Omitted: the agent of the run. */
  subagentRunId?: string
  /** The message. */
  id: string
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
  content: string | AgUiContentPart[]
  /** The call. */
  toolCallId: string
  /** Why the call failed. Omitted if it succeeded. */
  error?: string
  /** The provider's opaque value of the message. Omitted if there is none. */
  encryptedValue?: string
}

/** What an activity shows. */
export interface AgUiActivityMessage {
  role: 'activity'
  /** The subagent that the message is from. Omitted: the agent of the run. */
  subagentRunId?: string
  /** The message. */
  id: string
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
  activityType: string
  content: Record<string, unknown>
}

/** Reasoning of the model. */
export interface AgUiReasoningMessage {
  role: 'reasoning'
  /** The subagent that the message is from. Omitted: the agent of the run. */
  subagentRunId?: string
  /** The message. */
  id: string
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
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

/** A tool that the client offers to the agent and executes itself. */
export interface AgUiTool {
  name: string
  description: string
  /** JSON Schema of the arguments. Omitted if it has none. */
  parameters?: unknown
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
}

/** What the agent should know: a piece of the state of the application. */
export interface AgUiContext {
  description: string
  value: string
}

/** The answer to an interrupt. */
export interface AgUiResume {
  /** The `id` of the interrupt. */
  interruptId: string
  /** Whether it was answered or refused. */
  status: 'resolved' | 'cancelled'
  /** The answer: any JSON. Omitted if there is none. */
  payload?: unknown
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
}

/** The body that a client posts to start a run. */
export interface AgUiRunInput {
  /** The conversation. */
  threadId: string
  /** The run that the request starts. */
  runId: string
  /** The version of the protocol, such as `1.0`. Omitted by older clients. */
  protocolVersion?: string
  /** The run before this one. Omitted if unknown. */
  parentRunId?: string
  /** The state that client and agent share: any JSON. Omitted if there is none. */
  state?: unknown
  /** The conversation so far, with the new message. */
  messages: AgUiMessage[]
  /** The tools of the client. */
  tools: AgUiTool[]
  /** What the agent should know. */
  context: AgUiContext[]
  /** Further values for the agent: any JSON. Omitted if none. */
  forwardedProps?: unknown
  /** The answers to the interrupts of the last run. Omitted if it had none. */
  resume?: AgUiResume[]
}

/** Something that only a person or the client can do. The next run answers it in `resume`. */
export interface AgUiInterrupt {
  /** The subagent that asks. Omitted: the agent of the run. */
  subagentRunId?: string
  /** The question. The answer names it as `interruptId`. */
  id: string
  /** Why the run stops, such as `approval_required`, for programs. */
  reason: string
  /** The question, for people. Omitted if `reason` is sufficient. */
  message?: string
  /** The call that waits for the answer. Omitted if none. */
  toolCallId?: string
  /** JSON Schema of the answer. Omitted if any answer is valid. */
  responseSchema?: Record<string, unknown>
  /** When the question expires: RFC 3339. Omitted if it does not. */
  expiresAt?: string
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
}

/** How a run ended. */
export type AgUiRunOutcome =
  | {
    type: 'success'
    /** The calls that the client is to execute. Omitted if none. */
    pendingToolCallIds?: string[]
  }
  | {
    type: 'interrupt'
    /** What the next run has to answer. */
    interrupts: AgUiInterrupt[]
  }
  | { type: 'cancelled' }

/** Who a text is from. */
export type AgUiTextRole = 'developer' | 'system' | 'assistant' | 'user'
