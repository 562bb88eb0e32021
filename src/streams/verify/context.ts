/** The workspace of one step of the verifier: its next state, and the violations found. */

import type { Diagnostic } from '../../core/machine.ts'
import type { ContextAnyEvent, ContextEvent, EventKind, EventOf } from '../../events/event.ts'
import { contextKey } from '../collections/context-key.ts'
import { type GenerationalMap, generationalGet, generationalSet } from '../collections/generational-map.ts'
import type { RuleSeverity, Violation } from './rule.ts'
import type { EventRuleName } from './rule-names.ts'
import { initialTaskState, type TaskState, type VerifierState } from './state.ts'

/** The settings of a verifier, as the checks need them. */
export interface CheckSettings {
  /** The severity of a rule in the verifier's mode. */
  readonly severityOf: (rule: EventRuleName) => RuleSeverity
  /** Whether the stream was joined after its beginning. */
  readonly isJoinedLate: boolean
}

/** The checks of events, by kind. */
export type Checks<K extends EventKind> = {
  readonly [Kind in K]: ((context: CheckContext, event: ContextEvent<EventOf<Kind>>) => void) | null
}

type Details = Partial<Omit<Violation, 'rule' | 'severity' | 'message'>>

/** The bounded maps of the state. */
type Stores = Pick<VerifierState, 'tasks' | 'calls' | 'requests' | 'thoughts' | 'artifacts'>
type Stored<S extends keyof Stores> = Stores[S] extends GenerationalMap<infer V> ? V : never

/** The task where the input names none. */
const noTask = initialTaskState('', '', false)

type EventLocation = Pick<ContextAnyEvent, 'contextId' | 'taskId'>

/** Collects the violations of one event. The state it starts from is never changed in place. */
export class CheckContext {
  readonly violations: Violation[] = []
  readonly diagnostics: Diagnostic[] = []
  readonly #settings: CheckSettings
  readonly #state: { -readonly [K in keyof VerifierState]: VerifierState[K] }
  readonly #location: EventLocation | undefined
  /** The task of the event. */
  task: TaskState

  constructor(
    state: VerifierState,
    settings: CheckSettings,
    location?: EventLocation,
    task: TaskState = noTask,
  ) {
    this.#state = { ...state }
    this.#settings = settings
    this.#location = location
    this.task = task
  }

  get state(): VerifierState {
    return this.#state
  }

  /** Whether an unknown id may have been seen before: the stream was joined late, or state was evicted. */
  get isPartial(): boolean {
    return this.#settings.isJoinedLate || this.#state.hasEvicted
  }

  /** Whether the task may have open items that are unknown. */
  get isTaskPartial(): boolean {
    return this.task.lifecycle.isPartial || this.#state.hasEvicted
  }

  /** Whether violations of a rule are reported in the verifier's mode. */
  isEnabled(rule: EventRuleName): boolean {
    return this.#settings.severityOf(rule) !== 'off'
  }

  report(rule: EventRuleName, message: string, details: Details = {}): void {
    const severity = this.#settings.severityOf(rule)
    if (severity === 'off') return
    const location = this.#location
    const where = location === undefined ? {} : { contextId: location.contextId, taskId: location.taskId }
    this.violations.push({
      rule,
      severity,
      message,
      eventIndex: this.#state.nextIndex,
      ...where,
      ...details,
    })
  }

  /** Reports a violation only once per key. Stops reporting after 256 keys. */
  reportOnce(rule: EventRuleName, key: string, message: string, details: Details): void {
    const { reported } = this.#state
    if (!this.isEnabled(rule) || reported.includes(key) || reported.length >= MAX_REPORTED) return
    this.#state.reported = [...reported, key]
    this.report(rule, message, details)
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

  get<S extends keyof Stores>(store: S, key: string): Stored<S> | undefined {
    return generationalGet(this.#state[store] as GenerationalMap<Stored<S>>, key)
  }

  set<S extends keyof Stores>(store: S, key: string, value: Stored<S>): void {
    const { map, hasEvicted } = generationalSet(this.#state[store] as GenerationalMap<Stored<S>>, key, value)
    const state: { -readonly [K in keyof Stores]: GenerationalMap<unknown> } = this.#state
    state[store] = map
    if (!hasEvicted) return
    this.#state.hasEvicted = true
    this.diagnostics.push({
      code: 'state-evicted',
      message: `Too many ${store}: evicted the least recently used. Unknown ids are no longer violations.`,
    })
  }

  /** Changes fields of a part of the task. */
  changeTask<P extends 'lifecycle' | 'lineage' | 'text' | 'open' | 'errors' | 'loop'>(
    part: P,
    changes: Partial<TaskState[P]>,
  ): void {
    this.task = { ...this.task, [part]: { ...this.task[part], ...changes } }
  }

  /** Sets the parts that deltas change. Written field by field, which engines copy many times faster. */
  setLifecycleAndText(lifecycle: TaskState['lifecycle'], text: TaskState['text']): void {
    const { contextId, taskId, lineage, open, nextThought, loop, errors } = this.task
    this.task = { contextId, taskId, lifecycle, lineage, text, open, nextThought, loop, errors }
  }

  /** Changes any task by its key; unknown tasks are ignored. */
  changeTaskByKey(key: string, change: (task: TaskState) => TaskState): void {
    if (key === this.contextKey(this.task.taskId)) this.task = change(this.task)
    else {
      const task = this.get('tasks', key)
      if (task !== undefined) this.set('tasks', key, change(task))
    }
  }
}

/** More one-time violations than this are not reported. */
const MAX_REPORTED = 256
/** Older unresolved references than these are dropped. */
const MAX_UNRESOLVED = 64
