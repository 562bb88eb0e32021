/** The verifier's state while one event is looked at. */

import type { Diagnostic } from '../../core/machine.ts'
import type { ContextAnyEvent, ContextEvent, EventKind, EventOf } from '../../events/event.ts'
import { keyOf } from '../collections/context-key.ts'
import { type Memory, recall, remembering } from '../collections/generational-map.ts'
import { type EventRuleName, ruleMeta, type VerifyMode, type Violation } from './rules.ts'
import { newTask, type VerifiedTask, type VerifierState } from './state.ts'

/** Settings of {@link verifier}. */
export interface VerifierOptions {
  /** How strictly the rules are taken. @defaultValue `'standard'` */
  readonly mode?: VerifyMode
  /**
   * Position of the first event that will be given, when the stream was joined in its midst: what was
   * before is not known, and nothing is reported for not knowing it. Absent or 0: the stream is seen
   * from its beginning.
   */
  readonly startIndex?: number
  /**
   * Whether the stream is one for clients, in which no internal event must be.
   * @defaultValue `false`
   */
  readonly external?: boolean
}

/** How events of some kinds are looked at. */
export type Checks<K extends EventKind> = {
  readonly [Kind in K]: (scope: CheckContext, event: ContextEvent<EventOf<Kind>>) => void
}

type Details = Partial<Omit<Violation, 'rule' | 'severity' | 'message'>>

/** What the memories hold. */
type Memories = Pick<VerifierState, 'tasks' | 'calls' | 'requests' | 'thoughts' | 'artifacts'>
type Kept<M extends keyof Memories> = Memories[M] extends Memory<infer V> ? V : never

/** The task of whatever is of none. */
const nobody = newTask('', '', false)

type Place = Pick<ContextAnyEvent, 'contextId' | 'taskId'>

/** A state that is being changed. Lives for one event; what it holds is never changed in place. */
export class CheckContext {
  readonly found: Violation[] = []
  readonly diagnostics: Diagnostic[] = []
  readonly #mode: VerifyMode
  readonly #joined: boolean
  readonly #state: { -readonly [K in keyof VerifierState]: VerifierState[K] }
  readonly #place: Place | undefined
  /** The task of the event. */
  task: VerifiedTask

  constructor(
    state: VerifierState,
    { mode = 'standard', startIndex: joinedAt = 0 }: VerifierOptions,
    place?: Place,
    task: VerifiedTask = nobody,
  ) {
    // A copy of one's own: what it holds is replaced while the event is looked at.
    this.#state = { ...state }
    this.#mode = mode
    this.#joined = joinedAt > 0
    this.#place = place
    this.task = task
  }

  get state(): VerifierState {
    return this.#state
  }

  /** Whether ids may have been before that are not remembered. */
  get isPartial(): boolean {
    return this.#joined || this.#state.hasForgotten
  }

  /** Whether the task may have begun things that are not remembered. */
  get mayKnowMore(): boolean {
    return this.task.life.isJoined || this.#state.hasForgotten
  }

  /** Whether anybody wants to know when a rule is broken. */
  asksFor(rule: EventRuleName): boolean {
    return ruleMeta[rule].severity[this.#mode] !== 'off'
  }

  report(rule: EventRuleName, message: string, more: Details = {}): void {
    const severity = ruleMeta[rule].severity[this.#mode]
    if (severity === 'off') return
    const place = this.#place
    const where = place === undefined ? {} : { contextId: place.contextId, taskId: place.taskId }
    this.found.push({ rule, severity, message, eventIndex: this.#state.index, ...where, ...more })
  }

  /** Reports what is reported once a name. At most 256 names are remembered. */
  reportOnce(rule: EventRuleName, name: string, message: string, more: Details): void {
    const { reported } = this.#state
    if (!this.asksFor(rule) || reported.includes(name) || reported.length >= 256) return
    this.change({ reported: [...reported, name] })
    this.report(rule, message, more)
  }

  change(changes: Partial<Pick<VerifierState, 'reported' | 'related'>>): void {
    Object.assign(this.#state, changes)
  }

  /** The key of something that belongs to the event's context. */
  key(id: string): string {
    return keyOf(this.#place?.contextId ?? '', id)
  }

  get<M extends keyof Memories>(of: M, key: string): Kept<M> | undefined {
    return recall(this.#state[of] as Memory<Kept<M>>, key)
  }

  set<M extends keyof Memories>(of: M, key: string, value: Kept<M>): void {
    const { memory, hasForgotten } = remembering(this.#state[of] as Memory<Kept<M>>, key, value)
    const state: { -readonly [K in keyof Memories]: Memory<unknown> } = this.#state
    state[of] = memory
    if (!hasForgotten) return
    this.#state.hasForgotten = true
    this.diagnostics.push({
      code: 'forgotten',
      message: `There were too many ${of}; the oldest are forgotten.`,
    })
  }

  /** Changes a part of the task. */
  changeTask<P extends 'life' | 'family' | 'text' | 'open' | 'errors' | 'loop'>(
    part: P,
    changes: Partial<VerifiedTask[P]>,
  ): void {
    this.task = { ...this.task, [part]: { ...this.task[part], ...changes } }
  }

  /** Sets what most events change. Field by field: engines copy objects many times faster so. */
  setParts(life: VerifiedTask['life'], text: VerifiedTask['text']): void {
    const { contextId, taskId, family, open, nextThought, loop, errors } = this.task
    this.task = { contextId, taskId, life, family, text, open, nextThought, loop, errors }
  }

  /** Changes another task, if it is remembered. */
  changeOther(key: string, change: (task: VerifiedTask) => VerifiedTask): void {
    if (key === this.key(this.task.taskId)) this.task = change(this.task)
    else {
      const task = this.get('tasks', key)
      if (task !== undefined) this.set('tasks', key, change(task))
    }
  }
}
