/** Failures of a loop, as page and model get them: a code and a sentence without details. */

import type { ErrorInfo } from '../events/error.ts'

export const toolThrew: ErrorInfo = { code: 'tool_failed', message: 'The tool failed.', retry: 'retryable' }

export const notJson: ErrorInfo = {
  code: 'tool_failed',
  message: 'The tool returned a value that JSON cannot represent.',
  retry: 'terminal',
}

export function tooLong(length: number, maxLength: number): ErrorInfo {
  const message = `The tool returned ${length} characters of JSON, more than ${maxLength}.`
  return { code: 'tool_failed', message, retry: 'terminal' }
}

export const toolUnnamed: ErrorInfo = {
  code: 'provider_error',
  message: 'The model called a tool without its name.',
  retry: 'retryable',
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
