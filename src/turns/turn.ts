/** Turns: the messages, responses and results of a conversation, in the format of no provider. */

import type { JsonValue } from '../core/json-value.ts'
import type { ErrorInfo } from '../events/error.ts'
import type { Usage } from '../events/usage.ts'

/** A turn of a conversation: plain JSON, the same after it was stored. */
export type Turn = UserTurn | AssistantTurn | ToolTurn

/** A message of a user. */
export interface UserTurn {
  readonly role: 'user'
  /** The message, or a structured request. */
  readonly content: JsonValue
}

/** A response of a model. */
export interface AssistantTurn {
  readonly role: 'assistant'
  /** The texts, joined. */
  readonly text: string
  /** The calls of the application's tools, in order. Omitted if there is none. */
  readonly calls?: readonly TurnToolCall[]
  /** The `name` of the format whose blocks `content` has. Omitted: it has none, as the answer of an agent without a model. */
  readonly format?: string
  /** The response as the provider takes it back: with signatures, ids and tools that ran there. Omitted if `format` is. */
  readonly content?: readonly JsonValue[]
  /** What only the provider of `format` can read back, such as `thinking`: named when another gets the turn. Omitted if there is nothing. */
  readonly providerOnly?: readonly string[]
  /** Whether the provider has paused: the model continues when it is called again. Defaults to `false`. */
  readonly isPaused?: boolean
  /** Why the model stopped, as the provider names it. Omitted if the response is not complete. */
  readonly finishReason?: string
  /** Omitted if the provider stated none. */
  readonly usage?: Usage
  /** The error that the response ended with. Omitted if there was none. */
  readonly error?: ErrorInfo
}

/** A call of a tool in an {@link AssistantTurn}. */
export interface TurnToolCall {
  /** As in the events of the call: no other call of the conversation has it. */
  readonly toolCallId: string
  /** As in `content`, if the provider has given the id to an earlier call, too. Omitted: it is `toolCallId`. */
  readonly providerId?: string
  readonly toolName: string
  /** The arguments as the model wrote them. */
  readonly arguments: string
  /** `complete`: they are a JSON object. `incomplete`: they were cut off. `invalid`: they are something else. */
  readonly status: 'complete' | 'incomplete' | 'invalid'
}

/** The results of calls of the response before. */
export interface ToolTurn {
  readonly role: 'tool'
  readonly results: readonly ToolResult[]
}

/** What the model gets as the result of a call. */
export interface ToolResult {
  readonly toolCallId: string
  readonly toolName: string
  /** Whether the tool has run and succeeded. */
  readonly success: boolean
  /** What the tool returned: `null` for nothing. Omitted if it failed. */
  readonly result?: JsonValue
  /** Why the call failed or did not run, for programs: one of `errorCodes`, or a code of the application. Omitted if unknown. */
  readonly code?: string
  /** Why the call failed or did not run: a sentence that is safe to show. Omitted if it succeeded. */
  readonly error?: string
  /** The arguments that the call ran with, if a user has changed them. Omitted if not. */
  readonly arguments?: string
}
