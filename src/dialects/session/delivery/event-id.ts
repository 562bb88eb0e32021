/** Ids and numbers of the events of a session. */

import { requireInteger, requireObject, requireText } from '../../../core/require.ts'
import { type Fields, isCount, isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { parseDigits } from '../wire/coerce.ts'

/** The parts of an `event_id`. */
export interface SessionEventId {
  /** The connection the number belongs to. */
  readonly connection: string
  /** The number of the event on the connection. */
  readonly seq: number
}

/**
 * Parses an `event_id`. The number follows the last `-`; the connection may contain further ones. Returns
 * `undefined` if the text is not an `event_id`.
 */
export function parseSessionEventId(text: unknown): SessionEventId | undefined {
  if (typeof text !== 'string') return undefined
  const dash = text.lastIndexOf('-')
  const seq = parseDigits(text.slice(dash + 1))
  return dash > 0 && seq !== undefined ? { connection: text.slice(0, dash), seq } : undefined
}

/**
 * Formats an `event_id`: `<connection>-<seq>`.
 *
 * @throws TypeError if `connection` is not a non-empty string, or `seq` is not an integer >= 0.
 */
export function formatSessionEventId(id: SessionEventId): string {
  requireObject('id', id)
  const { connection, seq } = id
  requireText('connection', connection)
  requireInteger('seq', seq, 0)
  return `${connection}-${seq}`
}

/** The fields of an event that delivery uses: any event, decoded or not. */
export interface DeliveredEvent {
  readonly event: string
  readonly seq?: unknown
  readonly event_id?: unknown
  readonly epoch?: unknown
  readonly content?: unknown
  readonly metadata?: unknown
}

/**
 * The number that a `user.ack` acknowledges: its `last_seq`, the number of its `last_event_id`, or its
 * content if that is a number or a string of digits. `undefined` if it has none of these, and for any other value.
 */
export function readSessionAck(event: DeliveredEvent): number | undefined {
  const { content } = fieldsOf(event)
  const { last_seq: seq, last_event_id: id } = isFields(content) ? content : { last_seq: content }
  return isCount(seq) ? (seq as number) : (parseDigits(seq) ?? parseSessionEventId(id)?.seq)
}

/** The number of an event; `undefined` if it has none. */
export function seqOf(event: DeliveredEvent): number | undefined {
  const { seq } = fieldsOf(event)
  return isCount(seq) ? (seq as number) : undefined
}

/** The `event_id` an event was first sent with. A replay assigns a new one and keeps the first. */
export function firstIdOf(event: DeliveredEvent): string | undefined {
  const original = (event.metadata as Fields | null | undefined)?.orig_event_id
  const id = typeof original === 'string' ? original : event.event_id
  return typeof id === 'string' ? id : undefined
}
