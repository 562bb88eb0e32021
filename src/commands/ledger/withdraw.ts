/** Stops a task: withdraws what it asked, and notifies whoever runs it. */

import type { LedgerStep } from './ledger-step.ts'
import type { TaskRecord } from './state.ts'

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
