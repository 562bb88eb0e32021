/**
 * What went wrong in a step, and what becomes of it.
 *
 *     error.recovery_started → error.recovery_success | error.recovery_failed
 *
 * The digits of an `error_code` are no HTTP status.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { count, id, type Metadata, maybe, metadata } from '../../../events/fields.ts'
import { amount, bag, content, eventOf, type InStep, inStep, text } from './envelope.ts'

/**
 * Something is not as it must be.
 *
 * @see docs/spec/event-payloads.md#errorvalidation
 */
export interface ErrorValidationEvent extends InStep {
  event: 'error.validation'
  /** What, for people. */
  content: string
  metadata: Metadata & {
    error_code: 'ERR_VALIDATION_400'
    /** The field that is wrong. Absent: none by itself. */
    field?: string
    /** The rule that is broken. Absent: not told. */
    constraint?: string
    /** Whether it can be recovered from. */
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
 * Something took too long.
 *
 * @see docs/spec/event-payloads.md#errortimeout
 */
export interface ErrorTimeoutEvent extends InStep {
  event: 'error.timeout'
  /** What, for people. */
  content: string
  metadata: Metadata & {
    error_code: 'ERR_TIMEOUT_500'
    /** How long it was allowed to take, in seconds. */
    timeout_seconds: number
    /** How long it took until it was given up, in seconds. */
    elapsed_seconds: number
    /** Where, such as `planning`. */
    stage: string
    /** Which attempt timed out, from 1. */
    attempt: number
    /** How many attempts are made at most. */
    max_attempts: number
    /** How long to wait before the next attempt, in milliseconds. */
    retry_after_ms: number
    /** How the server tries to recover. */
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
 * Something failed while it ran.
 *
 * @see docs/spec/event-payloads.md#errorexecution
 */
export interface ErrorExecutionEvent extends InStep {
  event: 'error.execution'
  /** What, for people. */
  content: string
  metadata: Metadata & {
    error_code: 'ERR_EXECUTION_600'
    /** The error's class in the server. */
    error_type: string
    /** What else is known. */
    context: Metadata
    /** Whether it can be recovered from. */
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
 * Something is tried again.
 *
 * @see docs/spec/event-payloads.md#errorretry
 */
export interface ErrorRetryEvent extends InStep {
  event: 'error.retry'
  /** For people. */
  content?: string | null
  metadata: Metadata & {
    /** Which attempt follows. */
    attempt: number
    /** How many attempts are made at most. */
    max_attempts: number
    /** How long the server waits before it, in milliseconds. */
    delay_ms: number
    /** What went wrong. */
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
 * The server tries to recover.
 *
 * @see docs/spec/event-payloads.md#errorrecovery_started
 */
export interface ErrorRecoveryStartedEvent extends InStep {
  event: 'error.recovery_started'
  /** For people. */
  content: string
  metadata: Metadata & {
    /** What is done about it. */
    recovery_action: string
    /** How long recovering will take, in milliseconds. A guess. Absent: none is made. */
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
 * @see docs/spec/event-payloads.md#errorrecovery_success
 */
export interface ErrorRecoverySuccessEvent extends InStep {
  event: 'error.recovery_success'
  /** For people. */
  content?: string | null
  metadata: Metadata & {
    /** How long recovering took, in milliseconds. */
    recovery_time_ms: number
    /** How many attempts were made. */
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
 * The server did not recover.
 *
 * @see docs/spec/event-payloads.md#errorrecovery_failed
 */
export interface ErrorRecoveryFailedEvent extends InStep {
  event: 'error.recovery_failed'
  /** For people. */
  content: string
  metadata: Metadata & {
    /** For programs: what went wrong. */
    error_code: string
    /** How many attempts were made. */
    attempts: number
    /** What went wrong at first. */
    original_error: string
    /** What went wrong on the way back. */
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
