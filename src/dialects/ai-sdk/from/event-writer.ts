/** One step of `fromUiMessageStream`: the events it emits, its diagnostics, and its next state. */

import { type BoundedMap, boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { EventDraft } from '../../../emitter/event-draft.ts'
import { isKnownEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { isBefore } from '../../shared/timestamp.ts'
import type { Carried } from '../wire/provider-metadata.ts'
import { copyState, type FromUiState } from './state.ts'

/** An event without its context and time. */
export type Draft = EventDraft & { index?: number }

/** Where the events belong. */
export interface ReaderOptions {
  readonly taskId?: string | undefined
  readonly contextId?: string | undefined
  readonly clock?: (() => string) | undefined
}

/** The time of events without any other. */
const NO_TIME = '1970-01-01T00:00:00.000Z'

/** At least this many items of each sort are stored, and at most twice as many. */
const MAX_ITEMS = 4096

/** Emits the events of one task. Its state is a copy to assign to; nested values are replaced, not changed. */
export class EventWriter extends StepBuilder<Mutable<FromUiState>, ContextAnyEvent> {
  readonly options: ReaderOptions

  constructor(state: FromUiState, options: ReaderOptions) {
    super(copyState(state))
    this.options = options
  }

  /** Completes a draft and emits it, if it is a valid event. */
  emitDraft(draft: Draft, taskId: string = this.state.taskId, parentTaskId?: string): boolean {
    const { state } = this
    const event = draft as unknown as Record<string, unknown>
    event.contextId = state.contextId
    event.taskId = taskId
    if (parentTaskId !== undefined) event.parentTaskId = parentTaskId
    state.time = this.#time()
    event.timestamp = state.time
    if (!isKnownEvent(event)) return false
    this.emit(event as unknown as ContextAnyEvent)
    return true
  }

  /** Emits a draft; reports it if it is not a valid event. */
  emitOr(type: string, draft: Draft): boolean {
    if (this.emitDraft(draft)) return true
    this.dropped(type, 'invalid-content', `The chunk is no valid ${draft.kind}.`)
    return false
  }

  /** The time of the clock, but not before that of an earlier event. */
  #time(): string {
    const { time } = this.state
    const now = this.options.clock?.()
    if (now === undefined) return time ?? NO_TIME
    return time === null || !isBefore(now, time) ? now : time
  }

  /** Begins the task. */
  begin(messageId?: string, metadata?: Metadata): void {
    const { state, options } = this
    const id = options.taskId ?? messageId
    if (!id) this.inferred('taskId', 'Expected a messageId or the option taskId, got none.')
    state.taskId = id || 'message'
    state.contextId = options.contextId ?? state.taskId
    state.phase = 'open'
    const created: Draft = { kind: 'task-created', initiator: 'user' }
    const isValid = metadata !== undefined && this.emitDraft({ ...created, metadata: { ...metadata } })
    if (!isValid) {
      const carried = metadata === undefined ? {} : { metadata: { aiSdk: { messageMetadata: metadata } } }
      this.emitDraft({ ...created, ...carried })
    }
    this.emitDraft({ kind: 'task-status', status: 'working' })
  }

  /** Makes sure that the task is working: a chunk that is content follows. */
  work(): void {
    const { state } = this
    if (state.phase === 'new') {
      this.inferred('task-created', 'Expected start as the first chunk, got another.')
      this.begin()
    }
    if (state.phase === 'waiting') {
      state.phase = 'open'
      this.emitDraft({ kind: 'task-status', status: 'working' })
    }
  }

  /** An id that no other call or thought has: `<id>#2` for the second one. */
  newId(id: string): string {
    const { state } = this
    let count = (boundedGet(state.ids, id) ?? 0) + 1
    let unique = count === 1 ? id : `${id}#${count}`
    while (count > 1 && boundedGet(state.ids, unique) !== undefined) unique = `${id}#${++count}`
    state.ids = this.store(state.ids, id, count)
    if (unique !== id) state.ids = this.store(state.ids, unique, 1)
    return unique
  }

  /** Stores an entry of a map of the state. Reports what is removed for it. */
  store<V>(map: BoundedMap<V>, key: string, value: V): BoundedMap<V> {
    const stored = boundedSet(map, key, value, MAX_ITEMS)
    if (stored.hasEvicted) {
      this.diagnostic('state-evicted', `Removed entries, of more than ${MAX_ITEMS}.`)
    }
    return stored.map
  }
}

/** Metadata of an event with what is carried from a chunk; `undefined` if there is neither. */
export function withCarried(
  metadata: Metadata | undefined,
  carried: Carried | undefined,
): Metadata | undefined {
  if (carried === undefined) return metadata
  return { ...metadata, aiSdk: carried }
}
