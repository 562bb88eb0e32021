/**
 * Inputs: the agent asks, and somebody answers.
 *
 *     input-required → input-received | input-canceled
 *
 * All events of one request share an `inputId`.
 */
import * as z from 'zod/mini'
import { type JsonValue, type Schema, schemaOf } from '../core/schema.ts'
import { anyObject, id, type JsonSchema, type Metadata, maybe, metadata, open, timestamp } from './fields.ts'

/** What kind of answer is asked for. */
export type InputType = 'tool-execution' | 'confirmation' | 'clarification' | 'selection' | 'custom'

/**
 * The agent needs an answer to go on.
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
 *     }
 *   }
 * }
 * ```
 */
export interface InputRequiredEvent {
  kind: 'input-required'
  /** Names this request; unique in the context. */
  inputId: string
  /**
   * `true`: the request must reach the user. `false` or absent: a coordinating agent may answer
   * and falls back to the user.
   */
  requireUser?: boolean
  /** What kind of answer is asked for. */
  inputType: InputType
  /** What is asked, for people. */
  prompt: string
  /** JSON Schema of the answer. Absent: any answer will do. */
  schema?: JsonSchema
  /** What to choose from, with `selection`. */
  options?: unknown[]
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** What the request is about, and how soon it is wanted. Absent: not told. */
  metadata?: InputRequiredMetadata
}

/** Well-known metadata of {@link InputRequiredEvent}; set by the agent that asks. */
export interface InputRequiredMetadata extends Metadata {
  /** The call to execute, with `tool-execution`. */
  toolCall?: ToolCall
  /** How soon an answer is wanted. Absent: not told. */
  urgency?: 'low' | 'medium' | 'high'
  /** Seconds after `timestamp` until the request expires. Absent: it does not. */
  timeout?: number
}

/** A call of a function as model providers write it. */
export interface ToolCall {
  /** Names the call, in the provider’s spelling. */
  id: string
  /** What is called, such as `function`. Absent: a function. */
  type?: string
  /** Which function, and with what. */
  function: ToolCallFunction
  [key: string]: JsonValue | undefined
}

/** The function of a {@link ToolCall}. */
export interface ToolCallFunction {
  /** The tool that is called. */
  name: string
  /** The arguments as JSON text, not as an object. */
  arguments: string
  [key: string]: JsonValue | undefined
}

const toolCall = metadata({
  id,
  type: maybe(z.string()),
  function: metadata({ name: id, arguments: z.string() }),
})

export const inputRequiredEventSchema: Schema<InputRequiredEvent> = schemaOf<InputRequiredEvent>()(
  open({
    kind: z.literal('input-required'),
    inputId: id,
    requireUser: maybe(z.boolean()),
    inputType: z.enum(['tool-execution', 'confirmation', 'clarification', 'selection', 'custom']),
    prompt: z.string(),
    schema: maybe(anyObject),
    options: maybe(z.array(z.unknown())),
    timestamp,
    metadata: maybe(
      metadata({
        toolCall: maybe(toolCall),
        urgency: maybe(z.enum(['low', 'medium', 'high'])),
        timeout: maybe(z.number().check(z.minimum(0))),
      }),
    ),
  }),
)

/**
 * A request was answered. For tracking: the answer itself goes to the agent, not into the stream.
 *
 * @see docs/spec/internal-event-protocol.md#input-request-events
 * @example by coordinator
 * ```json
 * {
 *   "kind": "input-received",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "inputId": "input-tool-1",
 *   "providedBy": "agent",
 *   "agentId": "harbour-pilot",
 *   "timestamp": "2026-03-14T08:00:23.400Z",
 *   "metadata": {
 *     "duration": 1400
 *   }
 * }
 * ```
 */
export interface InputReceivedEvent {
  kind: 'input-received'
  /** The request that was answered. */
  inputId: string
  /** Who answered. */
  providedBy: 'user' | 'agent'
  /** Which user, with `providedBy: 'user'`. */
  userId?: string
  /** Which agent, with `providedBy: 'agent'`. */
  agentId?: string
  /** `declined` when the answer is a refusal. Absent: `answered`. */
  outcome?: 'answered' | 'declined'
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** How the answer came about. Absent: not told. */
  metadata?: InputReceivedMetadata
}

/** Well-known metadata of {@link InputReceivedEvent}; set by the server. */
export interface InputReceivedMetadata extends Metadata {
  /** How long the answer took, in milliseconds. */
  duration?: number
}

export const inputReceivedEventSchema: Schema<InputReceivedEvent> = schemaOf<InputReceivedEvent>()(
  open({
    kind: z.literal('input-received'),
    inputId: id,
    providedBy: z.enum(['user', 'agent']),
    userId: maybe(id),
    agentId: maybe(id),
    outcome: maybe(z.enum(['answered', 'declined'])),
    timestamp,
    metadata: maybe(metadata({ duration: maybe(z.number().check(z.minimum(0))) })),
  }),
)

/**
 * A request is off: nobody need answer it any more, and an answer comes too late.
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
  /** The request that is off. */
  inputId: string
  /** `expired`: its timeout ran out. `withdrawn`: the agent no longer needs it. `task-ended`: so did its task. */
  reason: 'expired' | 'withdrawn' | 'task-ended'
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const inputCanceledEventSchema: Schema<InputCanceledEvent> = schemaOf<InputCanceledEvent>()(
  open({
    kind: z.literal('input-canceled'),
    inputId: id,
    reason: z.enum(['expired', 'withdrawn', 'task-ended']),
    timestamp,
  }),
)
