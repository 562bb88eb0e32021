/** Errors of providers: the code for programs, and whether a retry makes sense. */

import type { ErrorInfo } from '../../events/error.ts'
import { type Fields, fieldsOf, textOf } from './fields.ts'
import type { ModelWriter } from './model-writer.ts'

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

/** The messages for clients: texts of providers may quote keys, addresses and prompts. */
const messages: Readonly<Record<string, string>> = {
  budget_exhausted: 'The quota of the model provider is used up.',
  rate_limited: 'The model provider received too many requests.',
  overloaded: 'The model provider is overloaded.',
  unavailable: 'The model provider is unavailable.',
  timeout: 'The model provider did not answer in time.',
  payload_too_large: 'The request is too long for the model.',
  tool_failed: 'The model wrote an invalid tool call.',
  content_filtered: 'A content filter blocked the response.',
  refused: 'The model refused to answer.',
  unauthenticated: 'The model provider rejected the credentials.',
  permission_denied: 'The model provider denied access.',
  not_found: 'The model provider did not find what was requested.',
  invalid_request: 'The model provider rejected the request.',
  provider_error: 'The model provider reported an error.',
}

/** The error of a response whose end did not come. */
export const cutOff: ErrorInfo = {
  code: 'provider_error',
  message: 'The response was cut off.',
  retry: 'retryable',
}

/**
 * The error that an error object of a provider, or of its SDK, states. Its text is reported, and not part of the error:
 * only the names and statuses of the provider are.
 */
export function errorOf(writer: ModelWriter, value: unknown): ErrorInfo {
  const fields = typeof value === 'string' ? { message: value } : fieldsOf(value)
  const { code, name, headers, $metadata: aws } = fields
  const type = fields.type ?? (name === 'Error' ? undefined : name)
  const status = fields.status ?? fields.statusCode ?? fieldsOf(aws).httpStatusCode
  const error = errorInfo(classOf(code, type, status))
  if (hasGet(headers)) {
    const wait = Number(headers.get('retry-after-ms') ?? Number(headers.get('retry-after')) * 1000)
    if (wait > 0) error.retryAfterMs = wait
  }
  const details = Object.entries({ type, code, status }).filter(([, name]) => isName(name))
  if (details.length > 0) error.details = Object.fromEntries(details)
  reportError(writer, fields)
  return error
}

/** Whether a value is read as the platform's `Headers`. */
function hasGet(value: unknown): value is { get(name: string): unknown } {
  return typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function'
}

/** The error that a finish reason states: a refusal or a filter. The provider’s text is reported. */
export function refusalOf(writer: ModelWriter, finishReason: string, text = ''): ErrorInfo {
  if (text !== '') reportError(writer, { message: text })
  return errorInfo(classOf(finishReason))
}

function errorInfo([code, retry]: Class): ErrorInfo {
  return { code, message: messages[code] ?? '', retry }
}

/** Whether a value is a name or a status: short, and one word. */
export function isName(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value))
}

/** Reports what a provider states about an error. Further fields, and what is longer, are left out. */
function reportError(writer: ModelWriter, fields: Fields): void {
  const { message } = fields
  // The message of an `Error` is not among its entries.
  const detail = Object.entries({ ...fields, message })
    .filter(([, value]) => isSimple(value))
    .slice(0, MAX_DETAILS)
    .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, MAX_TEXT) : value])
  if (detail.length === 0) return
  writer.diagnostic('provider-error', 'The provider reported an error.', {
    detail: Object.fromEntries(detail),
  })
}

const MAX_DETAILS = 16

/** In UTF-16 code units. */
const MAX_TEXT = 4096

/** Whether a field of an error is reported: not an object, which may hold the whole request. */
function isSimple(value: unknown): boolean {
  return (
    typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '')
  )
}

/** `RateLimitError` and `RATE LIMIT` are `rate_limit_error` and `rate_limit`; a status is its digits. */
function snakeCase(name: unknown): string {
  const text = typeof name === 'number' ? String(name) : textOf(name).slice(0, 128)
  return text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase()
}
