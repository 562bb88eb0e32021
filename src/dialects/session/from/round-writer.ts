/** Emits the events of one session while one of its events is mapped, and tracks which fields were mapped. */

import type { BoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { isKnownEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent, EventKind } from '../../../events/event.ts'
import { type Fields, isCount, isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { withId } from '../../engine/draft.ts'
import { at } from '../wire/aliases.ts'
import { EXTENSION } from '../wire/carried.ts'
import { copySession, type SessionInput, type SessionState } from './state.ts'

/** Collects the events that one event of a session maps to. */
export class RoundWriter extends StepBuilder<SessionState, ContextAnyEvent> {
  readonly event: SessionInput
  /** The content as an object; empty if it is not one. */
  readonly content: Fields
  /** The metadata as an object; empty if it is not one. */
  readonly metadata: Fields
  /** What `toSessionEvents` preserved of the core event. `undefined` for events of other origin. */
  readonly core: Fields | undefined = undefined
  /** The `seq` of the event; -1 if it has none. */
  readonly seq: number
  /** The pointers of the fields whose values are in the output. */
  readonly taken: Set<string> = new Set()
  /** How often ids were used. */
  ids: BoundedMap<number>

  constructor(state: SessionState, event: SessionInput, ids: BoundedMap<number>) {
    super(copySession(state))
    this.event = event
    this.ids = ids
    this.content = fieldsOf(event.content)
    this.metadata = fieldsOf(event.metadata)
    const core = this.metadata[EXTENSION]
    // A session has no subtasks.
    if (isFields(core)) this.core = without(core, 'parentTaskId')
    const { seq } = event as { seq?: unknown }
    this.seq = isCount(seq) ? (seq as number) : -1
  }

  /** Changes fields of the state, which is a copy of its own. */
  override update(changes: Partial<SessionState>): void {
    const state = this.state as unknown as Record<string, unknown>
    for (const name of Object.keys(changes)) state[name] = changes[name as keyof SessionState]
  }

  /** Whether a round is open. */
  get isOpen(): boolean {
    return this.state.taskId !== null
  }

  /** The value at a pointer of two or fewer fields, which the output has. Take only what is emitted unchanged. */
  take(pointer: string): unknown {
    this.taken.add(pointer)
    return at(this.event, pointer)
  }

  /** The string at a pointer, if it is one; {@link take} otherwise does nothing. */
  takeText(pointer: string): string | undefined {
    const value = at(this.event, pointer)
    if (typeof value !== 'string') return undefined
    this.taken.add(pointer)
    return value
  }

  /** Reports an event that maps to nothing. */
  droppedEvent(
    reason = 'no-equivalent',
    message = `No event stands for ${this.event.event.slice(0, 64)}.`,
  ): void {
    this.dropped(this.event.event.slice(0, 64), reason, message)
  }

  /** Reports an event after the end of its round. */
  droppedAfterEnd(): void {
    this.droppedEvent('after-end', `Expected no event after the end of its round, got ${this.event.event}.`)
  }

  /** Reports an event with content that cannot be mapped. */
  droppedContent(expected: string): void {
    this.droppedEvent('invalid-content', `Expected ${expected} of ${this.event.event}.`)
  }

  /** An id that is unique in the context: the id itself, or a numbered one if it was used before. */
  uniqueId(type: 'task' | 'call' | 'input' | 'thought', id: string): string {
    const { ids, unique } = withId(this.ids, `${this.state.contextId} ${type} `, id)
    this.ids = ids
    return unique
  }

  /**
   * Emits an event of the task. Besides `fields` it has the preserved fields `core`, or else the `derived` ones. An
   * event that is invalid with either is dropped. Returns whether one was emitted.
   */
  emitEvent(kind: EventKind, fields: object, derived: object, core?: Fields): boolean {
    const { contextId, taskId, timestamp } = this.state
    for (const rest of core === undefined ? [derived] : [core, derived]) {
      // One spread copies a foreign `__proto__` as the field it is; several would cost more than all else.
      const event: Record<string, unknown> = { kind, contextId, taskId, ...rest }
      event.kind = kind
      event.contextId = contextId
      event.taskId = taskId ?? ''
      for (const name of Object.keys(fields)) event[name] = (fields as Fields)[name]
      event.timestamp = timestamp
      if (isKnownEvent(event)) {
        this.emit(event as unknown as ContextAnyEvent)
        return true
      }
      if (rest === core) {
        const message = `Expected metadata.core with valid fields of ${kind}.`
        this.inferredAt('/metadata/core', kind, message)
      }
    }
    this.droppedContent(`content and metadata that map to a valid ${kind}`)
    return false
  }

  /** Reports a value that the field at a path does not state. */
  inferredAt(path: string, what: string, message: string): void {
    this.diagnostic(`inferred:${what}`, message, { path })
  }

  /** Reports that the oldest of too many open items are no longer tracked. */
  evicted(what: string): void {
    this.diagnostic('state-evicted', `Got too many open ${what}; the oldest are no longer tracked.`)
  }
}

/** The fields without one of them. */
export function without(fields: Fields, name: string): Fields {
  if (!Object.hasOwn(fields, name)) return fields
  const { [name]: _, ...others } = fields
  return others
}

/** Metadata as a field of an event; no field if the metadata is empty. */
export function metadataField(metadata: object): { metadata?: object } {
  return Object.keys(metadata).length === 0 ? {} : { metadata }
}

/** Emits the events that one event of the session maps to. */
export type Conversion = (writer: RoundWriter) => void

/** Conversions by event name. */
export type Conversions = { readonly [name: string]: Conversion }
