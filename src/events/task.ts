/**
 * Tasks: one turn of an agent, started by a user or by another agent.
 *
 *     task-created → task-status* → task-complete
 *                        └▶ completed | failed | canceled   (nothing follows but task-complete)
 *
 * A task ends by its status. `task-complete` carries the result of a task that succeeded, and by
 * itself means `completed`.
 */
import * as z from 'zod/mini'
import { type JsonValue, type Schema, schemaOf } from '../core/schema.ts'
import { type ErrorInfo, errorInfo } from './error.ts'
import { count, id, type Metadata, maybe, metadata, open, timestamp } from './fields.ts'

/** Who started a task. */
export type TaskInitiator = 'user' | 'agent'

/**
 * A task begins. The first event of every task.
 *
 * @see docs/spec/internal-event-protocol.md#task-lifecycle-events
 * @example by user
 * ```json
 * {
 *   "kind": "task-created",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "initiator": "user",
 *   "timestamp": "2026-03-14T08:00:00Z",
 *   "metadata": {
 *     "agentId": "harbour-pilot",
 *     "model": "atlas-2-large"
 *   }
 * }
 * ```
 */
export interface TaskCreatedEvent {
  kind: 'task-created'
  /** The task that spawned this one. Absent: the task has no parent. */
  parentTaskId?: string
  /** `user` for a message of a person, `agent` for a task another agent spawned. */
  initiator: TaskInitiator
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** Who handles the task, and what it was asked. Absent: not told. */
  metadata?: TaskCreatedMetadata
}

/** Well-known metadata of {@link TaskCreatedEvent}; set by the server that starts the task. */
export interface TaskCreatedMetadata extends Metadata {
  /** Which agent handles the task. Absent: the stream has one agent. */
  agentId?: string
  /** The model used, in the provider's own spelling. Absent: not told. */
  model?: string
  /** What the task was asked: the user's message, or a structured request. Absent: not told. */
  input?: JsonValue
}

export const taskCreatedEventSchema: Schema<TaskCreatedEvent> = schemaOf<TaskCreatedEvent>()(
  open({
    kind: z.literal('task-created'),
    parentTaskId: maybe(id),
    initiator: z.enum(['user', 'agent']),
    timestamp,
    metadata: maybe(
      metadata({
        agentId: maybe(id),
        model: maybe(z.string()),
        input: maybe(z.unknown() as z.ZodMiniType<JsonValue>),
      }),
    ),
  }),
)

/**
 * The states of a task. `completed`, `failed` and `canceled` are terminal: a task stays in them.
 *
 * - `submitted`: accepted, not started
 * - `working`: the agent is processing
 * - `waiting-input`: waits for an answer to an `input-required`
 * - `waiting-auth`: waits for an answer to an `auth-required`
 * - `waiting-subtask`: waits for a task it spawned
 */
export type TaskStatus =
  | 'submitted'
  | 'working'
  | 'waiting-input'
  | 'waiting-auth'
  | 'waiting-subtask'
  | 'completed'
  | 'failed'
  | 'canceled'

/**
 * A task changes its state, or says something new about the state it is in.
 *
 * @see docs/spec/internal-event-protocol.md#task-lifecycle-events
 * @example failed
 * ```json
 * {
 *   "kind": "task-status",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "status": "failed",
 *   "message": "The tide service does not answer",
 *   "error": {
 *     "code": "unavailable",
 *     "message": "No answer within 30 seconds.",
 *     "retry": "exhausted",
 *     "retryAfterMs": 60000,
 *     "attempt": 3,
 *     "maxAttempts": 3,
 *     "scope": "task",
 *     "details": {
 *       "service": "tides",
 *       "status": 503
 *     }
 *   },
 *   "timestamp": "2026-03-14T08:04:12Z",
 *   "metadata": {
 *     "reason": "The service was down for all three attempts."
 *   }
 * }
 * ```
 */
export interface TaskStatusEvent {
  kind: 'task-status'
  /** The state the task is in from now on. */
  status: TaskStatus
  /** For people. Absent: nothing to add to the status. */
  message?: string
  /** Why the task failed. Only with `failed`. Absent: the cause is not told. */
  error?: ErrorInfo
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** Why, or what is waited for. Absent: not told. */
  metadata?: TaskStatusMetadata
}

/** Well-known metadata of {@link TaskStatusEvent}; set by the producer. */
export interface TaskStatusMetadata extends Metadata {
  /** Why, with `failed` and `canceled`. For people. */
  reason?: string
  /** With a `waiting-…` status: the id of the task, input, auth or agent waited for, or `user`. */
  blockedBy?: string
}

export const taskStatusEventSchema: Schema<TaskStatusEvent> = schemaOf<TaskStatusEvent>()(
  open({
    kind: z.literal('task-status'),
    status: z.enum([
      'submitted',
      'working',
      'waiting-input',
      'waiting-auth',
      'waiting-subtask',
      'completed',
      'failed',
      'canceled',
    ]),
    message: maybe(z.string()),
    error: maybe(errorInfo),
    timestamp,
    metadata: maybe(metadata({ reason: maybe(z.string()), blockedBy: maybe(z.string()) })),
  }),
)

/**
 * A task succeeded; this is its result. At most once a task.
 *
 * @see docs/spec/internal-event-protocol.md#task-lifecycle-events
 * @example empty lists
 * ```json
 * {
 *   "kind": "task-complete",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "content": "",
 *   "artifacts": [],
 *   "timestamp": "2026-03-14T08:01:30Z",
 *   "metadata": {}
 * }
 * ```
 */
export interface TaskCompleteEvent {
  kind: 'task-complete'
  /** The final text. Absent: the result is not a text, or was streamed and is not repeated. */
  content?: string
  /** Ids of the artifacts the task leaves behind. Absent: none named. */
  artifacts?: string[]
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** What the task took. Absent: not told. */
  metadata?: TaskCompleteMetadata
}

/** Well-known metadata of {@link TaskCompleteEvent}; set by the server that ran the task. */
export interface TaskCompleteMetadata extends Metadata {
  /** How long the task ran, in milliseconds. */
  duration?: number
  /** How often the model was called. */
  iterations?: number
  /** Tokens consumed in all, as the provider counts them. */
  tokensUsed?: number
  /** Why the model stopped, in the provider's spelling, such as `stop` or `length`. */
  finishReason?: string
}

export const taskCompleteEventSchema: Schema<TaskCompleteEvent> = schemaOf<TaskCompleteEvent>()(
  open({
    kind: z.literal('task-complete'),
    content: maybe(z.string()),
    artifacts: maybe(z.array(id)),
    timestamp,
    metadata: maybe(
      metadata({
        duration: maybe(z.number().check(z.minimum(0))),
        iterations: maybe(count),
        tokensUsed: maybe(count),
        finishReason: maybe(z.string()),
      }),
    ),
  }),
)
