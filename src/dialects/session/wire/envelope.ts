/** What every event of the session protocol has around its content and metadata. */
import * as z from 'zod/mini'
import { anyObject, count, id, type Metadata, maybe, open, timestamp } from '../../../events/fields.ts'
import type { SessionEventName } from './names.ts'

/**
 * The fields around content and metadata.
 *
 * `seq`, `epoch` and `event_id` are what servers add so that `user.ack` and `user.reconnect` have
 * something to refer to; the document speaks of them and gives them no place.
 *
 * @see docs/spec/event-payloads.md#base-structure
 */
export interface SessionEnvelope {
  /** The session. Absent on what belongs to no session yet. */
  session_id?: string
  /** The connection. Set by the server. */
  connection_id?: string
  /** Ties what belongs together: a stage, a step or a question and its answer. Opaque. */
  step_id?: string
  /**
   * When the event was made: RFC 3339 with zone. Absent: not told; a receiver stamps it on receipt.
   * {@link createSessionEvent} always sets it.
   */
  timestamp?: string
  /** Number of the event on its connection, rising. Set by the server. Absent: not numbered. */
  seq?: number
  /** What `seq` counts within; a new one begins a new count. Absent: the connection. */
  epoch?: string
  /** Names the event: `<connection>-<seq>`. Set by the server. Absent: not named. */
  event_id?: string
  /** A one-line summary for people. Set by the server. Absent: there is none. */
  show_content?: string
}

/** The fields around the events of an open session. */
export interface InSession extends SessionEnvelope {
  session_id: string
}

/** The fields around the events of one step of a session. */
export interface InStep extends InSession {
  step_id: string
}

type Maybe<S extends z.core.$ZodType> = z.ZodMiniExactOptional<S>

/** {@link SessionEnvelope} as the shape of a schema. */
export type EnvelopeShape = {
  session_id: Maybe<z.ZodMiniString>
  connection_id: Maybe<z.ZodMiniString>
  step_id: Maybe<z.ZodMiniString>
  timestamp: Maybe<z.iso.ZodMiniISODateTime>
  seq: Maybe<z.ZodMiniNumberFormat>
  epoch: Maybe<z.ZodMiniString>
  event_id: Maybe<z.ZodMiniString>
  show_content: Maybe<z.ZodMiniString>
}

type SessionShape = Omit<EnvelopeShape, 'session_id'> & { session_id: z.ZodMiniString }
type StepShape = Omit<SessionShape, 'step_id'> & { step_id: z.ZodMiniString }

/** Any text. */
export const text: z.ZodMiniString = z.string()

/** {@link SessionEnvelope} as a shape. */
export const envelope: EnvelopeShape = {
  session_id: maybe(id),
  connection_id: maybe(id),
  step_id: maybe(id),
  timestamp: maybe(timestamp),
  seq: maybe(count),
  epoch: maybe(id),
  event_id: maybe(id),
  show_content: maybe(text),
}

/** {@link InSession} as a shape. */
export const inSession: SessionShape = { ...envelope, session_id: id }

/** {@link InStep} as a shape. */
export const inStep: StepShape = { ...inSession, step_id: id }

/** A number from 0, such as a duration. */
export const amount: z.ZodMiniNumber = z.number().check(z.minimum(0))

/** An object of the sender's own, in metadata. */
export const bag: z.ZodMiniType<Metadata> = anyObject as z.ZodMiniType<Metadata>

/** Content of whatever event: a text or an object. */
export const textOrBag: z.ZodMiniUnion<[typeof text, typeof bag]> = z.union([text, bag])

/** Content that may be absent or `null`. */
export function content<S extends z.core.$ZodType>(schema: S): Maybe<z.ZodMiniNullable<S>> {
  return maybe(z.nullable(schema))
}

/** The content of an event that has none. */
export const noContent: Maybe<z.ZodMiniNull> = maybe(z.null())

/** The validator of an event: its name, what is around content and metadata, and these two. */
export function eventOf<
  N extends SessionEventName,
  Around extends z.core.$ZodShape,
  C extends z.core.$ZodType,
  M extends z.core.$ZodType,
>(
  name: N,
  around: Around,
  content: C,
  metadata: M,
): z.ZodMiniObject<{ event: z.ZodMiniLiteral<N> } & Around & { content: C; metadata: M }, z.core.$strip> {
  return open({ event: z.literal(name), ...around, content, metadata })
}
