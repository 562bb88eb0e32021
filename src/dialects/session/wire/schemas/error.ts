/** The schemas of the events in `error.ts`. */
import * as z from 'zod/mini'
import { count, id, maybe, metadata } from '../../../../events/records/fields.ts'
import type { ErrorEvent } from '../events/error.ts'
import { amount, bag, content, eventSchema, inStep, type SchemasOf, text } from './envelope.ts'

export const errorSchemas: SchemasOf<ErrorEvent> = {
  'error.validation': eventSchema(
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
  'error.timeout': eventSchema(
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
  'error.execution': eventSchema(
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
  'error.retry': eventSchema(
    'error.retry',
    inStep,
    content(text),
    metadata({ attempt: count, max_attempts: count, delay_ms: amount, error: text }),
  ),
  'error.recovery_started': eventSchema(
    'error.recovery_started',
    inStep,
    text,
    metadata({ recovery_action: text, estimated_duration_ms: maybe(amount) }),
  ),
  'error.recovery_success': eventSchema(
    'error.recovery_success',
    inStep,
    content(text),
    metadata({ recovery_time_ms: amount, attempts: count }),
  ),
  'error.recovery_failed': eventSchema(
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
}
