/** The ids of tasks on the wire: most requests name a task without its conversation, so its id has both. */

import type { ContextAnyEvent } from '../../../events/event.ts'
import type { TaskEvents } from '../../../server/protocol/read-task.ts'

/** A task of a conversation. */
export interface TaskPlace {
  readonly contextId: string
  readonly taskId: string
}

/** The id of a task on the wire. */
export function wireTaskId({ contextId, taskId }: TaskPlace): string {
  return `${encodeURIComponent(contextId)}:${taskId}`
}

/** What an id on the wire names; `undefined` if it is not one of {@link wireTaskId}. */
export function taskPlace(id: string): TaskPlace | undefined {
  const at = id.indexOf(':')
  if (at <= 0 || at === id.length - 1) return undefined
  try {
    return { contextId: decodeURIComponent(id.slice(0, at)), taskId: id.slice(at + 1) }
  } catch {
    return undefined
  }
}

/** The events of a task with its id on the wire. What its subtasks ask is what the task asks: clients know no other one. */
export function onWire(task: TaskEvents, contextId: string): TaskEvents {
  const { taskId } = task
  const id = wireTaskId({ contextId, taskId })
  const renamed = (event: ContextAnyEvent): ContextAnyEvent => {
    if (event.taskId !== taskId && !/^(input|auth)-/.test(event.kind)) return event
    const { parentTaskId: _, ...own } = event
    return { ...own, taskId: id } as ContextAnyEvent
  }
  async function* future(): TaskEvents['future'] {
    try {
      for (;;) {
        const { done, value } = await task.future.next()
        if (done === true) return value
        yield value.map(renamed)
      }
    } finally {
      await task.future.return(undefined)
    }
  }
  return { ...task, taskId: id, past: task.past.map(renamed), future: future() }
}
