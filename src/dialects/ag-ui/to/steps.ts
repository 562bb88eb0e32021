/** Steps: the model responses of a task, for items that state them. */

import { stepNameOf } from '../wire/step-name.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import type { TargetTask } from './state.ts'

/** Lets an item begin in the step of its model response, or in none. Returns the step, which never goes back. */
export function enterStep(writer: AgUiWriter, task: TargetTask, iteration: number | null): number | null {
  const { step, iteration: latest } = writer.task(task.taskId) ?? task
  const next = iteration !== null && iteration >= (latest ?? 0) ? iteration : null
  if (next === step) return step
  leaveStep(writer, task)
  if (next !== null) writer.emitOwned(task, { type: 'STEP_STARTED', stepName: stepNameOf(next) })
  writer.updateTask(task, { step: next })
  return next
}

/** Ends the step of a task. */
export function leaveStep(writer: AgUiWriter, task: TargetTask): void {
  const { step } = writer.task(task.taskId) ?? task
  if (step === null) return
  writer.emitOwned(task, { type: 'STEP_FINISHED', stepName: stepNameOf(step) })
  writer.updateTask(task, { step: null })
}
