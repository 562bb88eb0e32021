/**
 * Errors: structured reports of failures, with the data a program needs to handle them.
 *
 * `task-error` never ends a task. Only `task-status` with `failed` does, and it carries its own
 * {@link ErrorInfo}.
 */
import type { ErrorCode } from './error-codes.ts'

/**
 * Whether the failed operation is or can be retried:
 *
 * - `retrying`: the producer is retrying
 * - `retryable`: the same request may succeed later; the receiver decides
 * - `exhausted`: the producer retried and gave up
 * - `terminal`: a retry cannot succeed
 */
export type RetryClass = 'retrying' | 'retryable' | 'exhausted' | 'terminal'

/** A failure, and whether a retry makes sense. */
export interface ErrorInfo {
  /** Error code for programs: one of `errorCodes`, or a custom code of the producer. */
  code: ErrorCode
  /** Human-readable message that is safe to display: no stack trace, no secrets. */
  message: string
  /** Whether the failed operation is or can be retried. */
  retry: RetryClass
  /** Milliseconds to wait before a retry. Omitted to let the receiver decide. */
  retryAfterMs?: number
  /** Number of the failed attempt, from 1. Omitted if attempts are not counted. */
  attempt?: number
  /** Maximum number of attempts of the producer. Omitted if unlimited or unknown. */
  maxAttempts?: number
  /** The scope of the failure. Defaults to `task`. */
  scope?: 'tool' | 'task' | 'stream'
  /** The tool call that failed. Only with scope `tool`. */
  toolCallId?: string
  /** Further information, such as the provider's error object. Any JSON. */
  details?: unknown
}

/**
 * Reports a failure. Does not end the task.
 *
 * The kind is not named `error`, because `EventSource` dispatches SSE events of that name to the listener
 * for connection errors.
 *
 * @see docs/spec/internal-event-protocol.md#question-4-error-handling
 * @example full
 * ```json
 * {
 *   "kind": "task-error",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "error": {
 *     "code": "x-harbour-closed",
 *     "message": "The harbour office opens at nine.",
 *     "retry": "retryable",
 *     "retryAfterMs": 3600000,
 *     "attempt": 1,
 *     "maxAttempts": 2,
 *     "scope": "tool",
 *     "toolCallId": "call-berth-1",
 *     "details": [
 *       "closed",
 *       {
 *         "opens": "09:00"
 *       }
 *     ]
 *   },
 *   "timestamp": "2026-03-14T08:00:34Z"
 * }
 * ```
 */
export interface TaskErrorEvent {
  kind: 'task-error'
  /** The failure. */
  error: ErrorInfo
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}
