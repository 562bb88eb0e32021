/** How events of a session are named and numbered. */
import { type Fields, isCount, isFields } from '../../../validation/predicates.ts'
import { wholeNumber } from '../wire/aliases.ts'

/** An `event_id` in its parts. */
export interface SessionEventId {
  /** The connection that numbers. */
  readonly connection: string
  /** The event's number on it. */
  readonly seq: number
}

/**
 * Reads an `event_id`. What follows the last `-` is the number; the connection may have more of
 * them. `undefined` for anything else.
 */
export function parseSessionEventId(text: unknown): SessionEventId | undefined {
  if (typeof text !== 'string') return undefined
  const dash = text.lastIndexOf('-')
  const seq = wholeNumber(text.slice(dash + 1))
  return dash > 0 && seq !== undefined ? { connection: text.slice(0, dash), seq } : undefined
}

/** Writes an `event_id`: `<connection>-<seq>`. */
export function formatSessionEventId({ connection, seq }: SessionEventId): string {
  return `${connection}-${seq}`
}

/** An event as far as its delivery is concerned: any event, decoded or not. */
export interface DeliveredEvent {
  readonly event: string
  readonly seq?: unknown
  readonly event_id?: unknown
  readonly epoch?: unknown
  readonly content?: unknown
  readonly metadata?: unknown
}

/**
 * Up to where a `user.ack` acknowledges: its `last_seq`, the number of its `last_event_id`, or its
 * content if that is just a number or a text of digits. `undefined` when it says nothing.
 */
export function readSessionAck(event: DeliveredEvent): number | undefined {
  const { content } = event
  const { last_seq: seq, last_event_id: id } = isFields(content) ? content : { last_seq: content }
  return isCount(seq) ? (seq as number) : (wholeNumber(seq) ?? parseSessionEventId(id)?.seq)
}

/** The number of an event; `undefined` when it has none. */
export function seqOf(event: DeliveredEvent): number | undefined {
  return isCount(event.seq) ? (event.seq as number) : undefined
}

/** The `event_id` the event was first sent with: a replay gives it a new one and keeps the first. */
export function firstIdOf(event: DeliveredEvent): string | undefined {
  const original = (event.metadata as Fields | undefined)?.orig_event_id
  const id = typeof original === 'string' ? original : event.event_id
  return typeof id === 'string' ? id : undefined
}
