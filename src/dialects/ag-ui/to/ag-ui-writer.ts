/** One step of `toAgUi`: the events it emits, its diagnostics, and its next state. */

import { boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { groupedDelete, groupedEntries, groupedSet } from '../../engine/grouped-map.ts'
import { reportLosses } from '../../shared/losses.ts'
import type { AgUiEvent } from '../wire/types/index.ts'
import { mappedLosses } from './losses.ts'
import type { ToAgUiOptions } from './options.ts'
import { type MessageOrigin, withSentEvent } from './sent-messages.ts'
import {
  copyState,
  type TargetArtifact,
  type TargetItem,
  type TargetTask,
  type ToAgUiState,
} from './state.ts'

/** At least this many tasks, open items and artifacts are kept, and at most twice as many. */
const MAX_ITEMS = 1024

/** The items of a task that are open in the stream are one group, the others another. */
function groupOfItem({ taskId, isOpen }: TargetItem): string {
  return `${isOpen} ${taskId}`
}

function withoutType(key: string, item: TargetItem): [key: string, item: TargetItem] {
  return [key.slice(item.type.length + 1), item]
}

function groupOfTask({ phase, parentTaskId }: TargetTask): string | null {
  return phase === 'ended' ? null : parentTaskId
}

/** What begins no item. */
const NO_ITEM = { key: null, iteration: null }

/** An event without some of its fields, which the writer adds. */
type Without<E, Field extends string> = E extends unknown ? Omit<E, Field> : never

export class AgUiWriter extends StepBuilder<Mutable<ToAgUiState>, AgUiEvent> {
  readonly options: ToAgUiOptions
  /** The time of the event, in milliseconds since 1970. */
  readonly timestamp: number
  /** What is lost is not reported: the event is carried whole. */
  readonly #isCarried: boolean

  constructor(state: ToAgUiState, options: ToAgUiOptions, timestamp: number) {
    super(copyState(state))
    this.options = options
    this.timestamp = timestamp
    this.state.at = timestamp
    this.#isCarried = options.extension === true
  }

  /** Emits an event of the run. */
  emitRun(draft: Without<AgUiEvent, 'timestamp'>): void {
    const event = draft as AgUiEvent
    event.timestamp = this.timestamp
    this.emit(event)
  }

  /**
   * Emits an event of a task, which is that of the run or a subagent.
   *
   * @param item - What begins with the event.
   */
  emitOwned(
    { taskId, parentTaskId }: TargetTask,
    draft: Without<AgUiEvent, 'timestamp' | 'subagentRunId'>,
    { key, iteration }: Pick<MessageOrigin, 'key' | 'iteration'> = NO_ITEM,
  ): void {
    const event = draft as AgUiEvent & { subagentRunId?: string }
    event.timestamp = this.timestamp
    if (parentTaskId !== null) event.subagentRunId = taskId
    this.emit(event)
    const { sent } = this.state
    if (sent !== null) this.state.sent = withSentEvent(sent, event, { taskId, key, iteration })
  }

  task(taskId: string): TargetTask | undefined {
    return boundedGet(this.state.tasks.values, taskId)
  }

  /** Changes a task. */
  updateTask(task: TargetTask, changes: Partial<TargetTask>): TargetTask {
    const next = { ...(this.task(task.taskId) ?? task), ...changes }
    this.setTask(next)
    return next
  }

  setTask(task: TargetTask): void {
    const { map, hasEvicted } = groupedSet(this.state.tasks, task.taskId, task, groupOfTask, MAX_ITEMS)
    this.state.tasks = map
    if (hasEvicted) this.#reportEvicted('tasks')
  }

  /** The subtasks of a task that have not ended. */
  subtasksOf({ taskId }: TargetTask): TargetTask[] {
    return groupedEntries(this.state.tasks, taskId).map(([, task]) => task)
  }

  /** A text by its task and `contentId`, a thought or call by its id. */
  item(type: TargetItem['type'], key: string): TargetItem | undefined {
    return boundedGet(this.state.items.values, `${type} ${key}`)
  }

  setItem(key: string, item: TargetItem): void {
    const { map, hasEvicted } = groupedSet(
      this.state.items,
      `${item.type} ${key}`,
      item,
      groupOfItem,
      MAX_ITEMS,
    )
    this.state.items = map
    if (hasEvicted) this.#reportEvicted('items')
  }

  deleteItem(type: TargetItem['type'], key: string): void {
    this.state.items = groupedDelete(this.state.items, `${type} ${key}`, groupOfItem)
  }

  /** The items of a task that are open in the stream, with their keys. */
  openItems(taskId: string): [key: string, item: TargetItem][] {
    return groupedEntries(this.state.items, `true ${taskId}`).map(([key, item]) => withoutType(key, item))
  }

  /** All items of a task that is not over, with their keys. */
  itemsOf(taskId: string): [key: string, item: TargetItem][] {
    const closed = groupedEntries(this.state.items, `false ${taskId}`)
    return [...this.openItems(taskId), ...closed.map(([key, item]) => withoutType(key, item))]
  }

  /** The ids of the calls of a task that have started and have no result. */
  startedCalls(taskId: string): string[] {
    return groupedEntries(this.state.items, `false ${taskId}`)
      .filter(([, { call }]) => call?.hasStarted === true)
      .map(([, { id }]) => id)
  }

  /** Forgets the items of a task. */
  forgetItems(taskId: string): void {
    for (const group of [`true ${taskId}`, `false ${taskId}`]) {
      for (const [key] of groupedEntries(this.state.items, group)) {
        this.state.items = groupedDelete(this.state.items, key, groupOfItem)
      }
    }
  }

  artifact(artifactId: string): TargetArtifact | undefined {
    return boundedGet(this.state.artifacts, artifactId)
  }

  setArtifact(artifactId: string, artifact: TargetArtifact): void {
    const { map, hasEvicted } = boundedSet(this.state.artifacts, artifactId, artifact, MAX_ITEMS)
    this.state.artifacts = map
    if (hasEvicted) this.#reportEvicted('artifacts')
  }

  #reportEvicted(what: string): void {
    this.diagnostic('state-evicted', `Evicted ${what}, of more than ${MAX_ITEMS}.`)
  }

  /** Reports an event that has no equivalent in AG-UI, unless it is carried whole. */
  droppedEvent({ kind }: ContextAnyEvent, reason: string, message: string): void {
    if (!this.#isCarried) this.dropped(kind, reason, message)
  }

  /** Reports a field that is lost or changed, unless the event is carried whole. */
  lostField(field: string, message: string, value?: unknown): void {
    if (!this.#isCarried) this.lossy(field, message, value)
  }

  /** Reports a key of the metadata that clients do not get, unless the event is carried whole. */
  lostMetadata(key: string): void {
    if (this.#isCarried) return
    this.diagnostic('lossy:metadata', `The ${key} of an event is not for clients.`, {
      path: `/metadata/${key}`,
    })
  }

  /**
   * Reports the fields of an event that AG-UI does not express, unless it is carried whole.
   *
   * @param kept - Those of the declared fields that it does express.
   */
  reportLost(event: ContextAnyEvent, kept: readonly string[] = []): void {
    if (this.#isCarried) return
    reportLosses(this, event as { kind: keyof typeof mappedLosses }, mappedLosses, kept)
  }
}
