/** What went wrong in a session, as the core says it. */

import type { ErrorInfo, RetryClass } from '../../../events/error.ts'
import { isCount, isOrdinal } from '../../../validation/predicates.ts'
import { at } from '../wire/aliases.ts'
import { numberOf } from '../wire/coerce.ts'

const codes: Readonly<Record<string, string>> = {
  'error.validation': 'invalid_request',
  'error.timeout': 'timeout',
  'plan.validation_error': 'invalid_request',
  'plan.coercion_error': 'provider_error',
}

/** Where the waiting time stands, in milliseconds. */
const waits = ['/metadata/retry_after_ms', '/metadata/backoff_ms', '/metadata/delay_ms']

/** Where the message stands. */
const messages = ['/content', '/content/error_message', '/metadata/error', '/metadata/previous_error']

/**
 * The error an event of the session tells. Its digits and words are no codes of the core; the event's
 * content and metadata are in `details`.
 */
export function errorOf(event: { event: string; content?: unknown; metadata?: unknown }): ErrorInfo {
  const find = (paths: readonly string[], fits: (value: unknown) => boolean): unknown =>
    paths.map((path) => at(event, path)).find(fits)
  const wait = find(waits, isCount) as number | undefined
  const [attempt, maxAttempts] = ['/metadata/attempt', '/metadata/max_attempts'].map((path) =>
    at(event, path),
  )
  const { content = null, metadata = null } = event
  return {
    code: codes[event.event] ?? 'internal',
    message: (find(messages, (value) => typeof value === 'string') as string | undefined) ?? event.event,
    retry: retryOf(event, numberOf(attempt) < numberOf(maxAttempts)),
    ...(wait !== undefined && { retryAfterMs: wait }),
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
