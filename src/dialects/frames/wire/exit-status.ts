/** Exit codes, end reasons and end statuses of frames, mapped to the core vocabulary. */
import type { ErrorInfo } from '../../../events/error.ts'

/** The result of a tool that ran to its end: exit code 0 is a success. */
export function exitResult(exitCode: number): { success: boolean; error?: string } {
  return exitCode === 0 ? { success: true } : { success: false, error: exitError(exitCode) }
}

/** The error message for an exit code. */
export function exitError(exitCode: number): string {
  return `Exited with code ${exitCode}.`
}

/** End reasons with an error code of their own, and whether a retry may succeed. */
const ERRORS: ReadonlyMap<string, Pick<ErrorInfo, 'code' | 'retry'>> = new Map([
  ['provider_error', { code: 'provider_error', retry: 'retryable' }],
  ['max_tool_calls_exceeded', { code: 'budget_exhausted', retry: 'terminal' }],
])

/** The error of a session that failed with this reason. */
export function sessionError(reason: string): ErrorInfo {
  const { code, retry } = ERRORS.get(reason) ?? { code: 'internal', retry: 'terminal' }
  return { code, message: reason, retry }
}

/** The task status for the reason of a `session_ended` frame. */
export function endStatusOf(reason: string): 'completed' | 'failed' | 'canceled' {
  if (reason === 'completed') return 'completed'
  return reason === 'cancelled' || reason === 'canceled' ? 'canceled' : 'failed'
}

/** Whether a status of a background tool is final. */
export function isTerminalToolStatus(status: string): boolean {
  return /^(exited|failed|cancell?ed|timeout)$/.test(status)
}
