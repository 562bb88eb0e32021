/**
 * Tasks: units of work of an agent, started by a user or by another agent.
 *
 *     task-created → task-status* → task-complete
 *                        └▶ completed | failed | canceled   (nothing follows but task-complete)
 *
 * A task ends with a terminal status. `task-complete` carries the result of a successful task and implies
 * the status `completed`.
 */
import type { JsonValue } from '../core/json-value.ts'
import type { ErrorInfo } from './error.ts'
import type { Metadata } from './metadata.ts'
import type { TaskStatus } from './task-status.ts'
import type { Usage } from './usage.ts'

/** Who started a task: the user or an agent. */
export type TaskInitiator = 'user' | 'agent'

/**
 * A task was created. The first event of every task.
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
  /** The task that created this one. Omitted if the task has no parent. */
  parentTaskId?: string
  /** `user` for a message of a user, `agent` for a task that another agent created. */
  initiator: TaskInitiator
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Agent, model and input of the task. Omitted if unknown. */
  metadata?: TaskCreatedMetadata
}

/** Well-known metadata of {@link TaskCreatedEvent}. Set by the server that starts the task. */
export interface TaskCreatedMetadata extends Metadata {
  /** The agent that runs the task. Omitted if the stream has only one agent. */
  agentId?: string
  /** The model, as named by the provider. Omitted if unknown. */
  model?: string
  /** The input of the task: the user's message or a structured request. Omitted if unknown. */
  input?: JsonValue
}

/**
 * A task changes its status, or reports progress within the same status.
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
  /** The new status of the task. */
  status: TaskStatus
  /** Human-readable explanation. Omitted if the status needs none. */
  message?: string
  /** Why the task failed. Only with `failed`. Omitted if unknown. */
  error?: ErrorInfo
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Reason of the status, or what the task waits for. Omitted if unknown. */
  metadata?: TaskStatusMetadata
}

/** Well-known metadata of {@link TaskStatusEvent}. Set by the producer. */
export interface TaskStatusMetadata extends Metadata {
  /** Human-readable reason. Only with `failed` and `canceled`. Omitted if unknown. */
  reason?: string
  /** The id of the task, input, auth or agent that the task waits for, or `user`. Only with a `waiting-…` status. */
  blockedBy?: string
}

/**
 * A task succeeded, with its result. At most once per task.
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
  /**
   * The final text: that of the last `content-complete`, or all texts that were open together with it, joined
   * in the order in which they began. Omitted if the result is not text, or was already streamed.
   */
  content?: string
  /** Ids of the artifacts of the result. Omitted if there are none. */
  artifacts?: string[]
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Duration and cost of the task. Omitted if unknown. */
  metadata?: TaskCompleteMetadata
}

/** Well-known metadata of {@link TaskCompleteEvent}. Set by the server that ran the task. */
export interface TaskCompleteMetadata extends Metadata {
  /** Duration of the task in milliseconds. Omitted if unknown. */
  duration?: number
  /** Number of model calls. Omitted if unknown. */
  iterations?: number
  /** Total tokens used, as counted by the provider. Omitted if unknown. */
  tokensUsed?: number
  /** The tokens of all model calls of the task, by model. Omitted if unknown. */
  usage?: Usage[]
  /** Why the model stopped, as named by the provider, such as `stop` or `length`. Omitted if unknown. */
  finishReason?: string
}
