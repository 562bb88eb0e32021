/** Stops a task: withdraws what it asked, and notifies whoever runs it. */

import type { LedgerStep } from './ledger-step.ts'
import type { TaskRecord } from './state.ts'

/** Marks a task to be stopped, once, and closes its open requests. */
export function withdraw(step: LedgerStep, task: TaskRecord, reason: string | undefined): void {
  const { contextId, taskId } = task
  for (const request of [...step.openRequests(task)]) {
    step.close(request, 'closed')
    if (request.type === 'input') {
      step.event(request, { kind: 'input-canceled', inputId: request.id, reason: 'withdrawn' })
    } else {
      const message = 'The task is being canceled.'
      step.event(request, { kind: 'auth-failed', authId: request.id, reason: 'failed', message })
    }
  }
  if (task.isCanceled) return
  step.setTask({ ...task, isCanceled: true, ...(reason !== undefined && { reason }) })
  step.emit({ type: 'cancel', contextId, taskId, ...(reason !== undefined && { reason }) })
}
