/** The errors that an application describes for its clients. */

import type { ErrorInfo } from '../events/error.ts'
import { isFields } from '../validation/predicates.ts'

/** The error that an application has described; `undefined` if it has not. */
export function describeError(value: unknown): ErrorInfo | undefined {
  if (!isFields(value)) return undefined
  const { code, message, retry } = value
  const isKnown = typeof code === 'string' && typeof message === 'string' && typeof retry === 'string'
  return isKnown ? (value as unknown as ErrorInfo) : undefined
}
