/**
 * Errors of a step, and recovery from them.
 *
 *     error.recovery_started → error.recovery_success | error.recovery_failed
 *
 * The digits of an `error_code` are not an HTTP status.
 */

import type { Metadata } from '../../../../events/metadata.ts'
import type { InStep } from '../envelope.ts'

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

/** Any event of this file. */
export type ErrorEvent =
  | ErrorValidationEvent
  | ErrorTimeoutEvent
  | ErrorExecutionEvent
  | ErrorRetryEvent
  | ErrorRecoveryStartedEvent
  | ErrorRecoverySuccessEvent
  | ErrorRecoveryFailedEvent
