/**
 * Errors: a report that something went wrong, with what a program needs to decide what to do.
 *
 * `task-error` reports; it never ends a task. Only `task-status` with `failed` does, and it carries
 * its own {@link ErrorInfo}.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../core/schema.ts'
import { count, id, maybe, open, ordinal, timestamp } from './fields.ts'

/**
 * What becomes of the failed operation:
 *
 * - `retrying`: the producer is trying again by itself
 * - `retryable`: the same request may succeed later; it is up to the receiver
 * - `exhausted`: the producer tried again and gave up
 * - `terminal`: trying again cannot help
 */
export type RetryClass = 'retrying' | 'retryable' | 'exhausted' | 'terminal'

/**
 * The well-known error codes. The set is open: a receiver treats a code it does not know by
 * {@link ErrorInfo.retry} alone. Codes of one's own begin with `x-`.
 */
export const errorCodes = [
  'invalid_request',
  'unsupported',
  'unauthenticated',
  'permission_denied',
  'not_found',
  'invalid_state',
  'not_cancelable',
  'conflict',
  'version_conflict',
  'cursor_expired',
  'payload_too_large',
  'rate_limited',
  'budget_exhausted',
  'canceled',
  'timeout',
  'overloaded',
  'unavailable',
  'provider_error',
  'tool_failed',
  'input_expired',
  'auth_expired',
  'auth_denied',
  'content_filtered',
  'refused',
  'protocol_violation',
  'data_loss',
  'internal',
] as const

/** A code of {@link errorCodes}, or one of the producer's own. */
export type ErrorCode = (typeof errorCodes)[number] | (string & {})

/** What went wrong, and whether trying again makes sense. */
export interface ErrorInfo {
  /** For programs: one of {@link errorCodes}, or a code of the producer's own. */
  code: ErrorCode
  /** For people, safe to show: no stack, no secret. */
  message: string
  /** What becomes of the failed operation. */
  retry: RetryClass
  /** Milliseconds to wait before trying again. Absent: the receiver decides. */
  retryAfterMs?: number
  /** Which attempt failed, from 1. Absent: not counted. */
  attempt?: number
  /** How many attempts the producer makes in all. Absent: not limited, or not told. */
  maxAttempts?: number
  /** What is affected. Absent: the task. */
  scope?: 'tool' | 'task' | 'stream'
  /** The tool call that failed, with scope `tool`. */
  toolCallId?: string
  /** What else is known, such as the provider's own error. Any JSON. */
  details?: unknown
}

export const errorInfo: z.ZodMiniType<ErrorInfo> = schemaOf<ErrorInfo>()(
  open({
    code: z.string().check(z.minLength(1)) as z.ZodMiniType<ErrorCode>,
    message: z.string(),
    retry: z.enum(['retrying', 'retryable', 'exhausted', 'terminal']),
    retryAfterMs: maybe(count),
    attempt: maybe(ordinal),
    maxAttempts: maybe(ordinal),
    scope: maybe(z.enum(['tool', 'task', 'stream'])),
    toolCallId: maybe(id),
    details: maybe(z.unknown()),
  }),
)

/**
 * Something went wrong. Reports, and never ends a task.
 *
 * The kind is not called `error`: an SSE event of that name fires the listener for connection
 * errors.
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
  /** What went wrong, and what becomes of it. */
  error: ErrorInfo
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const taskErrorEventSchema: Schema<TaskErrorEvent> = schemaOf<TaskErrorEvent>()(
  open({
    kind: z.literal('task-error'),
    error: errorInfo,
    timestamp,
  }),
)
