/**
 * The schemas of A2A 1.0: the canonical JSON of its protocol buffers. It omits flags that are `false` and empty lists.
 * They are strict: unknown fields, empty lists and unknown values are errors.
 *
 * @see https://a2a-protocol.org/v1.0.0/specification/
 */
import * as z from 'zod/mini'
import type { JsonValue } from '../../../core/json-value.ts'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { id, maybe, metadata } from '../../../events/records/fields.ts'
import type { A2aV1StreamResponse } from './types.generated.ts'

const anyMetadata = maybe(metadata({}))
const strings = maybe(z.array(z.string()))

/**
 * The state of a task. `TASK_STATE_COMPLETED`, `TASK_STATE_FAILED`, `TASK_STATE_CANCELED` and
 * `TASK_STATE_REJECTED` are terminal.
 */
const a2aV1TaskState = z.enum([
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
])

/** The fields of every part besides its content. */
const partFields = {
  /** File name. Omitted if unknown. */
  filename: maybe(z.string()),
  /** Media type. Omitted if unknown. */
  mediaType: maybe(z.string()),
  metadata: anyMetadata,
}

/** A piece of text. */
const a2aV1TextPart = z.strictObject({ text: z.string(), ...partFields })

/** Bytes, inline. */
const a2aV1RawPart = z.strictObject({
  /** The bytes in standard Base64, padded. */
  raw: z.base64(),
  ...partFields,
})

/** A reference. */
const a2aV1UrlPart = z.strictObject({ url: id, ...partFields })

/** A structured value: any JSON. */
const a2aV1DataPart = z.strictObject({ data: z.unknown() as z.ZodMiniType<JsonValue>, ...partFields })

/** A part of a message or artifact: text, bytes, URL or data, by which of these members is present. */
const a2aV1Part = z.union([a2aV1TextPart, a2aV1RawPart, a2aV1UrlPart, a2aV1DataPart])

const parts = z.array(a2aV1Part).check(z.minLength(1))

/** One message of the conversation. */
const a2aV1Message = z.strictObject({
  /** Created by the sender; unique. Receivers ignore further messages with the same id. */
  messageId: id,
  role: z.enum(['ROLE_USER', 'ROLE_AGENT']),
  /** Never empty. */
  parts,
  contextId: maybe(id),
  taskId: maybe(id),
  /** Ids of earlier tasks the message refers to. */
  referenceTaskIds: strings,
  /** URIs of the extensions used in the message. */
  extensions: strings,
  metadata: anyMetadata,
})

/** The state of a task at a point in time. */
const a2aV1TaskStatus = z.strictObject({
  state: a2aV1TaskState,
  /** The agent's message about this state. */
  message: maybe(a2aV1Message),
  /** RFC 3339 in UTC. */
  timestamp: maybe(z.iso.datetime()),
})

/** An output of a task. */
const a2aV1Artifact = z.strictObject({
  /** Unique in the task. */
  artifactId: id,
  /** Never empty. */
  parts,
  name: maybe(z.string()),
  description: maybe(z.string()),
  /** URIs of the extensions used in the artifact. */
  extensions: strings,
  metadata: anyMetadata,
})

/** A task in its current state. */
const a2aV1Task = z.strictObject({
  id,
  contextId: maybe(id),
  status: a2aV1TaskStatus,
  artifacts: maybe(z.array(a2aV1Artifact)),
  history: maybe(z.array(a2aV1Message)),
  metadata: anyMetadata,
})

/** A change of a task's state. */
const a2aV1TaskStatusUpdateEvent = z.strictObject({
  taskId: id,
  contextId: id,
  status: a2aV1TaskStatus,
  metadata: anyMetadata,
})

/** A new artifact, or more parts of one. */
const a2aV1TaskArtifactUpdateEvent = z.strictObject({
  taskId: id,
  contextId: id,
  artifact: a2aV1Artifact,
  /** `true`: append the parts to the artifact. Omitted: it is created or replaced. */
  append: maybe(z.boolean()),
  /** `true`: the artifact is complete. */
  lastChunk: maybe(z.boolean()),
  metadata: anyMetadata,
})

/** One item of a stream; exactly one member is present. */
const a2aV1StreamResponse = z.union([
  z.strictObject({ task: a2aV1Task }),
  z.strictObject({ message: a2aV1Message }),
  z.strictObject({ statusUpdate: a2aV1TaskStatusUpdateEvent }),
  z.strictObject({ artifactUpdate: a2aV1TaskArtifactUpdateEvent }),
])

/** The schema of any item of an A2A 1.0 stream. */
export const a2aV1Schema: Schema<A2aV1StreamResponse> = schemaOf<A2aV1StreamResponse>()(a2aV1StreamResponse)

/** The schema of each member of an item of an A2A 1.0 stream. An item has one of them. */
export const a2aV1Schemas: {
  readonly [M in A2aV1StreamResponse as keyof M]: Schema<M[keyof M]>
} = {
  task: a2aV1Task,
  message: a2aV1Message,
  statusUpdate: a2aV1TaskStatusUpdateEvent,
  artifactUpdate: a2aV1TaskArtifactUpdateEvent,
}
