/** In which order a snapshot goes through the parts of the tasks of a view. */

import { contextKey } from '../../context-key.ts'
import type { View } from '../view.ts'
import { DeferredWrites } from './deferred-writes.ts'

/** One step: a part of a task, or its beginning. */
export interface Step {
  /** Position of the task in the view. */
  readonly task: number
  /** Position of the part in the task; -1 for the beginning of the task. */
  readonly part: number
}

/**
 * Orders the parts of all tasks so that tasks and artifacts are first named in the order of the view: each task
 * continues until its next part would name a task or an artifact too early. A view of any stream has such an order, as
 * its stream had; other views get some order. As far as possible, the part of the task that wrote to an artifact last comes
 * after those of the others.
 */
export function stepsOf(view: View): Step[] {
  const { tasks, artifacts } = view
  const taskAt = new Map(tasks.map(({ contextId, taskId }, i) => [contextKey(contextId, taskId), i]))
  const artifactAt = new Map(
    artifacts.map(({ contextId, artifactId }, i) => [contextKey(contextId, artifactId), i]),
  )
  const steps: Step[] = []
  const namedTasks = new Turns()
  const namedArtifacts = new Turns()
  const nextParts = tasks.map(() => 0)
  const ready: number[] = []
  const deferred = new DeferredWrites(view)

  const wake = (tasks: readonly number[]): void => {
    for (const task of tasks) ready.push(task)
  }
  const begin = (task: number): void => {
    wake(namedTasks.advance())
    ready.push(task)
    steps.push({ task, part: -1 })
  }
  const continueTask = (task: number): void => {
    const { contextId, parts } = tasks[task] ?? { contextId: '', parts: [] }
    for (let part = nextParts[task] ?? 0; part < parts.length; part++) {
      nextParts[task] = part
      const { type, ...ids } = parts[part] as { type: string; artifactId?: string; subtaskId?: string }
      const artifact = type === 'artifact' && artifactAt.get(contextKey(contextId, ids.artifactId ?? ''))
      const subtask = type === 'subtask' && taskAt.get(contextKey(contextId, ids.subtaskId ?? ''))
      if (typeof artifact === 'number' && namedArtifacts.mustWait(artifact, task)) return
      if (typeof subtask === 'number' && namedTasks.mustWait(subtask, task)) return
      if (typeof artifact === 'number') {
        if (deferred.mustWait(artifact, task)) return
        wake(deferred.wrote(artifact))
      }
      steps.push({ task, part })
      if (artifact === namedArtifacts.next) wake(namedArtifacts.advance())
      if (subtask === namedTasks.next) begin(subtask)
    }
    nextParts[task] = parts.length
  }

  while (true) {
    const task = ready.pop()
    if (task !== undefined) continueTask(task)
    else if (tasks[namedTasks.next]?.createdAt !== undefined) begin(namedTasks.next)
    else if (deferred.release(ready)) continue
    else if (namedTasks.next < tasks.length) begin(namedTasks.next)
    else if (namedArtifacts.next < artifacts.length) wake(namedArtifacts.advance())
    else return steps
  }
}

/** Items that are named one after the other, and the tasks that wait until an item may be named. */
class Turns {
  /** The position of the item to be named next. Those before it have been named. */
  next = 0
  readonly #waiting = new Map<number, number[]>()

  /** Whether a task that would name an item must wait. If so, {@link advance} returns it when the item may be named. */
  mustWait(item: number, task: number): boolean {
    if (item <= this.next) return false
    const others = this.#waiting.get(item)
    if (others === undefined) this.#waiting.set(item, [task])
    else others.push(task)
    return true
  }

  /** Moves on to the next item. Returns the tasks that waited for it. */
  advance(): readonly number[] {
    this.next++
    const tasks = this.#waiting.get(this.next) ?? []
    this.#waiting.delete(this.next)
    return tasks
  }
}
