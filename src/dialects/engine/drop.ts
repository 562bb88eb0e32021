/** What writers drop, and readers as well: what is of another task, comes after the end of its task, or comes again. */

import { describeValue } from '../../core/require.ts'
import type { StepBuilder } from '../../core/step-builder.ts'
import type { ContextAnyEvent } from '../../events/event.ts'

type Reporter = Pick<StepBuilder<unknown, unknown>, 'dropped'>

/**
 * Drops an event of another task than that of a writer which maps one. Returns whether it did.
 *
 * @param taskId - `null`: the writer has no task yet.
 */
export function dropOfOtherTask(writer: Reporter, taskId: string | null, event: ContextAnyEvent): boolean {
  if (taskId === null || event.taskId === taskId) return false
  const [expected, actual] = [describeValue(taskId), describeValue(event.taskId)]
  writer.dropped(event.kind, 'other-task', `Expected an event of task ${expected}, got one of ${actual}.`)
  return true
}

/** Drops an event of a subtask, which a writer of tasks without a parent does not have. */
export function dropOfSubtask(writer: Reporter, { kind }: ContextAnyEvent): void {
  writer.dropped(kind, 'other-task', `Expected a task without a parent, got ${kind} of a subtask.`)
}

/** Drops an event of a task that has ended. */
export function dropAfterEnd(writer: Reporter, { kind, taskId }: ContextAnyEvent): void {
  writer.dropped(
    kind,
    'after-end',
    `Expected nothing after the end of task ${describeValue(taskId)}, got ${kind}.`,
  )
}

/** Drops what comes once, as it comes again. */
export function dropRepeated(writer: Reporter, kind: string, id: string): void {
  writer.dropped(kind, 'repeated', `Expected one ${kind} of ${describeValue(id)}, got another.`)
}
