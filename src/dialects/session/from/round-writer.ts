/** Emits the events of the open round while one event of the session is mapped. */

import { describeValue } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { stamp, unstamp } from '../../../emitter/stamp.ts'
import { checkEvent } from '../../../events/checks.generated.ts'
import type { ContextAnyEvent, EventKind } from '../../../events/event.ts'
import { type Fields, isFields, isTimestamp } from '../../../validation/predicates.ts'
import { asFields } from '../wire/coerce.ts'
import { EXTENSION } from '../wire/coverage.ts'
import type { FromSessionState, SessionInput } from './state.ts'

/** Collects the events that one event of the session maps to. */
export class RoundWriter extends StepBuilder<FromSessionState, ContextAnyEvent> {
  readonly event: SessionInput
  /** The content as an object; empty if it is not one. */
  readonly content: Fields
  /** The metadata as an object; empty if it is not one. */
  readonly metadata: Fields
  /** What `toSessionEvents` preserved of the core event. `undefined` for events of other origin. */
  readonly core: Fields | undefined

  constructor(state: FromSessionState, event: SessionInput) {
    super(state)
    this.event = event
    this.content = asFields(event.content)
    this.metadata = asFields(event.metadata)
    const core = this.metadata[EXTENSION]
    this.core = isFields(core) ? core : undefined
  }

  /** Whether a round is open. */
  get isOpen(): boolean {
    return this.state.taskId !== null
  }

  /** Reports an event that maps to nothing. */
  droppedEvent(
    reason = 'no-equivalent',
    message = `The core vocabulary has no equivalent of ${this.event.event}.`,
  ): void {
    this.dropped(this.event.event, reason, message)
  }

  /** Reports an event with content that cannot be mapped. */
  droppedContent(expected: string): void {
    const message = `Expected ${expected} of ${this.event.event}.`
    this.droppedEvent('invalid-content', message)
  }

  /**
   * Emits an event of the task. Besides `fields` it has the preserved fields `core`, or else the
   * `derived` ones. An event that is invalid with either is dropped. Returns whether one was emitted.
   */
  emitEvent(kind: EventKind, fields: object, derived: object, core?: Fields): boolean {
    const { contextId, taskId, timestamp } = this.state
    for (const rest of core === undefined ? [derived] : [core, derived]) {
      const event = unstamp({ ...rest, ...fields, kind, timestamp } as unknown as ContextAnyEvent)
      if (checkEvent(kind, event as unknown as Fields) === true) {
        this.emit(stamp(event, { contextId, taskId: taskId ?? '' }) as ContextAnyEvent)
        return true
      }
      if (rest === core) {
        const message = `Expected metadata.core with valid fields of ${kind}; the fields were derived.`
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

  /** The timestamp of the event with a zone, and whether and how it was inferred. */
  readTimestamp(now: (() => string) | undefined): { timestamp: string; inferred?: string } {
    const { timestamp } = this.event
    if (isTimestamp(timestamp)) return { timestamp: timestamp as string }
    if (typeof timestamp === 'string' && isTimestamp(`${timestamp}Z`)) {
      return {
        timestamp: `${timestamp}Z`,
        inferred: `Expected a timestamp with zone, got ${describeValue(timestamp)}; UTC was inferred.`,
      }
    }
    const source = now === undefined ? 'the previous timestamp' : 'the clock'
    return {
      timestamp: now?.() ?? this.state.timestamp,
      inferred: `Expected an RFC 3339 timestamp, got ${describeValue(timestamp)}; ${source} was used.`,
    }
  }
}

/** Metadata as a field of an event; no field if the metadata is empty. */
export function metadataField(metadata: object): { metadata?: object } {
  return Object.keys(metadata).length === 0 ? {} : { metadata }
}
