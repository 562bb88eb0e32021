/** A task while it is changed. */

import type { Mutable } from '../../../core/mutable.ts'
import type { PartView } from '../parts.ts'
import type { TaskView } from '../view.ts'
import { PartList } from './part-list.ts'

/** A task while it is changed. Its fields are copied at most once until it is sealed. */
export class TaskDraft {
  /** Its position among the tasks of the view. */
  readonly position: number
  readonly parts: PartList
  /** The task. Its `parts` may be out of date. */
  task: TaskView
  #isOwned = false

  constructor(task: TaskView, position: number) {
    this.task = task
    this.position = position
    this.parts = new PartList(task.parts)
  }

  /** The part of a type with an id; `undefined` if there is none. */
  part<T extends PartView['type']>(type: T, id: string): Extract<PartView, { type: T }> | undefined {
    return this.parts.at(type, this.parts.find(type, id))
  }

  /** The task, to be changed. */
  get fields(): Mutable<TaskView> {
    if (!this.#isOwned) {
      this.task = copyTask(this.task, this.task.parts)
      this.#isOwned = true
    }
    return this.task
  }

  /** The task as it is now. Later changes do not change it. */
  seal(): TaskView {
    this.parts.seal()
    this.#isOwned = false
    this.task = copyTask(this.task, this.parts.items)
    return this.task
  }
}

/** A copy of a task. Written field by field, which engines copy many times faster, and always in the same order. */
function copyTask(task: TaskView, parts: readonly PartView[]): TaskView {
  const copy = {
    taskId: task.taskId,
    contextId: task.contextId,
    parentTaskId: task.parentTaskId,
    status: task.status,
  } as Mutable<TaskView>
  if (task.initiator !== undefined) copy.initiator = task.initiator
  if (task.input !== undefined) copy.input = task.input
  if (task.agentId !== undefined) copy.agentId = task.agentId
  if (task.prompt !== undefined) copy.prompt = task.prompt
  if (task.path !== undefined) copy.path = task.path
  if (task.metadata !== undefined) copy.metadata = task.metadata
  copy.parts = parts
  if (task.message !== undefined) copy.message = task.message
  if (task.error !== undefined) copy.error = task.error
  if (task.statusMetadata !== undefined) copy.statusMetadata = task.statusMetadata
  if (task.result !== undefined) copy.result = task.result
  if (task.usage !== undefined) copy.usage = task.usage
  if (task.createdAt !== undefined) copy.createdAt = task.createdAt
  if (task.statusAt !== undefined) copy.statusAt = task.statusAt
  copy.updatedAt = task.updatedAt
  return copy
}
