/** One step of `toAgUi`: the events it emits, its diagnostics, and its next state. */

import {
  type BoundedMap,
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedSet,
} from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { reportLosses } from '../../shared/losses.ts'
import type { AgUiEvent } from '../wire/types/index.ts'
import { mappedLosses } from './losses.ts'
import type { ToAgUiOptions } from './options.ts'
import { copyState, type TargetTask, type ToAgUiState } from './state.ts'

/** At least this many tasks, open items and artifacts are kept, and at most twice as many. */
const MAX_ITEMS = 1024

type ItemMap = 'tasks' | 'texts' | 'thoughts' | 'calls' | 'artifacts'

type Item<Name extends ItemMap> = ToAgUiState[Name] extends BoundedMap<infer V> ? V : never

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
    this.#isCarried = options.extension === true
  }

  /** Emits an event of the run. */
  emitRun(draft: Without<AgUiEvent, 'timestamp'>): void {
    const event = draft as AgUiEvent
    event.timestamp = this.timestamp
    this.emit(event)
  }

  /** Emits an event of a task, which is that of the run or a subagent. */
  emitOwned(
    { taskId, parentTaskId }: TargetTask,
    draft: Without<AgUiEvent, 'timestamp' | 'subagentRunId'>,
  ): void {
    const event = draft as AgUiEvent & { subagentRunId?: string }
    event.timestamp = this.timestamp
    if (parentTaskId !== null) event.subagentRunId = taskId
    this.emit(event)
  }

  item<Name extends ItemMap>(map: Name, key: string): Item<Name> | undefined {
    return boundedGet(this.state[map] as BoundedMap<Item<Name>>, key)
  }

  setItem<Name extends ItemMap>(map: Name, key: string, item: Item<Name>): void {
    const { map: next, hasEvicted } = boundedSet(
      this.state[map] as BoundedMap<Item<Name>>,
      key,
      item,
      MAX_ITEMS,
    )
    this.state[map] = next as never
    if (hasEvicted) this.diagnostic('state-evicted', `Evicted ${map}, of more than ${MAX_ITEMS}.`)
  }

  deleteItem(map: ItemMap, key: string): void {
    this.state[map] = boundedDelete(this.state[map] as BoundedMap<never>, key) as never
  }

  /** The items of a task, with their keys. */
  itemsOf<Name extends 'texts' | 'thoughts' | 'calls'>(
    map: Name,
    taskId: string,
  ): readonly (readonly [string, Item<Name>])[] {
    const all = boundedEntries(this.state[map] as BoundedMap<Item<'texts'>>)
    const own: (readonly [string, Item<'texts'>])[] = []
    for (const entry of all) if (entry[1].taskId === taskId) own.push(entry)
    return own as unknown as readonly (readonly [string, Item<Name>])[]
  }

  /** All tasks, in no order. */
  *tasks(): Generator<TargetTask> {
    for (const [, task] of boundedEntries(this.state.tasks)) yield task
  }

  /** Changes a task. */
  updateTask(task: TargetTask, changes: Partial<TargetTask>): TargetTask {
    const next = { ...task, ...changes }
    this.setItem('tasks', task.taskId, next)
    return next
  }

  /** Reports an event that has no equivalent in AG-UI, unless it is carried whole. */
  droppedEvent({ kind }: ContextAnyEvent, reason: string, message: string): void {
    if (!this.#isCarried) this.dropped(kind, reason, message)
  }

  /** Reports a field of the context that is lost, unless the event is carried whole. */
  lostContext(field: string, message: string, value: unknown): void {
    if (!this.#isCarried) this.lossy(field, message, value)
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
