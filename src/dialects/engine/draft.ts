/** One step of a reader: the events that it makes of an input, what it reports, and its next state. */

import { type BoundedMap, boundedDelete, boundedGet, boundedSet } from '../../core/bounded-map/bounded-map.ts'
import { StepBuilder } from '../../core/step-builder.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { isKnownEvent } from '../../events/decode.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Fields } from '../../validation/predicates.ts'
import { epochToTimestamp, MAX_EPOCH_MS } from '../shared/epoch-time.ts'
import { isBefore } from '../shared/timestamp.ts'

/** An event without its context and time. */
export type Draft = EventDraft & { index?: number }

/** The task of an event. */
export interface DraftTask {
  readonly taskId: string
  /** `null` or omitted: it is no subtask. */
  readonly parentTaskId?: string | null
}

/** The part of the state of a reader that its drafts need. */
export interface DraftState {
  contextId: string
  /** The task of drafts that name no other. */
  taskId: string
  /** The time of the latest event, as RFC 3339 or in milliseconds since 1970; `null` before the first. */
  time: string | number | null
  /** Of a reader whose sender may state times: the latest one that it stated; `null` before the first. */
  stated?: string | number | null
  /** How far the clock of the sender is ahead of the reader's, in milliseconds, as far as it stated times. */
  ahead?: number
}

/** The clock of a reader: RFC 3339, or milliseconds since 1970. */
export type DraftClock = () => string | number

/** The time of events without any other. */
const NO_TIME = '1970-01-01T00:00:00.000Z'

/** A step of a reader. Its state is a copy to assign to; nested values are replaced, not changed. */
export class DraftWriter<
  State extends DraftState,
  Options extends { readonly clock?: DraftClock | undefined },
> extends StepBuilder<State, ContextAnyEvent> {
  readonly options: Options
  /** Whether the input states its time, so that the clock is not asked. */
  #isTimed = false

  constructor(state: State, options: Options) {
    super(state)
    this.options = options
  }

  /** The time of the next event: that of the clock, as the sender has it, but not before that of an earlier event. */
  get time(): string {
    const now = this.#isTimed ? undefined : this.options.clock?.()
    if (now !== undefined) this.setTime(shifted(now, this.state.ahead ?? 0))
    const { time } = this.state
    return time === null ? NO_TIME : textOf(time)
  }

  /** Sets the time of the next events, unless it is before that of an earlier one. Returns whether it did. */
  setTime(time: NonNullable<DraftState['time']>): boolean {
    const { time: latest } = this.state
    if (latest !== null && isEarlier(time, latest)) return false
    this.state.time = time
    return true
  }

  /**
   * Sets the time of the events of an input that states it. Returns whether it did: not if the sender stated a later one
   * before. An event that was dated by the clock may be later, as clocks and connections differ.
   */
  stateTime(time: NonNullable<DraftState['time']>): boolean {
    const { clock } = this.options
    if (clock === undefined) return this.setTime(time)
    this.#isTimed = true
    const { stated = null } = this.state
    if (stated !== null && isEarlier(time, stated)) return false
    this.state.stated = time
    this.state.ahead = millisecondsOf(time) - millisecondsOf(clock())
    this.setTime(time)
    return true
  }

  /** Emits a draft with its context and time. It becomes the event: a new object. */
  emitDraft(draft: Draft, task: DraftTask = this.state): void {
    this.emit(this.eventOf(draft, task))
  }

  /** Adds its context and time to a draft, which becomes the event. */
  eventOf(draft: Draft, { taskId, parentTaskId }: DraftTask): ContextAnyEvent {
    const event = draft as unknown as Record<string, unknown>
    event.contextId = this.state.contextId
    event.taskId = taskId
    if (parentTaskId != null) event.parentTaskId = parentTaskId
    event.timestamp = this.time
    return event as unknown as ContextAnyEvent
  }
}

/** Emits a draft whose content is the sender's, if it is a valid event. Returns whether it is. */
export function emitValid<State extends DraftState>(
  writer: Pick<DraftWriter<State, object>, 'state' | 'eventOf' | 'emit'>,
  draft: Draft,
  task: DraftTask = writer.state,
): boolean {
  const event = writer.eventOf(draft, task)
  const isValid = isKnownEvent(event as unknown as Fields)
  if (isValid) writer.emit(event)
  return isValid
}

/** The part of a state that knows how often each id was used, by what has it and the id. */
export interface Ids {
  ids: BoundedMap<number>
}

/** An id that nothing else of its sort has: the id itself the first time, `<id>#2` the second time. */
export function uniqueId({ state }: { readonly state: Ids }, sort: string, id: string): string {
  const { ids, unique } = withId(state.ids, `${sort}:`, id)
  state.ids = ids
  return unique
}

/** Lets an id be used again, as what had it was discarded. */
export function freeId({ state }: { readonly state: Ids }, sort: string, id: string): void {
  state.ids = boundedDelete(state.ids, `${sort}:${id}`)
}

/** An id that is not among those that were used, which it is afterwards: the id itself, or `<id>#2` and so on. */
export function withId(
  ids: BoundedMap<number>,
  space: string,
  id: string,
): { ids: BoundedMap<number>; unique: string } {
  const countOf = (id: string): number => boundedGet(ids, space + id) ?? 0
  let count = countOf(id) + 1
  let unique = count === 1 ? id : `${id}#${count}`
  while (count > 1 && countOf(unique) > 0) unique = `${id}#${++count}`
  const used = boundedSet(ids, space + unique, 1).map
  return { ids: unique === id ? used : boundedSet(used, space + id, count).map, unique }
}

/** Sets the time of the next events to that of a field, in milliseconds since 1970. Reports one that is not used. */
export function setEpoch(
  writer: Pick<DraftWriter<DraftState, object>, 'state' | 'stateTime' | 'lossy'>,
  field: string,
  milliseconds: number,
): void {
  const whole = Math.min(Math.trunc(milliseconds), MAX_EPOCH_MS)
  if (writer.stateTime(whole) && whole === milliseconds) return
  const range = `from ${writer.state.stated ?? writer.state.time} to ${MAX_EPOCH_MS}`
  writer.lossy(field, `Expected whole milliseconds ${range}, got ${milliseconds}.`, milliseconds)
}

function isEarlier(time: string | number, other: string | number): boolean {
  if (typeof time === 'number' && typeof other === 'number') return time < other
  return isBefore(textOf(time), textOf(other))
}

function millisecondsOf(time: string | number): number {
  return typeof time === 'number' ? time : Date.parse(time)
}

/** An instant, by a clock that is ahead. */
function shifted(time: string | number, ahead: number): string | number {
  if (ahead === 0 || Number.isNaN(ahead)) return time
  return Math.min(Math.max(Math.trunc(millisecondsOf(time) + ahead), 0), MAX_EPOCH_MS)
}

function textOf(time: string | number): string {
  return typeof time === 'number' ? epochToTimestamp(time) : time
}
