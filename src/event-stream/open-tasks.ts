/** Which tasks of a stream have not ended. */
import type { Diagnostic } from '../core/machine.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { endsTask } from '../events/task-end.ts'

/** How many tasks are remembered, open and ended ones each. */
const MAX_TASKS = 1000
/** Longer ids are not remembered. */
const MAX_ID_LENGTH = 1000
/** How many ids a diagnostic lists. */
const MAX_LISTED = 32

/** The tasks of a stream that have not ended, in bounded memory. */
export interface OpenTasks {
  add(event: ContextAnyEvent): void
  /** What to report at the end of the stream, if a task is open. */
  endedEarly(): Diagnostic | undefined
}

export function openTasks(): OpenTasks {
  /** Parent by open task; empty if it has none. */
  const open = new Map<string, string>()
  /** Tasks that have ended. An event that comes late does not open them again. */
  const ended = new Set<string>()
  /** The task of the last event, which is open: most events need no look-up. */
  let last: string | undefined

  /** Whether neither a task nor one above it has ended: subtasks end with the task they belong to. */
  function isOpen(taskId: string): boolean {
    let parent = open.get(taskId)
    // Ids come from outside, and may form a circle.
    for (let steps = 0; parent !== undefined && steps < open.size; steps++) {
      if (ended.has(parent)) return false
      parent = open.get(parent)
    }
    return true
  }

  return {
    add(event) {
      const { taskId, parentTaskId = '' } = event
      const isEnd = endsTask(event)
      if ((!isEnd && taskId === last) || taskId.length > MAX_ID_LENGTH) return
      last = undefined
      if (isEnd) {
        open.delete(taskId)
        ended.add(taskId)
        if (ended.size > MAX_TASKS) ended.delete(ended.values().next().value ?? '')
      } else if (!ended.has(taskId)) {
        last = taskId
        const parent = parentTaskId.length > MAX_ID_LENGTH ? '' : parentTaskId
        if (!open.has(taskId) && open.size < MAX_TASKS) open.set(taskId, parent)
      }
    },
    endedEarly() {
      const left = [...open.keys()].filter(isOpen)
      if (left.length === 0) return undefined
      const taskIds = left.slice(0, MAX_LISTED)
      const count = left.length === 1 ? '1 task' : `${left.length} tasks`
      return {
        code: 'ended-early',
        message: `Expected the end of ${count}, got the end of the body.`,
        detail: { taskIds, ...(left.length > taskIds.length && { omitted: left.length - taskIds.length }) },
      }
    },
  }
}
