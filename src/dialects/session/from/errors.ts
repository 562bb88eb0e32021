/** Conversion of the events that report an error, and of those that end a run without an answer. */

import type { ErrorInfo, RetryClass } from '../../../events/error.ts'
import { isCount, isOrdinal } from '../../../validation/predicates.ts'
import { at } from '../wire/aliases.ts'
import { numberOf, textOf } from '../wire/coerce.ts'
import { cancelRound } from './pipeline.ts'
import { finishRound, ifOpen, inRound } from './round.ts'
import type { Conversion, Conversions, RoundWriter } from './round-writer.ts'

const codes: Readonly<Record<string, string>> = {
  'error.validation': 'invalid_request',
  'error.timeout': 'timeout',
  'agent.timeout': 'timeout',
  'plan.validation_error': 'invalid_request',
  'plan.coercion_error': 'provider_error',
}

/** The places of the delay before a retry, in milliseconds. */
const delays = ['/metadata/retry_after_ms', '/metadata/backoff_ms', '/metadata/delay_ms']

/** The places of the message. */
const messages = [
  '/content',
  '/content/error_message',
  '/content/message',
  '/metadata/error',
  '/metadata/previous_error',
]

/** The places of the maximum number of attempts. */
const maxima = ['/metadata/max_attempts', '/metadata/total_attempts']

/**
 * How the messages of `agent.error` begin that refuse a request of the client. The run, if any, continues: the event
 * has no other sign of it.
 */
const REFUSAL =
  /^(Missing |Message content |Session |Invalid state|Failed to |Reconnection failed|Error processing user response|Agent (is currently running|does not support )|Replan |Cannot replan )/

/** Those that may refuse what has just started the round. */
const REFUSED_START = /^(Missing tasks|Message content |Session |Agent )/

const convertError: Conversion = (writer) => {
  const error = errorOf(writer)
  writer.update({ lastError: error })
  // Only later events show whether the round continues.
  const isFatal = error.retry === 'terminal' || error.retry === 'exhausted'
  const derived = { error: isFatal ? { ...error, retry: 'retryable' } : error }
  writer.emitEvent('task-error', {}, derived, writer.core)
}

const ifOpenError = ifOpen(convertError)

/** Ends the round with the error of the event. */
function failRound(writer: RoundWriter): void {
  const error = errorOf(writer)
  finishRound(writer, 'failed', { message: error.message, error })
}

/** The conversions of these events. */
export const errorConversions: Conversions = {
  'plan.validation_error': ifOpenError,
  'plan.coercion_error': ifOpenError,
  'solver.step_failed': ifOpenError,
  'solver.retry': ifOpenError,
  'solver.restarted': inRound((writer) => {
    writer.update({ stage: 'solving' })
    convertError(writer)
  }),
  'system.error': ifOpenError,
  'error.validation': ifOpenError,
  'error.timeout': ifOpenError,
  'error.execution': ifOpenError,
  'error.retry': ifOpenError,
  'error.recovery_failed': ifOpenError,
  'system.notice': (writer) => {
    if (isOrdinal(writer.metadata.attempt)) ifOpenError(writer)
    else writer.droppedEvent()
  },
  'agent.error': ifOpen((writer) => {
    const { content } = writer.event
    const message = typeof content === 'string' ? content : textOf(writer.content.message)
    const { stage, openedCount, thoughtCount, lastError } = writer.state
    const isNew = stage === 'asked' && openedCount + thoughtCount === 0 && lastError === null
    if (REFUSAL.test(message) && !(isNew && REFUSED_START.test(message))) convertError(writer)
    else failRound(writer)
  }),
  'agent.timeout': ifOpen(failRound),
  'agent.interrupted': ifOpen(cancelRound),
}

/**
 * The error that an event of the session reports. The error codes of the protocol have no equivalent; `details` has
 * the content and metadata of the event.
 */
function errorOf(writer: RoundWriter): ErrorInfo {
  const { event } = writer
  const find = (paths: readonly string[], fits: (value: unknown) => boolean): unknown =>
    paths.map((path) => at(event, path)).find(fits)
  const seconds = numberOf(writer.metadata.retry_delay_seconds)
  const delay = (find(delays, isCount) ?? (seconds >= 0 ? Math.round(seconds * 1000) : undefined)) as
    | number
    | undefined
  const attempt = at(event, '/metadata/attempt')
  const maxAttempts = find(maxima, isOrdinal)
  const content = writer.take('/content') ?? null
  const metadata = writer.take('/metadata') ?? null
  return {
    code: codes[event.event] ?? 'internal',
    message: (find(messages, (value) => typeof value === 'string') as string | undefined) ?? event.event,
    retry: retryOf(event, numberOf(attempt) < numberOf(maxAttempts)),
    ...(delay !== undefined && { retryAfterMs: delay }),
    ...(isOrdinal(attempt) && { attempt: attempt as number }),
    ...(maxAttempts !== undefined && { maxAttempts: maxAttempts as number }),
    details: { event: event.event, content, metadata },
  }
}

function retryBy(action: unknown): RetryClass {
  if (action === 'retry' || action === 'fallback') return 'retrying'
  return action === 'manual_input' ? 'retryable' : 'terminal'
}

function retryOf(event: { event: string }, hasAttemptsLeft: boolean): RetryClass {
  const name = event.event
  if (name.endsWith('.retry') || name === 'solver.restarted' || name === 'system.notice') return 'retrying'
  if (name === 'error.timeout') return hasAttemptsLeft ? 'retrying' : 'exhausted'
  if (name === 'error.recovery_failed') return 'exhausted'
  const isRecoverable = at(event, '/metadata/recoverable') ?? at(event, '/metadata/recovery_possible')
  return isRecoverable === true ? 'retryable' : retryBy(at(event, '/metadata/recovery_action'))
}
