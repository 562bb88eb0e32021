/** One step of `toAgUi`: the events it emits, its diagnostics, and its next state. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { EventWriter } from '../../engine/event-writer.ts'
import { groupedEntries, groupedSet } from '../../engine/grouped-map.ts'
import type { Item } from '../../engine/item.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import { reportEvicted } from '../../shared/stored.ts'
import type { AgUiEvent } from '../wire/types/index.ts'
import { losses } from './losses.ts'
import type { ToAgUiOptions } from './options.ts'
import { withSentEvent } from './sent-messages.ts'
import { copyState, type TargetTask, type ToAgUiState } from './state.ts'

function groupOfTask({ phase, parentTaskId }: TargetTask): string | null {
  return phase === 'ended' ? null : parentTaskId
}

/** An event without some of its fields, which the writer adds. */
export type Without<E, Field extends string> = E extends unknown ? Omit<E, Field> : never
export type OwnedEvent = Without<AgUiEvent, 'timestamp' | 'subagentRunId'>

export class AgUiWriter extends EventWriter<Mutable<ToAgUiState>, AgUiEvent> {
  readonly options: ToAgUiOptions
  /** The time of the event, in milliseconds since 1970. */
  readonly timestamp: number
  /**
   * Whether what was sent may be replaced: by a snapshot, which drops the messages of the client that it does not have. For a
   * whole that differs from its deltas only if the option `messages` states them.
   */
  mayReplace: boolean

  constructor(state: ToAgUiState, options: ToAgUiOptions, timestamp: number) {
    super(copyState(state), losses, options.extension)
    this.options = options
    this.mayReplace = options.messages !== undefined
    this.timestamp = timestamp
    this.state.at = timestamp
  }

  /** Emits an event of the run. */
  emitRun(draft: Without<AgUiEvent, 'timestamp'>): void {
    const event = draft as AgUiEvent
    event.timestamp = this.timestamp
    this.out.push(event)
  }

  /** Emits an event of a task, which is that of the run or a subagent. */
  emitOwned({ taskId }: Pick<TargetTask, 'taskId'>, draft: OwnedEvent): void {
    const event = draft as AgUiEvent & { subagentRunId?: string }
    if ((this.task(taskId)?.parentTaskId ?? null) !== null) event.subagentRunId = taskId
    this.emitRun(event)
  }

  /** Emits an event of an item. */
  emitItem(item: Item, draft: OwnedEvent): void {
    this.emitOwned(item, draft)
    const { sent } = this.state
    if (sent !== null) this.state.sent = withSentEvent(sent, draft as AgUiEvent, item)
  }

  task(taskId: string): TargetTask | undefined {
    return boundedGet(this.state.tasks.values, taskId)
  }

  /** Changes a task. */
  updateTask({ taskId }: Pick<TargetTask, 'taskId'>, changes: Partial<TargetTask>): TargetTask {
    const next = { ...(this.task(taskId) as TargetTask), ...changes }
    this.setTask(next)
    return next
  }

  setTask(task: TargetTask): void {
    const { map, hasEvicted } = groupedSet(this.state.tasks, task.taskId, task, groupOfTask, MAX_ITEMS)
    this.state.tasks = map
    if (hasEvicted) reportEvicted(this, 'tasks')
  }

  /** The subtasks of a task that have not ended. */
  subtasksOf({ taskId }: TargetTask): TargetTask[] {
    return groupedEntries(this.state.tasks, taskId).map(([, task]) => task)
  }
}
