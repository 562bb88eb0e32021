/** The parts that the schemas of frames share. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybe, open } from '../../../../events/records/fields.ts'
import type { FrameV1Envelope, FrameV2Envelope } from '../types.generated.ts'

/** Any string. */
export const text: z.ZodMiniString = z.string()

/** Any strings. */
export const texts: z.ZodMiniType<string[]> = z.array(text)

/** A signed 32-bit integer. */
export const int32: z.ZodMiniNumberFormat = z.int().check(z.minimum(-2147483648), z.maximum(2147483647))

/** The envelope of version 1. The fields of the type are beside it, not in a field of their own. */
const frameV1Envelope = open({
  /** The id of the frame: a UUID by the specification, in practice any unique string. */
  id,
  /** The id of the stream: the session id, or the task id in a task stream. */
  session_id: id,
  /** Creation time in milliseconds since 1970. Not used for ordering. */
  timestamp_ms: count,
  /** Position in the stream, from 0 without gaps, at most 2^53-1. */
  seq: count,
})

/**
 * The envelope of version 2. The fields of the type are beside it; decoding also accepts them in a
 * `payload` field.
 */
const frameV2Envelope = open({
  /** The id of the frame: a UUID by the specification, in practice any unique string. */
  id,
  /** Alias of `stream_id`, for readers of version 1. Optional. */
  session_id: maybe(id),
  /** The kind of the stream: `session`, `task`, `continuity`, `artifact` or a future kind. */
  stream_kind: id,
  /** The id of the stream among those of its kind. */
  stream_id: id,
  /** Creation time in milliseconds since 1970. Not used for ordering. */
  timestamp_ms: count,
  /** Position in the stream, from 0 without gaps, at most 2^53-1. */
  seq: count,
})

/** The schema of the envelope of version 1. */
export const frameV1EnvelopeSchema: Schema<FrameV1Envelope> = schemaOf<FrameV1Envelope>()(frameV1Envelope)

/** The schema of the envelope of version 2. */
export const frameV2EnvelopeSchema: Schema<FrameV2Envelope> = schemaOf<FrameV2Envelope>()(frameV2Envelope)
