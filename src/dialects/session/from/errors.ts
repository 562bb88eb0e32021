/** Conversion of the error events of a session. */

import type { ErrorInfo, RetryClass } from '../../../events/error.ts'
import { isCount, isOrdinal } from '../../../validation/predicates.ts'
import { at } from '../wire/aliases.ts'
import { numberOf } from '../wire/coerce.ts'
import { type Conversion, type Conversions, ifOpen } from './conversion.ts'

const codes: Readonly<Record<string, string>> = {
  'error.validation': 'invalid_request',
  'error.timeout': 'timeout',
  'plan.validation_error': 'invalid_request',
  'plan.coercion_error': 'provider_error',
}

/** The places of the delay before a retry, in milliseconds. */
const delays = ['/metadata/retry_after_ms', '/metadata/backoff_ms', '/metadata/delay_ms']

/** The places of the message. */
const messages = ['/content', '/content/error_message', '/metadata/error', '/metadata/previous_error']

const convertError: Conversion = ifOpen((writer) => {
  const error = errorOf(writer.event)
  writer.update({ lastError: error })
  writer.emitEvent('task-error', {}, { error }, writer.core)
})

/** The conversions of the error events. */
export const errorConversions: Conversions = {
  'plan.validation_error': convertError,
  'plan.coercion_error': convertError,
  'solver.step_failed': convertError,
  'solver.retry': convertError,
  'solver.restarted': convertError,
  'system.error': convertError,
  'error.validation': convertError,
  'error.timeout': convertError,
  'error.execution': convertError,
  'error.retry': convertError,
  'error.recovery_failed': convertError,
}

/**
 * The error that an event of the session reports. The error codes of the protocol have no equivalent;
 * `details` has the content and metadata of the event.
 */
function errorOf(event: { event: string; content?: unknown; metadata?: unknown }): ErrorInfo {
  const find = (paths: readonly string[], fits: (value: unknown) => boolean): unknown =>
    paths.map((path) => at(event, path)).find(fits)
  const delay = find(delays, isCount) as number | undefined
  const [attempt, maxAttempts] = ['/metadata/attempt', '/metadata/max_attempts'].map((path) =>
    at(event, path),
  )
  const { content = null, metadata = null } = event
  return {
    code: codes[event.event] ?? 'internal',
    message: (find(messages, (value) => typeof value === 'string') as string | undefined) ?? event.event,
    retry: retryOf(event, numberOf(attempt) < numberOf(maxAttempts)),
    ...(delay !== undefined && { retryAfterMs: delay }),
    ...(isOrdinal(attempt) && { attempt: attempt as number }),
    ...(isOrdinal(maxAttempts) && { maxAttempts: maxAttempts as number }),
    ...(event.event === 'system.error' && { scope: 'stream' as const }),
    details: { event: event.event, content, metadata },
  }
}

function retryBy(action: unknown): RetryClass {
  if (action === 'retry' || action === 'fallback') return 'retrying'
  return action === 'manual_input' ? 'retryable' : 'terminal'
}

function retryOf(event: { event: string }, hasAttemptsLeft: boolean): RetryClass {
  const name = event.event
  if (name.endsWith('.retry') || name === 'solver.restarted') return 'retrying'
  if (name === 'error.timeout') return hasAttemptsLeft ? 'retrying' : 'exhausted'
  if (name === 'error.recovery_failed') return 'exhausted'
  const isRecoverable = at(event, '/metadata/recoverable') ?? at(event, '/metadata/recovery_possible')
  return isRecoverable === true ? 'retryable' : retryBy(at(event, '/metadata/recovery_action'))
}
