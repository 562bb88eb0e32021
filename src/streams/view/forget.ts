/** Listing the tasks that a view loses for its limit. */
import type { Diagnostic } from '../../core/machine.ts'
import { EARLIEST, type Forgotten, type ForgottenTask, forgottenOf } from '../forgotten.ts'
import { beginningsOf } from './beginnings.ts'
import type { TaskView } from './view.ts'

/** Length of the JSON of the tasks in UTF-16 code units. The ones that were cut first are dropped from the list. */
const MAX_LENGTH = 2 ** 16

/** Adds tasks that are cut to those that were cut before. */
export function forget(before: Forgotten | undefined, cut: readonly TaskView[]): Forgotten | undefined {
  if (cut.length === 0) return before
  const all = [...(before?.tasks ?? []), ...tasksOf(cut)]
  let length = 0
  const first = all.findLastIndex((task) => {
    length += JSON.stringify(task).length
    return length > MAX_LENGTH
  })
  return forgottenOf(all.slice(first + 1), first >= 0 || before?.more === true)
}

/** The diagnostic for the server whose limit has cut tasks. */
export function tasksForgotten(cut: readonly TaskView[], maxBytes: number): Diagnostic {
  const tasks = tasksOf(cut)
  const message = `Expected the view of the stream within ${maxBytes} bytes, got more. Forgot tasks: ${tasks.length}.`
  return { code: 'tasks-forgotten', message, detail: { tasks } }
}

function tasksOf(cut: readonly TaskView[]): ForgottenTask[] {
  const beginnings = beginningsOf(cut)
  return cut.map((task) => {
    const { contextId, taskId, parentTaskId, path, statusAt } = task
    const { at, audience } = beginnings.get(task) ?? {}
    // Nobody but operators may know of a task of whose beginning nothing is known.
    const label = at === undefined ? [] : audience
    return {
      contextId,
      taskId,
      ...(parentTaskId !== null && { parentTaskId }),
      ...(path !== undefined && { path }),
      timestamp: at ?? statusAt ?? EARLIEST,
      ...(label !== undefined && { audience: label }),
    }
  })
}
