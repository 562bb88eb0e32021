/** One step of `fromA2a` for one task: the events it emits, its diagnostics, and its next state. */

import { type BoundedMap, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { decodeEvent, isKnownEvent } from '../../../events/decode.ts'
import { isInternal } from '../../../events/kinds.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { isFields } from '../../../validation/predicates.ts'
import { type Draft, DraftWriter } from '../../engine/draft.ts'
import type { Message } from '../wire/model.ts'
import { carry } from './carry.ts'
import { copyTask, type ReceivedTask } from './state.ts'

/** A draft of which optional fields may be `undefined`: they are left out. */
type LooseDraft<D = Draft> = D extends unknown
  ? { [K in keyof D]: D extends Record<K, D[K]> ? D[K] : D[K] | undefined }
  : never

/** Emits events of one task. Its state is a copy to assign to; nested values are replaced, not changed. */
export class TaskEventWriter extends DraftWriter<
  Mutable<ReceivedTask>,
  { readonly clock: (() => string) | undefined; readonly request: Message | undefined }
> {
  /** Whether another task has an output with an id. */
  readonly isTaken: (id: string) => boolean
  /** What the next event with metadata carries in addition. */
  #pending: Metadata | undefined
  /** Whether content was emitted although the task waits. */
  #isResumed = false
  #isQuiet = false

  constructor(
    task: ReceivedTask,
    clock?: () => string,
    isTaken: (id: string) => boolean = () => false,
    request?: Message,
  ) {
    super(copyTask(task), { clock, request })
    this.isTaken = isTaken
  }

  /**
   * A writer that starts from the current state, for events that may be discarded.
   *
   * @param isQuiet - Whether only the state counts: no draft is emitted.
   */
  fork(isQuiet = false): TaskEventWriter {
    const fork = new TaskEventWriter(this.state, this.options.clock, this.isTaken, this.options.request)
    fork.#isQuiet = isQuiet
    return fork
  }

  /** Sets the time of the next events; a time before one that the agent stated earlier is reported instead. */
  readTime(timestamp: string): void {
    if (this.stateTime(timestamp)) return
    const message = `Expected a timestamp of ${this.state.stated ?? this.state.time} or later, got ${timestamp}.`
    this.lossy('timestamp', message, { timestamp })
  }

  /**
   * Completes a draft and emits it, with what is carried in its metadata. Metadata that is not valid for the kind is
   * carried as well.
   */
  emitWith(draft: LooseDraft, carried?: Metadata): void {
    if (this.#isQuiet) return
    const { taskId, contextId, request } = this.state
    const isContent = draft.kind === 'content-delta'
    if (isContent && request !== undefined && !this.#isResumed) {
      // A task that waits sends no content; the end of the step repeats what it waits for.
      this.#isResumed = true
      this.emitWith({ kind: 'task-status', status: 'working' })
      this.inferred('status', 'Content while the task waits: it is working meanwhile.')
    }
    const { kind } = draft
    const { metadata } = draft as { metadata?: Metadata }
    const event: Record<string, unknown> = { kind, contextId, taskId }
    // A spread takes several times as long.
    for (const name in draft) {
      const value = draft[name as keyof LooseDraft]
      if (value !== undefined && name !== 'metadata') event[name] = value
    }
    event.timestamp = this.time
    let extra = carried
    if (!isContent && kind !== 'input-canceled' && this.#pending !== undefined) {
      extra = { ...carried, ...this.#pending }
      this.#pending = undefined
    }
    const full = carry(metadata, extra, this.#reportDepth)
    if (full !== undefined) event.metadata = full
    if (isKnownEvent(event)) {
      this.emit(event)
      return
    }
    const nested = { ...event, metadata: carry(undefined, { ...extra, metadata }, this.#reportDepth) }
    if (metadata !== undefined && isKnownEvent(nested)) this.emit(nested)
    else this.dropped(kind, 'invalid-content', `Dropped an update: it does not map to a valid ${kind}.`)
  }

  readonly #reportDepth = (): void => {
    this.lossy('metadata', 'Some values of the metadata are no valid JSON, or nested too deeply.')
  }

  /** Emits a whole event of the extension. Its ids are those of the task, whatever a peer states. */
  emitCarried(value: unknown): void {
    const { taskId, contextId } = this.state
    if (isFields(value) && value.taskId !== undefined && value.taskId !== taskId) {
      this.lossy('taskId', 'An event names another task than its item.', value.taskId)
    }
    const decoded = decodeEvent(isFields(value) ? { ...value, contextId, taskId } : value)
    if (decoded.status === 'invalid') this.invalid(decoded.issues)
    else if (decoded.status === 'unknown') {
      this.dropped(decoded.kind, 'unknown-kind', 'Dropped an event of the extension of unknown kind.')
    } else if (isInternal(decoded.event)) {
      const message = 'Dropped an internal event of the extension.'
      this.dropped(decoded.event.kind, 'no-equivalent', message)
    } else {
      this.emit(decoded.event)
      this.setTime(decoded.event.timestamp)
    }
  }

  /** Lets the next event with metadata carry a value. */
  carryNext(values: Metadata): void {
    this.#pending = { ...this.#pending, ...values }
  }

  /** Ends the step: reports what no event carried, and repeats what the task waits for. */
  finish(): void {
    const { request } = this.state
    if (this.#pending !== undefined) {
      this.diagnostic('lossy:metadata', 'No event carries the metadata.', { detail: this.#pending })
      this.#pending = undefined
    }
    if (this.#isResumed && request !== undefined) this.emitWaiting(request)
  }

  /** Emits the status of a task that waits for a request. */
  emitWaiting({ type, id }: NonNullable<ReceivedTask['request']>): void {
    const status = type === 'input' ? 'waiting-input' : 'waiting-auth'
    this.emitWith({ kind: 'task-status', status, metadata: { blockedBy: id } })
    this.#isResumed = false
  }

  /** Stores an entry of a map of the state. Reports what is removed for it. */
  store<V>(map: BoundedMap<V>, key: string, value: V, limit?: number): BoundedMap<V> {
    const stored = boundedSet(map, key, value, limit)
    if (stored.hasEvicted) {
      this.diagnostic('state-evicted', 'Removed the oldest of too many entries.')
    }
    return stored.map
  }
}
