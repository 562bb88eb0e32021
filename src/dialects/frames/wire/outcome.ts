/** What the ends of frames mean, in the words of the core vocabulary. */
import type { ErrorInfo } from '../../../events/error.ts'

/** What an exit code says: 0 is a success. */
export function outcomeOf(exitCode: number): { success: boolean; error?: string } {
  return exitCode === 0 ? { success: true } : { success: false, error: exitError(exitCode) }
}

/** An exit code as an error, for people. */
export function exitError(exitCode: number): string {
  return `Exited with code ${exitCode}.`
}

/** The reasons that have an error code of their own, and whether trying again may help. */
const ERRORS: ReadonlyMap<string, Pick<ErrorInfo, 'code' | 'retry'>> = new Map([
  ['provider_error', { code: 'provider_error', retry: 'retryable' }],
  ['max_tool_calls_exceeded', { code: 'budget_exhausted', retry: 'terminal' }],
])

/** What went wrong with a session that fails for a reason. */
export function sessionError(reason: string): ErrorInfo {
  const { code, retry } = ERRORS.get(reason) ?? { code: 'internal', retry: 'terminal' }
  return { code, message: reason, retry }
}

/** How a session ends that ends for a reason. */
export function endStatusOf(reason: string): 'completed' | 'failed' | 'canceled' {
  if (reason === 'completed') return 'completed'
  return reason === 'cancelled' || reason === 'canceled' ? 'canceled' : 'failed'
}

/** Whether a status of a tool in the background is its last. */
export function isTaskEnd(status: string): boolean {
  return TASK_ENDS.has(status)
}

const TASK_ENDS: ReadonlySet<string> = new Set(['exited', 'failed', 'cancelled', 'canceled', 'timeout'])
