/** The parts that the schemas of session events share. */
import * as z from 'zod/mini'
import type { FieldsOf } from '../../../../core/schema.ts'
import type { Metadata } from '../../../../events/metadata.ts'
import { anyObject, count, id, maybe, timestamp } from '../../../../events/records/fields.ts'
import type { InSession, InStep, SessionEnvelope } from '../types.generated.ts'

/** Any string. */
export const text: z.ZodMiniString = z.string()

/** A number >= 0, such as a duration. */
export const amount: z.ZodMiniNumber = z.number().check(z.minimum(0))

/** A sender-specific object in metadata. */
export const bag: z.ZodMiniType<Metadata> = anyObject as z.ZodMiniType<Metadata>

/** The content of an event without content. */
export const noContent: z.ZodMiniExactOptional<z.ZodMiniNull> = maybe(z.null())

/**
 * The envelope of an event: its fields besides content and metadata.
 *
 * `user.ack` and `user.reconnect` refer to `seq`, `epoch` and `event_id`, which servers set. The source
 * specification mentions them without defining their place.
 *
 * @see docs/spec/event-payloads.md
 */
export const sessionEnvelope: FieldsOf<SessionEnvelope> = {
  /** The session. Omitted before a session exists. */
  session_id: maybe(id),
  /** The connection. Set by the server. */
  connection_id: maybe(id),
  /** Links related events: those of a stage or step, or a question and its answer. Opaque. */
  step_id: maybe(id),
  /**
   * When the event was created: RFC 3339 with zone. If omitted, the receiver sets it on receipt.
   * `createSessionEvent` always sets it.
   */
  timestamp: maybe(timestamp),
  /** Increasing number of the event on its connection. Set by the server. Omitted if not numbered. */
  seq: maybe(count),
  /** The scope of `seq`: a new epoch restarts the numbers. Defaults to the connection. */
  epoch: maybe(id),
  /** The id of the event: `<connection>-<seq>`. Set by the server. Omitted if it has none. */
  event_id: maybe(id),
  /** Human-readable one-line summary. Set by the server. Omitted if there is none. */
  show_content: maybe(text),
}

/** The envelope of the events of an open session. */
export const inSession: FieldsOf<InSession> = { ...sessionEnvelope, session_id: id }

/** The envelope of the events of one step of a session. */
export const inStep: FieldsOf<InStep> = { ...inSession, step_id: id }
