/** The tasks of a recording as trees. */

import type { ContextAnyEvent } from '../../events/event.ts'
import { contextKey } from '../../streams/context-key.ts'
import type { TaskReport } from './report.ts'
import { TaskSummary } from './task-summary.ts'
import type { Budget } from './text.ts'

/** More tasks are only counted. */
const MAX_TASKS = 1000
/** More tools and thoughts are only counted. */
const MAX_ITEMS = 10_000
/** Deeper tasks are listed beside the others. */
const MAX_DEPTH = 100

/** Sums up tasks, and which created which. */
export class TaskTree {
  readonly #tasks = new Map<string, TaskSummary>()
  readonly #budget: Budget
  /** Tasks, calls, thoughts and texts of the tasks that are not listed. */
  readonly #others: TaskSummary
  #otherTasks = 0

  constructor(isFull: boolean) {
    this.#budget = { items: MAX_ITEMS, isFull }
    this.#others = new TaskSummary('', '', 0, { items: 0, isFull: false })
  }

  /** Adds an event. Returns its task; `undefined` for a task that is not listed. */
  add(event: ContextAnyEvent, line: number, time: number | undefined): TaskSummary | undefined {
    const { contextId, taskId, parentTaskId } = event
    const task = this.#task(contextId, taskId, line)
    if (task === undefined) {
      if (event.kind === 'task-created') this.#otherTasks++
      this.#others.add(event, line, time)
      return undefined
    }
    if (parentTaskId !== undefined) this.#attach(task, parentTaskId)
    const last = event.path?.at(-1)
    if (last !== undefined) task.name ??= last
    task.add(event, line, time)
    if (event.kind === 'subtask-created') {
      const child = this.#task(contextId, event.subtaskId, line)
      if (child !== undefined) {
        this.#attach(child, taskId)
        if (event.agentId !== undefined) child.name = event.agentId
      }
    }
    return task
  }

  reports(): TaskReport[] {
    return [...this.#tasks.values()].filter(({ parent }) => parent === undefined).map((task) => task.report())
  }

  get taskCount(): number {
    return this.#tasks.size + this.#otherTasks
  }

  /** All tasks: those listed, and the sum of the others. */
  get summaries(): Iterable<TaskSummary> {
    return [...this.#tasks.values(), this.#others]
  }

  #task(contextId: string, taskId: string, line: number): TaskSummary | undefined {
    const key = contextKey(contextId, taskId)
    let task = this.#tasks.get(key)
    if (task === undefined && this.#tasks.size < MAX_TASKS) {
      task = new TaskSummary(taskId, contextId, line, this.#budget)
      this.#tasks.set(key, task)
    }
    return task
  }

  #attach(child: TaskSummary, parentTaskId: string): void {
    if (child.parent !== undefined) return
    const parent = this.#task(child.contextId, parentTaskId, child.startLine)
    let depth = 0
    for (let above = parent; above !== undefined; above = above.parent) {
      if (above === child || ++depth > MAX_DEPTH) return
    }
    if (parent === undefined) return
    child.parent = parent
    parent.children.push(child)
  }
}

/** How many tasks are above a task. */
export function depthOf(task: TaskSummary | undefined): number {
  let depth = 0
  for (let above = task?.parent; above !== undefined; above = above.parent) depth++
  return depth
}
