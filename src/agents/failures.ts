/** Failures of a loop, as page and model get them: a code and a sentence without details. */

import type { ErrorInfo } from '../events/error.ts'
import { isFields } from '../validation/predicates.ts'

/** The error that an application has described; `undefined` if it has not. */
export function describeError(value: unknown): ErrorInfo | undefined {
  if (!isFields(value)) return undefined
  const { code, message, retry } = value
  const isKnown = typeof code === 'string' && typeof message === 'string' && typeof retry === 'string'
  return isKnown ? (value as unknown as ErrorInfo) : undefined
}

export const toolThrew: ErrorInfo = { code: 'tool_failed', message: 'The tool failed.', retry: 'retryable' }

export const notJson: ErrorInfo = {
  code: 'tool_failed',
  message: 'The tool returned a value that JSON cannot represent.',
  retry: 'terminal',
}

export const toolLate: ErrorInfo = {
  code: 'timeout',
  message: 'The tool did not answer in time.',
  retry: 'retryable',
}

export function outOfTurns(maxTurns: number): ErrorInfo {
  const message = `The model gave no answer within ${maxTurns} responses.`
  return { code: 'budget_exhausted', message, retry: 'terminal' }
}
