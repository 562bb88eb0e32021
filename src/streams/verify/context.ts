/** The workspace of one step of the verifier: its next state, and the violations found. */

import {
  type BoundedMap,
  boundedDelete,
  boundedGet,
  boundedSet,
  boundedValues,
  GENERATION_SIZE,
} from '../../core/bounded-map/bounded-map.ts'
import type { Step } from '../../core/machine.ts'
import { describeValue } from '../../core/require.ts'
import type { ContextAnyEvent, ContextEvent, EventKind, EventOf } from '../../events/event.ts'
import { including, without } from '../../rules/bounded-list.ts'
import type { Rules, VerifyMode } from '../../rules/rule.ts'
import { type Violation, type ViolationDetails, ViolationReporter } from '../../rules/violation.ts'
import { contextKey, itemKey } from '../context-key.ts'
import type { EventRuleName } from './rule-names.ts'
import { copyTask, newTask, type OpenItems, type TaskDraft, type TaskState } from './state/task-state.ts'
import { copyState, type Stores, type VerifierDraft, type VerifierState } from './state/verifier-state.ts'

/** The settings of a verifier, as the checks need them. */
export interface CheckSettings {
  readonly rules: Rules<EventRuleName>
  readonly mode: VerifyMode
  /** Whether the stream was joined after its beginning. */
  readonly isJoinedLate: boolean
}

/** The checks of events, by kind. */
export type Checks<K extends EventKind> = {
  readonly [Kind in K]: ((context: CheckContext, event: ContextEvent<EventOf<Kind>>) => void) | null
}

type Details = ViolationDetails<Violation<EventRuleName>>

type Stored<S extends keyof Stores> = Stores[S] extends BoundedMap<infer V> ? V : never

type EventLocation = Pick<ContextAnyEvent, 'contextId' | 'taskId'>

/** The task where the input names none. */
const noTask = newTask('', '', false)

/** Collects the violations of one event. The state it starts from is never changed in place. */
export class CheckContext extends ViolationReporter<EventRuleName> {
  /** The task of the event: a copy, which the checks change. */
  task: TaskDraft = noTask
  /** A copy, which the checks change. */
  readonly #state: VerifierDraft
  readonly #settings: CheckSettings
  readonly #location: EventLocation | undefined

  constructor(state: VerifierState, settings: CheckSettings, location?: EventLocation) {
    super(settings.rules, settings.mode)
    this.#state = copyState(state)
    this.#settings = settings
    this.#location = location
  }

  protected override place(): Details {
    const { nextIndex: eventIndex } = this.#state
    if (this.#location === undefined) return { eventIndex }
    const { contextId, taskId } = this.#location
    return { eventIndex, contextId, taskId }
  }

  /** The step to the state after the event. */
  done(): Step<VerifierState, Violation<EventRuleName>> {
    this.#state.nextIndex++
    return this.stepTo(this.#state)
  }

  /** Whether an unknown id may have been seen before: the stream was joined late, or state was evicted. */
  get isPartial(): boolean {
    return this.#settings.isJoinedLate || this.#state.hasEvicted
  }

  /** Whether the task may have open items that are unknown. */
  get isTaskPartial(): boolean {
    return this.task.isPartial || this.#state.hasEvicted
  }

  /** Reports a violation only once per key. Stops reporting after 256 keys. */
  reportOnce(rule: EventRuleName, key: string, message: string, details: Details): void {
    const { reported } = this.#state
    if (!this.isEnabled(rule) || reported.includes(key) || reported.length >= MAX_REPORTED) return
    this.#state.reported = [...reported, key]
    this.report(rule, message, details)
  }

  /** The ids that thoughts refer to and that had not been seen yet. */
  get unresolved(): VerifierState['unresolved'] {
    return this.#state.unresolved
  }

  /** Stores an id that a thought refers to and that has not been seen yet. Keeps the latest 64. */
  addUnresolved(key: string, relatedTo: string): void {
    const { contextId, taskId } = this.task
    const { unresolved, nextIndex: eventIndex } = this.#state
    const reference = { key, relatedTo, eventIndex, contextId, taskId }
    this.#state.unresolved = [...unresolved.slice(1 - MAX_UNRESOLVED), reference]
  }

  /** The key of an id within the context of the event. */
  contextKey(id: string): string {
    return contextKey(this.#location?.contextId ?? '', id)
  }

  /** The key of an id within the task of the event. */
  itemKey(id: string): string {
    return itemKey(this.#location ?? noTask, id)
  }

  get<S extends keyof Stores>(store: S, key: string): Stored<S> | undefined {
    return boundedGet(this.#state[store] as BoundedMap<Stored<S>>, key)
  }

  set<S extends keyof Stores>(store: S, key: string, value: Stored<S>): void {
    const state: { [K in keyof Stores]: BoundedMap<unknown> } = this.#state
    if (this.store(state, store, key, value)) this.#state.hasEvicted = true
  }

  /** Whether a task has a thought or a tool call with the id of a key. */
  isOwned(key: string): boolean {
    return boundedGet(this.#state.owners, key) !== undefined
  }

  /**
   * Stores that the task of the event has an id, unless another one of the context had it before.
   *
   * @param key - By {@link contextKey}, with the store of a request before it.
   */
  own(key: string): void {
    const { owners } = this.#state
    if (this.isOwned(key)) return
    this.#state.owners = boundedSet(owners, key, this.task.taskId, MAX_OWNERS).map
  }

  /** A sentence on an id that the task of the event does not have: another one may. */
  unknownId(shownId: string, key: string): string {
    const owner = boundedGet(this.#state.owners, key)
    if (owner === undefined || owner === this.task.taskId) return `Unknown ${shownId}.`
    return `${shownId} belongs to task ${describeValue(owner)}.`
  }

  delete(store: keyof Stores, key: string): void {
    const state: { -readonly [K in keyof Stores]: BoundedMap<unknown> } = this.#state
    state[store] = boundedDelete(state[store], key)
  }

  /** Stores whether the task has an item open. */
  setOpen(store: keyof OpenItems, key: string, isOpen: boolean): void {
    const { open } = this.task
    const keys = isOpen ? including(open[store], key) : without(open[store], key)
    if (keys !== open[store]) this.task.open = { ...open, [store]: keys }
  }

  /** The keys of the items that the task has open: none of them is from now on. */
  takeOpen(store: keyof OpenItems): readonly string[] {
    const { open } = this.task
    this.task.open = { ...open, [store]: [] }
    return open[store]
  }

  /** The task of the event as stored; `undefined` if the event is its first one. */
  storedTask({ contextId, taskId }: EventLocation): TaskState | undefined {
    const { task } = this.#state
    if (task !== null && task.taskId === taskId && task.contextId === contextId) return task
    if (task !== null) this.set('tasks', task.key, task)
    return this.get('tasks', contextKey(contextId, taskId))
  }

  /** Stores the task of the event. */
  storeTask(): void {
    this.#state.task = this.task
  }

  /** A task other than that of the event, by its key; `undefined` if it is unknown. */
  taskOf(key: string): TaskState | undefined {
    return this.get('tasks', key)
  }

  /** Changes a task other than that of the event, of which a stale copy may change; unknown tasks are ignored. */
  changeTask(key: string, change: (task: TaskDraft) => void): void {
    const task = this.get('tasks', key)
    if (task === undefined) return
    const draft = copyTask(task)
    change(draft)
    this.set('tasks', key, draft)
  }
}

/** All tasks of a state, in no order. */
export function* tasksIn({ task: latest, tasks }: VerifierState): Generator<TaskState> {
  for (const task of boundedValues(tasks)) if (task.key !== latest?.key) yield task
  if (latest !== null) yield latest
}

/** More one-time violations than this are not reported. */
const MAX_REPORTED = 256
/** As many as the calls, thoughts and requests that are stored. */
const MAX_OWNERS = 6 * GENERATION_SIZE
/** Older unresolved references than these are dropped. */
const MAX_UNRESOLVED = 64
