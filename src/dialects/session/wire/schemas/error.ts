/**
 * Errors of a step, and recovery from them.
 *
 *     error.recovery_started → error.recovery_success | error.recovery_failed
 *
 * The digits of an `error_code` are not an HTTP status.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybe, maybeNull, metadata, open } from '../../../../events/records/fields.ts'
import type { ErrorEvent } from '../types.generated.ts'
import { amount, bag, inStep, text } from './envelope.ts'

/**
 * A validation error.
 *
 * @see docs/spec/event-payloads.md
 */
const errorValidationEvent = open({
  event: z.literal('error.validation'),
  ...inStep,
  /** Human-readable error message. */
  content: text,
  metadata: metadata({
    error_code: z.literal('ERR_VALIDATION_400'),
    /** The invalid field. Omitted if the error is not about one field. */
    field: maybe(text),
    /** The violated constraint. Omitted if unknown. */
    constraint: maybe(text),
    /** Whether recovery is possible. */
    recoverable: z.boolean(),
  }),
})

/**
 * A timeout.
 *
 * @see docs/spec/event-payloads.md
 */
const errorTimeoutEvent = open({
  event: z.literal('error.timeout'),
  ...inStep,
  /** Human-readable error message. */
  content: text,
  metadata: metadata({
    error_code: z.literal('ERR_TIMEOUT_500'),
    /** The timeout in seconds. */
    timeout_seconds: amount,
    /** Elapsed time in seconds. */
    elapsed_seconds: amount,
    /** The stage, such as `planning`. */
    stage: text,
    /** The number of the failed attempt, from 1. */
    attempt: count,
    /** Maximum number of attempts. */
    max_attempts: count,
    /** Delay before the next attempt, in milliseconds. */
    retry_after_ms: amount,
    /** The recovery strategy of the server. */
    recovery_strategy: text,
  }),
})

/**
 * An error during execution.
 *
 * @see docs/spec/event-payloads.md
 */
const errorExecutionEvent = open({
  event: z.literal('error.execution'),
  ...inStep,
  /** Human-readable error message. */
  content: text,
  metadata: metadata({
    error_code: z.literal('ERR_EXECUTION_600'),
    /** The error class in the server. */
    error_type: text,
    /** Further details. */
    context: bag,
    /** Whether recovery is possible. */
    recoverable: z.boolean(),
  }),
})

/**
 * The server retries after an error.
 *
 * @see docs/spec/event-payloads.md
 */
const errorRetryEvent = open({
  event: z.literal('error.retry'),
  ...inStep,
  /** Human-readable text. */
  content: maybeNull(text),
  metadata: metadata({
    /** The number of the next attempt. */
    attempt: count,
    /** Maximum number of attempts. */
    max_attempts: count,
    /** Delay before the attempt, in milliseconds. */
    delay_ms: amount,
    /** The error message. */
    error: text,
  }),
})

/**
 * The server starts to recover.
 *
 * @see docs/spec/event-payloads.md
 */
const errorRecoveryStartedEvent = open({
  event: z.literal('error.recovery_started'),
  ...inStep,
  /** Human-readable text. */
  content: text,
  metadata: metadata({
    /** The recovery action. */
    recovery_action: text,
    /** Estimated duration in milliseconds. Omitted if unknown. */
    estimated_duration_ms: maybe(amount),
  }),
})

/**
 * The server recovered.
 *
 * @see docs/spec/event-payloads.md
 */
const errorRecoverySuccessEvent = open({
  event: z.literal('error.recovery_success'),
  ...inStep,
  /** Human-readable text. */
  content: maybeNull(text),
  metadata: metadata({
    /** Duration of the recovery in milliseconds. */
    recovery_time_ms: amount,
    /** Number of attempts. */
    attempts: count,
  }),
})

/**
 * The server failed to recover.
 *
 * @see docs/spec/event-payloads.md
 */
const errorRecoveryFailedEvent = open({
  event: z.literal('error.recovery_failed'),
  ...inStep,
  /** Human-readable text. */
  content: text,
  metadata: metadata({
    /** Error code, for programs. */
    error_code: id,
    /** Number of attempts. */
    attempts: count,
    /** The original error. */
    original_error: text,
    /** The error of the recovery. */
    recovery_error: text,
  }),
})

/** Any error of a step, or recovery from it. */
export const errorEvent: Schema<ErrorEvent> = schemaOf<ErrorEvent>()(
  z.discriminatedUnion('event', [
    errorValidationEvent,
    errorTimeoutEvent,
    errorExecutionEvent,
    errorRetryEvent,
    errorRecoveryStartedEvent,
    errorRecoverySuccessEvent,
    errorRecoveryFailedEvent,
  ]),
)
