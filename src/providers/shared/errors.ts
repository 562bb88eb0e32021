/** Errors of providers: the code for programs, and whether a retry makes sense. */

import type { ErrorInfo } from '../../events/error.ts'
import { type Fields, fieldsOf, isFields, objectsOf, textOf } from './fields.ts'
import type { ModelWriter } from './model-writer.ts'

/** A fault: its error, and how providers name it. */
type Fault = readonly [
  code: string,
  retry: ErrorInfo['retry'],
  /** For clients: texts of providers may quote keys, addresses and prompts. */
  message: string,
  /** Names and statuses in the error objects of providers. */
  names?: RegExp,
  /** In the sentences of messages: servers name many faults of a request the same. */
  sentence?: RegExp,
]

/** The first fault that matches counts. */
const faults: readonly Fault[] = [
  [
    'budget_exhausted',
    'terminal',
    'The quota of the model provider is used up.',
    /insufficient_(quota|balance)|billing|quota_exceeded|credit|^402$/,
    /(credit|insufficient) balance|insufficient (credit|fund|quota)/i,
  ],
  [
    'rate_limited',
    'retryable',
    'The model provider received too many requests.',
    /rate_?limit|throttl|too_?many_?requests|resource_?exhausted|^429$/,
  ],
  ['overloaded', 'retryable', 'The model provider is overloaded.', /overloaded|^529$/],
  [
    'timeout',
    'retryable',
    'The model provider did not answer in time.',
    /time_?out|timed_?out|deadline|^(408|504)$/,
    /^(request|connection|operation) timed out|aborted due to timeout/i,
  ],
  [
    'unavailable',
    'retryable',
    'The model provider is unavailable.',
    /unavailable|connection_?error|^(econn|enet|ehost|epipe|enotfound|eai_|und_err_socket)|^503$/,
  ],
  [
    'payload_too_large',
    'terminal',
    'The request is too long for the model.',
    /context_?(length|window|size)|prompt_too_long|request_too_large|^413$/,
    /(prompt|input|request|messages?) (is|are|was) too (long|large)|too many (input |total )?tokens|exceeds? the (maximum number of tokens|(available |maximum )?context)|maximum context length|context (window|limit)/i,
  ],
  [
    'tool_failed',
    'retryable',
    'The model wrote an invalid tool call.',
    /tool_use_failed|malformed_(function_call|tool_use)|invalid_tool_call/,
  ],
  [
    'content_filtered',
    'terminal',
    'A content filter blocked the response.',
    /content_?(filter|policy)|safety|guardrail|moderation|blocked/,
  ],
  ['refused', 'terminal', 'The model refused to answer.', /refus/],
  [
    'unauthenticated',
    'terminal',
    'The model provider rejected the credentials.',
    /authentication|unauthenticated|unauthorized|invalid_api_key|api_key_invalid|^401$/,
    /(invalid|incorrect|expired|missing) api.?key|api.?key (is |was )?(not valid|invalid|expired|missing|not found)/i,
  ],
  [
    'permission_denied',
    'terminal',
    'The model provider denied access.',
    /permission|forbidden|access_?denied|^403$/,
  ],
  ['not_found', 'terminal', 'The model provider did not find what was requested.', /not_?found|^404$/],
  [
    'invalid_request',
    'terminal',
    'The model provider rejected the request.',
    /invalid_?request|validation|invalid_?argument|bad_?request|invalid_prompt|^(400|422)$/,
  ],
]

const unknownFault: Fault = ['provider_error', 'retryable', 'The model provider reported an error.']

/** The fault of names that providers use: types, codes and statuses of errors, and finish reasons. The first known name counts. */
function faultOf(names: readonly unknown[]): Fault {
  for (const name of names) {
    const text = snakeCase(name)
    const known = faults.find(([, , , pattern]) => pattern?.test(text))
    if (known !== undefined) return known
  }
  return unknownFault
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
  const error = errorInfo(refine(faultOf(names), textOf(body.message) || textOf(fields.message)))
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

/** The fault that a message states, if the names could be those of any fault. */
function refine(known: Fault, message: string): Fault {
  if (known[0] !== 'invalid_request' && known !== unknownFault) return known
  const text = message.slice(0, MAX_TEXT)
  return faults.find(([, , , , sentence]) => sentence?.test(text)) ?? known
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
  return errorInfo(faultOf([finishReason]))
}

function errorInfo([code, retry, message]: Fault): ErrorInfo {
  return { code, message, retry }
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
