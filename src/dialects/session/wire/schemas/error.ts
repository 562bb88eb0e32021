/** The schemas of the events in `error.ts`. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybe, metadata } from '../../../../events/records/fields.ts'
import type {
  ErrorExecutionEvent,
  ErrorRecoveryFailedEvent,
  ErrorRecoveryStartedEvent,
  ErrorRecoverySuccessEvent,
  ErrorRetryEvent,
  ErrorTimeoutEvent,
  ErrorValidationEvent,
} from '../events/error.ts'
import { amount, bag, content, eventOf, inStep, text } from './envelope.ts'

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

export const errorRetrySchema: Schema<ErrorRetryEvent> = schemaOf<ErrorRetryEvent>()(
  eventOf(
    'error.retry',
    inStep,
    content(text),
    metadata({ attempt: count, max_attempts: count, delay_ms: amount, error: text }),
  ),
)

export const errorRecoveryStartedSchema: Schema<ErrorRecoveryStartedEvent> =
  schemaOf<ErrorRecoveryStartedEvent>()(
    eventOf(
      'error.recovery_started',
      inStep,
      text,
      metadata({ recovery_action: text, estimated_duration_ms: maybe(amount) }),
    ),
  )

export const errorRecoverySuccessSchema: Schema<ErrorRecoverySuccessEvent> =
  schemaOf<ErrorRecoverySuccessEvent>()(
    eventOf(
      'error.recovery_success',
      inStep,
      content(text),
      metadata({ recovery_time_ms: amount, attempts: count }),
    ),
  )

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
