/** Errors of providers: the code for programs, and whether a retry makes sense. */

import type { ErrorInfo } from '../../events/error.ts'
import { type Fields, fieldsOf, isFields, objectsOf, textOf } from './fields.ts'
import type { ModelWriter } from './model-writer.ts'

type Class = readonly [code: string, retry: ErrorInfo['retry']]
type Rows = readonly (readonly [pattern: RegExp, ...Class])[]

/** Names and statuses in the error objects of providers. The first row that matches counts. */
const classes: Rows = [
  [/insufficient_(quota|balance)|billing|quota_exceeded|credit|^402$/, 'budget_exhausted', 'terminal'],
  [/rate_?limit|throttl|too_?many_?requests|resource_?exhausted|^429$/, 'rate_limited', 'retryable'],
  [/overloaded|^529$/, 'overloaded', 'retryable'],
  [/time_?out|timed_?out|deadline|^(408|504)$/, 'timeout', 'retryable'],
  [
    /unavailable|connection_?error|^(econn|enet|ehost|epipe|enotfound|eai_|und_err_socket)|^503$/,
    'unavailable',
    'retryable',
  ],
  [/context_?(length|window|size)|prompt_too_long|request_too_large|^413$/, 'payload_too_large', 'terminal'],
  [/tool_use_failed|malformed_(function_call|tool_use)|invalid_tool_call/, 'tool_failed', 'retryable'],
  [/content_?(filter|policy)|safety|guardrail|moderation|blocked/, 'content_filtered', 'terminal'],
  [/refus/, 'refused', 'terminal'],
  [
    /authentication|unauthenticated|unauthorized|invalid_api_key|api_key_invalid|^401$/,
    'unauthenticated',
    'terminal',
  ],
  [/permission|forbidden|access_?denied|^403$/, 'permission_denied', 'terminal'],
  [/not_?found|^404$/, 'not_found', 'terminal'],
  [
    /invalid_?request|validation|invalid_?argument|bad_?request|invalid_prompt|^(400|422)$/,
    'invalid_request',
    'terminal',
  ],
]

const unknownClass: Class = ['provider_error', 'retryable']

/** Sentences of errors: servers name many faults of a request the same. */
const sentences: Rows = [
  [
    /(prompt|input|request|messages?) (is|are|was) too (long|large)|too many (input |total )?tokens|exceeds? the (maximum number of tokens|(available |maximum )?context)|maximum context length|context (window|limit)/i,
    'payload_too_large',
    'terminal',
  ],
  [/(credit|insufficient) balance|insufficient (credit|fund|quota)/i, 'budget_exhausted', 'terminal'],
  [
    /(invalid|incorrect|expired|missing) api.?key|api.?key (is |was )?(not valid|invalid|expired|missing|not found)/i,
    'unauthenticated',
    'terminal',
  ],
  [/^(request|connection|operation) timed out|aborted due to timeout/i, 'timeout', 'retryable'],
]

/**
 * The code and the retry class of names that providers use: types, codes and statuses of errors, and finish reasons.
 * The first name that is known counts.
 */
export function classOf(...names: readonly unknown[]): Class {
  for (const name of names) {
    const known = rowOf(classes, snakeCase(name))
    if (known !== undefined) return known
  }
  return unknownClass
}

function rowOf(rows: Rows, text: string): Class | undefined {
  const row = rows.find(([pattern]) => pattern.test(text))
  return row && [row[1], row[2]]
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
  const body = bodyOf(fields)
  const { name, $metadata: aws } = fields
  const code = body.code ?? fields.code
  const type = body.type ?? fields.type ?? (name === 'Error' ? undefined : name)
  const status = body.status ?? fields.status ?? fields.statusCode ?? fieldsOf(aws).httpStatusCode
  const facts = objectsOf(body.details ?? fields.details)
  const names = [...facts.map(({ reason }) => reason), code, type, status, fields.status, ...causesOf(fields)]
  const error = errorInfo(refine(classOf(...names), textOf(body.message) || textOf(fields.message)))
  const wait = waitOf(fields.headers, facts)
  if (wait > 0) error.retryAfterMs = wait
  const details = Object.entries({ type, code, status }).filter(([, name]) => isName(name))
  if (details.length > 0) error.details = Object.fromEntries(details)
  reportError(writer, fields)
  return error
}

/** The error object of a response that is the message of an `Error`, as that of `@google/genai`. */
function bodyOf({ message }: Fields): Fields {
  const text = textOf(message)
  if (!text.startsWith('{') || text.length > MAX_BODY) return {}
  try {
    return fieldsOf(fieldsOf(JSON.parse(text)).error)
  } catch {
    return {}
  }
}

/** In UTF-16 code units. */
const MAX_BODY = 65_536

/** The names of an `Error` and its causes: a connection that fails has no other. */
function causesOf(error: Fields): unknown[] {
  const names: unknown[] = []
  let at: Fields = error
  for (let depth = 0; depth < 4 && isFields(at.cause); depth++) {
    at = at.cause
    names.push(at.code, at.name)
  }
  return typeof error.constructor === 'function' ? [...names, error.constructor.name] : names
}

/** The class of an error, by its message if its names could be those of any fault. */
function refine(known: Class, message: string): Class {
  if (known[0] !== 'invalid_request' && known[0] !== 'provider_error') return known
  return rowOf(sentences, message.slice(0, MAX_TEXT)) ?? known
}

/** How long to wait, in milliseconds: of the headers, or of the `RetryInfo` of Google. 0 if it is unknown. */
function waitOf(headers: unknown, facts: readonly Fields[]): number {
  if (hasGet(headers)) {
    const wait = Number(headers.get('retry-after-ms') ?? Number(headers.get('retry-after')) * 1000)
    if (wait > 0) return wait
  }
  for (const { retryDelay } of facts) {
    const [, seconds] = /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(textOf(retryDelay)) ?? []
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000)
  }
  return 0
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
