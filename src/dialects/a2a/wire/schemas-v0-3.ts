/**
 * The schemas of A2A 0.3: the objects in the `result` of the JSON-RPC binding. They are strict: unknown fields, empty
 * lists and unknown values are errors.
 *
 * @see https://a2a-protocol.org/v0.3.0/specification/
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { byTag, id, maybe, metadata } from '../../../events/records/fields.ts'
import type { A2aV03StreamEvent } from './types.generated.ts'

const anyMetadata = maybe(metadata({}))
const strings = maybe(z.array(z.string()))

/** The state of a task. `completed`, `canceled`, `failed` and `rejected` are terminal. */
const a2aV03TaskState = z.enum([
  'submitted',
  'working',
  'input-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
  'auth-required',
  'unknown',
])

/** A piece of text. */
const a2aV03TextPart = z.strictObject({ kind: z.literal('text'), text: z.string(), metadata: anyMetadata })

/** A file with its content. */
const a2aV03FileWithBytes = z.strictObject({
  /** The bytes in standard Base64, padded. */
  bytes: z.base64(),
  name: maybe(z.string()),
  /** Media type. Omitted if unknown. */
  mimeType: maybe(z.string()),
})

/** A file by its URI. */
const a2aV03FileWithUri = z.strictObject({
  uri: id,
  name: maybe(z.string()),
  /** Media type. Omitted if unknown. */
  mimeType: maybe(z.string()),
})

/** A file, inline or by reference. */
const a2aV03FilePart = z.strictObject({
  kind: z.literal('file'),
  file: z.union([a2aV03FileWithBytes, a2aV03FileWithUri]),
  metadata: anyMetadata,
})

/** A structured value. Always an object; other values are wrapped and marked in `metadata`. */
const a2aV03DataPart = z.strictObject({ kind: z.literal('data'), data: metadata({}), metadata: anyMetadata })

/** A part of a message or artifact. */
const a2aV03Part = z.discriminatedUnion('kind', [a2aV03TextPart, a2aV03FilePart, a2aV03DataPart])

const parts = z.array(a2aV03Part).check(z.minLength(1))

/** One message of the conversation. */
const a2aV03Message = z.strictObject({
  kind: z.literal('message'),
  /** Created by the sender; unique. Receivers ignore further messages with the same id. */
  messageId: id,
  role: z.enum(['user', 'agent']),
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
const a2aV03TaskStatus = z.strictObject({
  state: a2aV03TaskState,
  /** The agent's message about this state. */
  message: maybe(a2aV03Message),
  /** ISO 8601. */
  timestamp: maybe(z.string()),
})

/** An output of a task. */
const a2aV03Artifact = z.strictObject({
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
const a2aV03Task = z.strictObject({
  kind: z.literal('task'),
  id,
  contextId: id,
  status: a2aV03TaskStatus,
  artifacts: maybe(z.array(a2aV03Artifact)),
  history: maybe(z.array(a2aV03Message)),
  metadata: anyMetadata,
})

/** A change of a task's state. */
const a2aV03TaskStatusUpdateEvent = z.strictObject({
  kind: z.literal('status-update'),
  taskId: id,
  contextId: id,
  status: a2aV03TaskStatus,
  /** Whether the stream ends here: in terminal states and when input is required. */
  final: z.boolean(),
  metadata: anyMetadata,
})

/** A new artifact, or more parts of one. */
const a2aV03TaskArtifactUpdateEvent = z.strictObject({
  kind: z.literal('artifact-update'),
  taskId: id,
  contextId: id,
  artifact: a2aV03Artifact,
  /** `true`: append the parts to the artifact. Otherwise it is created or replaced. */
  append: maybe(z.boolean()),
  /** `true`: the artifact is complete. */
  lastChunk: maybe(z.boolean()),
  metadata: anyMetadata,
})

/** One item of a stream. */
const a2aV03StreamEvent = z.discriminatedUnion('kind', [
  a2aV03Task,
  a2aV03Message,
  a2aV03TaskStatusUpdateEvent,
  a2aV03TaskArtifactUpdateEvent,
])

/** The schema of any item of an A2A 0.3 stream. */
export const a2aV03Schema: Schema<A2aV03StreamEvent> = schemaOf<A2aV03StreamEvent>()(a2aV03StreamEvent)

/** The schema of each item of an A2A 0.3 stream, by `kind`. */
export const a2aV03Schemas: { readonly [E in A2aV03StreamEvent as E['kind']]: Schema<E> } = byTag('kind', [
  a2aV03StreamEvent,
]) as never
