/** What an agent does with a response that cannot be used: it calls the model again, or gives up. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorInfo } from 'turnstream'
import type { ModelTurn } from 'turnstream/providers'
import type { AgentOptions, Events } from './options.ts'
import { endCall } from './run-calls.ts'

/** Model calls that may fail in one task. */
const MAX_FAILURES = 2

/** Why a response is not used: its error, a stream that was cut off, or too many responses. */
export function failureOf(
  { error, finishReason }: ModelTurn,
  iteration: number,
  { maxIterations = 16 }: AgentOptions,
): ErrorInfo | undefined {
  if (error !== undefined) return error
  if (finishReason === undefined) {
    return { code: 'provider_error', message: 'The response was cut off.', retry: 'retryable' }
  }
  if (iteration < maxIterations) return undefined
  return {
    code: 'budget_exhausted',
    message: `No answer after ${maxIterations} responses.`,
    retry: 'terminal',
  }
}

/** Ends what the response has open. Waits and returns `true` if the model is to be called again; else the task fails. */
export async function* retry(
  error: ErrorInfo,
  failures: number,
  { calls }: ModelTurn,
  options: AgentOptions,
): Events<boolean> {
  for (const call of calls) {
    if (call.status === 'complete') yield* endCall(call, 'The response was not complete.', options)
  }
  const { signal, retryDelay = 1000, emitter } = options
  if (error.retry === 'retryable' && failures <= MAX_FAILURES) {
    await sleep(retryDelay * 2 ** (failures - 1), undefined, { signal }).catch(() => {})
    return true
  }
  const last = error.retry === 'retryable' ? { ...error, retry: 'exhausted' as const } : error
  yield emitter.emit({ kind: 'task-status', status: 'failed', error: last })
  return false
}
