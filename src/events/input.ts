/**
 * Inputs: the agent asks a question, and the user or another agent answers.
 *
 *     input-required → input-received | input-canceled
 *
 * All events of one request share an `inputId`.
 */
import type { JsonSchema, Metadata } from './metadata.ts'

/** The kind of answer requested. */
export type InputType = 'tool-execution' | 'confirmation' | 'clarification' | 'selection' | 'custom'

/**
 * The agent needs an answer to continue.
 *
 * @see docs/spec/internal-event-protocol.md#input-request-events
 * @example for a coordinator
 * ```json
 * {
 *   "kind": "input-required",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "inputId": "input-tool-1",
 *   "requireUser": false,
 *   "inputType": "tool-execution",
 *   "prompt": "Run the client-side tool boat_profile",
 *   "schema": {
 *     "type": "object",
 *     "properties": {
 *       "draught": {
 *         "type": "number"
 *       }
 *     },
 *     "required": [
 *       "draught"
 *     ]
 *   },
 *   "timestamp": "2026-03-14T08:00:22Z",
 *   "metadata": {
 *     "toolCall": {
 *       "id": "call-boat-1",
 *       "type": "function",
 *       "function": {
 *         "name": "boat_profile",
 *         "arguments": "{\"boat\":\"Lark\"}"
 *       }
 *     },
 *     "provider": "client"
 *   }
 * }
 * ```
 */
export interface InputRequiredEvent {
  kind: 'input-required'
  /** The request. Unique in the context. */
  inputId: string
  /**
   * `true`: the user must answer. `false`: a coordinating agent may answer, and forwards the request to the
   * user if it cannot. Defaults to `false`.
   */
  requireUser?: boolean
  /** The kind of answer requested. */
  inputType: InputType
  /** Human-readable question. */
  prompt: string
  /** JSON Schema of the answer. Omitted if any answer is valid. */
  schema?: JsonSchema
  /** The choices. Only with `selection`. */
  options?: unknown[]
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Tool call, urgency and lifetime of the request. Omitted if there is nothing to add. */
  metadata?: InputRequiredMetadata
}

/** Well-known metadata of {@link InputRequiredEvent}. Set by the agent that asks. */
export interface InputRequiredMetadata extends Metadata {
  /** The tool call to approve or to execute. Only with `tool-execution`. */
  toolCall?: ToolCall
  /**
   * Who runs the tool call: `client` if whoever answers is to run it and to send the result. Omitted, or another value as
   * in `tool-start`: the answer approves the call.
   */
  provider?: string
  /** How urgent the request is. Omitted if unknown. */
  urgency?: 'low' | 'medium' | 'high'
  /** Seconds from `timestamp` until the request expires. Omitted if it does not expire. */
  timeout?: number
}

/** A tool call in the format of model providers. */
export interface ToolCall {
  /** The call, as named by the provider. */
  id: string
  /** The type of the call. Defaults to `function`. */
  type?: string
  /** The function and its arguments. */
  function: ToolCallFunction
  [key: string]: unknown
}

/** The function of a {@link ToolCall}. */
export interface ToolCallFunction {
  /** Name of the tool. */
  name: string
  /** The arguments as JSON text, not parsed. */
  arguments: string
  [key: string]: unknown
}

/**
 * A request was answered. The answer itself is sent to the agent and is not part of the stream.
 *
 * @see docs/spec/internal-event-protocol.md#input-request-events
 * @example approved call
 * ```json
 * {
 *   "kind": "input-received",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "inputId": "input-tool-1",
 *   "providedBy": "user",
 *   "userId": "user-maren",
 *   "timestamp": "2026-03-14T08:00:23.400Z",
 *   "metadata": {
 *     "duration": 1400,
 *     "callDigest": "sha-256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
 *   }
 * }
 * ```
 */
export interface InputReceivedEvent {
  kind: 'input-received'
  /** The request that was answered. */
  inputId: string
  /** Whether the user or an agent answered. */
  providedBy: 'user' | 'agent'
  /** The user who answered. Only with `providedBy: 'user'`. Omitted if unknown. */
  userId?: string
  /** The agent that answered. Only with `providedBy: 'agent'`. Omitted if unknown. */
  agentId?: string
  /** `declined` if the answer is a refusal. Defaults to `answered`. */
  outcome?: 'answered' | 'declined'
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Duration of the answer, and what it approves. Omitted if unknown. */
  metadata?: InputReceivedMetadata
}

/** Well-known metadata of {@link InputReceivedEvent}. Set by the server. */
export interface InputReceivedMetadata extends Metadata {
  /** Milliseconds from the request to the answer. Omitted if unknown. */
  duration?: number
  /**
   * The digest of the tool call that the answer approves, with the arguments to call it with, as `callDigest` of
   * `turnstream/commands` computes it. Its `tool-start` may have other arguments than were streamed if they have this
   * digest. Omitted if the answer approves no call.
   */
  callDigest?: string
}

/**
 * A request was canceled. Answers are no longer accepted.
 * @example expired
 * ```json
 * {
 *   "kind": "input-canceled",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "inputId": "input-book-1",
 *   "reason": "expired",
 *   "timestamp": "2026-03-14T08:10:20Z"
 * }
 * ```
 */
export interface InputCanceledEvent {
  kind: 'input-canceled'
  /** The request that was canceled. */
  inputId: string
  /** `expired`: the timeout elapsed. `withdrawn`: the agent no longer needs an answer. `task-ended`: the task ended. */
  reason: 'expired' | 'withdrawn' | 'task-ended'
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}
