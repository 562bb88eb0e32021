/**
 * Errors of a step, and recovery from them.
 *
 *     error.recovery_started → error.recovery_success | error.recovery_failed
 *
 * The digits of an `error_code` are not an HTTP status.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, type Metadata, maybe, metadata } from '../../../../events/fields.ts'
import { amount, bag, content, eventOf, type InStep, inStep, text } from '../envelope.ts'

/**
 * A validation error.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorValidationEvent extends InStep {
  event: 'error.validation'
  /** Human-readable error message. */
  content: string
  metadata: Metadata & {
    error_code: 'ERR_VALIDATION_400'
    /** The invalid field. Omitted if the error is not about one field. */
    field?: string
    /** The violated constraint. Omitted if unknown. */
    constraint?: string
    /** Whether recovery is possible. */
    recoverable: boolean
  }
}

export const errorValidationSchema: Schema<ErrorValidationEvent> = schemaOf<ErrorValidationEvent>()(
  eventOf(
    'error.validation',
    inStep,
    text,
    metadata({
      error_code: z.literal('ERR_VALIDATION_400'),
      field: maybe(text),
      constraint: maybe(text),
      recoverable: z.boolean(),
    }),
  ),
)

/**
 * A timeout.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorTimeoutEvent extends InStep {
  event: 'error.timeout'
  /** Human-readable error message. */
  content: string
  metadata: Metadata & {
    error_code: 'ERR_TIMEOUT_500'
    /** The timeout in seconds. */
    timeout_seconds: number
    /** Elapsed time in seconds. */
    elapsed_seconds: number
    /** The stage, such as `planning`. */
    stage: string
    /** The number of the failed attempt, from 1. */
    attempt: number
    /** Maximum number of attempts. */
    max_attempts: number
    /** Delay before the next attempt, in milliseconds. */
    retry_after_ms: number
    /** The recovery strategy of the server. */
    recovery_strategy: string
  }
}

export const errorTimeoutSchema: Schema<ErrorTimeoutEvent> = schemaOf<ErrorTimeoutEvent>()(
  eventOf(
    'error.timeout',
    inStep,
    text,
    metadata({
      error_code: z.literal('ERR_TIMEOUT_500'),
      timeout_seconds: amount,
      elapsed_seconds: amount,
      stage: text,
      attempt: count,
      max_attempts: count,
      retry_after_ms: amount,
      recovery_strategy: text,
    }),
  ),
)

/**
 * An error during execution.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorExecutionEvent extends InStep {
  event: 'error.execution'
  /** Human-readable error message. */
  content: string
  metadata: Metadata & {
    error_code: 'ERR_EXECUTION_600'
    /** The error class in the server. */
    error_type: string
    /** Further details. */
    context: Metadata
    /** Whether recovery is possible. */
    recoverable: boolean
  }
}

export const errorExecutionSchema: Schema<ErrorExecutionEvent> = schemaOf<ErrorExecutionEvent>()(
  eventOf(
    'error.execution',
    inStep,
    text,
    metadata({
      error_code: z.literal('ERR_EXECUTION_600'),
      error_type: text,
      context: bag,
      recoverable: z.boolean(),
    }),
  ),
)

/**
 * The server retries after an error.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorRetryEvent extends InStep {
  event: 'error.retry'
  /** Human-readable text. */
  content?: string | null
  metadata: Metadata & {
    /** The number of the next attempt. */
    attempt: number
    /** Maximum number of attempts. */
    max_attempts: number
    /** Delay before the attempt, in milliseconds. */
    delay_ms: number
    /** The error message. */
    error: string
  }
}

export const errorRetrySchema: Schema<ErrorRetryEvent> = schemaOf<ErrorRetryEvent>()(
  eventOf(
    'error.retry',
    inStep,
    content(text),
    metadata({ attempt: count, max_attempts: count, delay_ms: amount, error: text }),
  ),
)

/**
 * The server starts to recover.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorRecoveryStartedEvent extends InStep {
  event: 'error.recovery_started'
  /** Human-readable text. */
  content: string
  metadata: Metadata & {
    /** The recovery action. */
    recovery_action: string
    /** Estimated duration in milliseconds. Omitted if unknown. */
    estimated_duration_ms?: number
  }
}

export const errorRecoveryStartedSchema: Schema<ErrorRecoveryStartedEvent> =
  schemaOf<ErrorRecoveryStartedEvent>()(
    eventOf(
      'error.recovery_started',
      inStep,
      text,
      metadata({ recovery_action: text, estimated_duration_ms: maybe(amount) }),
    ),
  )

/**
 * The server recovered.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorRecoverySuccessEvent extends InStep {
  event: 'error.recovery_success'
  /** Human-readable text. */
  content?: string | null
  metadata: Metadata & {
    /** Duration of the recovery in milliseconds. */
    recovery_time_ms: number
    /** Number of attempts. */
    attempts: number
  }
}

export const errorRecoverySuccessSchema: Schema<ErrorRecoverySuccessEvent> =
  schemaOf<ErrorRecoverySuccessEvent>()(
    eventOf(
      'error.recovery_success',
      inStep,
      content(text),
      metadata({ recovery_time_ms: amount, attempts: count }),
    ),
  )

/**
 * The server failed to recover.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorRecoveryFailedEvent extends InStep {
  event: 'error.recovery_failed'
  /** Human-readable text. */
  content: string
  metadata: Metadata & {
    /** Error code, for programs. */
    error_code: string
    /** Number of attempts. */
    attempts: number
    /** The original error. */
    original_error: string
    /** The error of the recovery. */
    recovery_error: string
  }
}

export const errorRecoveryFailedSchema: Schema<ErrorRecoveryFailedEvent> =
  schemaOf<ErrorRecoveryFailedEvent>()(
    eventOf(
      'error.recovery_failed',
      inStep,
      text,
      metadata({
        error_code: id,
        attempts: count,
        original_error: text,
        recovery_error: text,
      }),
    ),
  )
