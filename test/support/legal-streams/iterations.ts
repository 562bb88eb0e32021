/** Moves of an agent: the iterations of a task. A task states all of them, or none. */
import type { Agent, Choice, Move, Task } from './agent.ts'

/** The iteration of an item that begins: the same as before, or the next one. */
export function beginItem(task: Task, choice: Choice): number | undefined {
  if (!task.statesIteration) return undefined
  if (choice.number % 8 === 7) advanceIteration(task)
  return task.iteration
}

export function advanceIteration(task: Task): void {
  task.iteration += 1
  task.stage = 0
  task.begun = []
  task.remaining = { thoughts: task.thoughts, lastContent: task.lastContent }
}

/** A new id, or one that a reset has freed. */
export function newItemId(agent: Agent, task: Task, prefix: 'thought' | 'call'): string {
  const free = task.free.findIndex((id) => id.startsWith(prefix))
  const [id = agent.id(prefix)] = free === -1 ? [] : task.free.splice(free, 1)
  if (task.statesIteration) task.begun.push(id)
  return id
}

export function iterationField({ iteration }: { readonly iteration: number | undefined }): {
  iteration?: number
} {
  return iteration === undefined ? {} : { iteration }
}

export const resetIteration: Move = (agent, task, choice) => {
  const { iteration } = task
  agent.emit(task, { kind: 'iteration-reset', iteration }, choice)
  task.segments = task.segments.filter((segment) => segment.iteration !== iteration)
  task.texts = task.texts.filter((text) => text.iteration !== iteration)
  if (task.thought?.iteration === iteration) task.thought = undefined
  for (const [id, call] of task.writing) if (call.iteration === iteration) task.writing.delete(id)
  task.free.push(...task.begun)
  task.begun = []
  task.thoughts = task.remaining.thoughts
  task.lastContent = task.remaining.lastContent
  task.stage = 0
  task.hasReset = true
}

/** Whether nothing has started in the iteration, and its events state it. */
export function mayReset(task: Task): boolean {
  return task.statesIteration && task.startedIteration !== task.iteration
}
