/** The well-known codes of errors. */

/**
 * The well-known error codes. The set is open: a receiver handles an unknown code by
 * `retry` alone. Custom codes start with `x-`.
 */
export const errorCodes = [
  'invalid_request',
  'unsupported',
  'unauthenticated',
  'permission_denied',
  'not_found',
  'invalid_state',
  'not_cancelable',
  'conflict',
  'version_conflict',
  'cursor_expired',
  'payload_too_large',
  'rate_limited',
  'budget_exhausted',
  'canceled',
  'timeout',
  'overloaded',
  'unavailable',
  'provider_error',
  'tool_failed',
  'input_expired',
  'auth_expired',
  'auth_denied',
  'content_filtered',
  'refused',
  'protocol_violation',
  'data_loss',
  'internal',
] as const

/** A code of {@link errorCodes}, or a custom code of the producer. */
export type ErrorCode = (typeof errorCodes)[number] | (string & {})
