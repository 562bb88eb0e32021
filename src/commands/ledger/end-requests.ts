/** Ends requests without an answer: their time is over, or their task is to stop. */

import type { LedgerStep } from './ledger-step.ts'
import type { RequestRecord, TaskRecord } from './state.ts'

/** Closes all requests that have expired by the time of this step. */
export function expireRequests(step: LedgerStep): void {
  const now = Date.parse(step.at)
  for (const request of step.openRequests()) if (isExpired(request, now)) expire(step, request)
}

/** Whether a request has expired. It is still open in the millisecond of its deadline. */
export function isExpired({ expiresAt }: RequestRecord, now: number): boolean {
  return expiresAt !== null && now > expiresAt
}

/** Closes a request because its time is over. */
export function expire(step: LedgerStep, request: RequestRecord): void {
  step.close(request, 'expired')
  if (request.type === 'input') {
    step.event(request, { kind: 'input-canceled', inputId: request.id, reason: 'expired' })
  } else step.event(request, { kind: 'auth-failed', authId: request.id, reason: 'expired' })
  step.resume(request)
}

/** Marks a task to be stopped, once, and closes its open requests. */
export function withdraw(
  step: LedgerStep,
  { contextId, taskId }: TaskRecord,
  reason: string | undefined,
): void {
  const named = { contextId, taskId }
  for (const request of step.openRequests(named)) step.withdraw(request, 'The task is being canceled.')
  const task = step.taskOf(named)
  if (task.isCanceled) return
  step.setTask({ ...task, isCanceled: true, ...(reason !== undefined && { reason }) })
  step.emit({ type: 'cancel', contextId, taskId, ...(reason !== undefined && { reason }) })
}
