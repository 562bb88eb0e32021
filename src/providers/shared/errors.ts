/** Errors of providers: the code for programs, and whether a retry makes sense. */

import type { ErrorInfo } from '../../events/error.ts'
import { type Fields, firstText, textOf } from './fields.ts'

type Class = readonly [code: string, retry: ErrorInfo['retry']]

/** Names and statuses in the error objects of providers. The first row that matches counts. */
const classes: readonly (readonly [pattern: RegExp, ...Class])[] = [
  [/insufficient_quota|billing|quota_exceeded|credit|^402$/, 'budget_exhausted', 'terminal'],
  [/rate_?limit|throttl|too_?many_?requests|resource_?exhausted|^429$/, 'rate_limited', 'retryable'],
  [/overloaded|^529$/, 'overloaded', 'retryable'],
  [/unavailable|^503$/, 'unavailable', 'retryable'],
  [/time_?out|timed_?out|deadline|^(408|504)$/, 'timeout', 'retryable'],
  [/context_?(length|window)|prompt_too_long|request_too_large|^413$/, 'payload_too_large', 'terminal'],
  [/tool_use_failed|malformed_(function_call|tool_use)|invalid_tool_call/, 'tool_failed', 'retryable'],
  [/content_?(filter|policy)|safety|guardrail|moderation|blocked/, 'content_filtered', 'terminal'],
  [/refus/, 'refused', 'terminal'],
  [/authentication|unauthenticated|unauthorized|invalid_api_key|^401$/, 'unauthenticated', 'terminal'],
  [/permission|forbidden|access_?denied|^403$/, 'permission_denied', 'terminal'],
  [/not_?found|^404$/, 'not_found', 'terminal'],
  [
    /invalid_?request|validation|invalid_?argument|bad_?request|invalid_prompt|^(400|422)$/,
    'invalid_request',
    'terminal',
  ],
]

const unknownClass: Class = ['provider_error', 'retryable']

/**
 * The code and the retry class of names that providers use: types, codes and statuses of errors, and finish reasons.
 * The first name that is known counts.
 */
export function classOf(...names: readonly unknown[]): Class {
  for (const name of names) {
    const text = snakeCase(name)
    const row = classes.find(([pattern]) => pattern.test(text))
    if (row !== undefined) return [row[1], row[2]]
  }
  return unknownClass
}

/** The error that an error object of a provider states. */
export function errorOf(value: Fields | string): ErrorInfo {
  const fields = typeof value === 'string' ? { message: value } : value
  const { type, code, status, message } = fields
  const [errorCode, retry] = classOf(code, type, status)
  const error: ErrorInfo = {
    code: errorCode,
    message: firstText(message, type, code) || 'The provider reported an error.',
    retry,
  }
  const details = Object.entries(fields).filter(([name, detail]) => name !== 'message' && isSimple(detail))
  if (details.length > 0) error.details = Object.fromEntries(details.slice(0, MAX_DETAILS))
  return error
}

/** Further fields of an error object are left out. */
const MAX_DETAILS = 16

/** Whether a detail of an error is kept: not an object, which may hold the whole request. */
function isSimple(detail: unknown): boolean {
  return (
    typeof detail === 'number' || typeof detail === 'boolean' || (typeof detail === 'string' && detail !== '')
  )
}

/** The error that a finish reason states: a refusal or a filter. */
export function refusalOf(finishReason: string, message = ''): ErrorInfo {
  const [code, retry] = classOf(finishReason)
  const text = message === '' ? `The model stopped with the reason ${finishReason}.` : message
  return { code, message: text, retry }
}

/** `RateLimitError` and `RATE LIMIT` are `rate_limit_error` and `rate_limit`; a status is its digits. */
function snakeCase(name: unknown): string {
  const text = typeof name === 'number' ? String(name) : textOf(name).slice(0, 128)
  return text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase()
}
