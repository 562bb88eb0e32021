/** The parts that the schemas of session events share. */
import * as z from 'zod/mini'
import type { ExactSchema, Schema } from '../../../../core/schema.ts'
import type { Metadata } from '../../../../events/metadata.ts'
import { anyObject, count, id, maybe, open, timestamp } from '../../../../events/records/fields.ts'
import type { SessionEvent, SessionEventOf } from '../event.ts'
import type { SessionEventName } from '../names.ts'

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

/** Any string. */
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

/** A number >= 0, such as a duration. */
export const amount: z.ZodMiniNumber = z.number().check(z.minimum(0))

/** A sender-specific object in metadata. */
export const bag: z.ZodMiniType<Metadata> = anyObject as z.ZodMiniType<Metadata>

/** The content of any event: a string or an object. */
export const textOrBag: z.ZodMiniUnion<[typeof text, typeof bag]> = z.union([text, bag])

/** Content that may be omitted or `null`. */
export function content<S extends z.core.$ZodType>(schema: S): Maybe<z.ZodMiniNullable<S>> {
  return maybe(z.nullable(schema))
}

/** The content of an event without content. */
export const noContent: Maybe<z.ZodMiniNull> = maybe(z.null())

/** The schemas of some events, by name. */
export type SchemasOf<E extends SessionEvent> = { readonly [N in E['event']]: Schema<SessionEventOf<N>> }

/** An event as an object schema. */
type EventObject<
  N extends string,
  Around extends z.core.$ZodShape,
  C extends z.core.$ZodType,
  M extends z.core.$ZodType,
> = z.ZodMiniObject<{ event: z.ZodMiniLiteral<N> } & Around & { content: C; metadata: M }, z.core.$strip>

/** The schema of an event: its name, envelope, content and metadata. Compiles only if it describes the event exactly. */
export function eventSchema<
  N extends SessionEventName,
  Around extends z.core.$ZodShape,
  C extends z.core.$ZodType,
  M extends z.core.$ZodType,
>(
  name: N,
  around: Around,
  content: C,
  metadata: M & Exactly<EventObject<N, Around, C, M>, SessionEventOf<N>>,
): Schema<SessionEventOf<N>> {
  return open({ event: z.literal(name), ...around, content, metadata }) as unknown as Schema<
    SessionEventOf<N>
  >
}

/** `unknown` if the schema describes the type exactly; otherwise what `schemaOf` reports. */
type Exactly<S extends z.core.$ZodType, T> =
  ExactSchema<S, T> extends z.core.$ZodType ? unknown : ExactSchema<S, T>
