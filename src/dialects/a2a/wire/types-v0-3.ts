/**
 * A2A 0.3 in its own words: the objects of the JSON-RPC binding, as they stand in `result`.
 *
 * @see https://a2a-protocol.org/v0.3.0/specification/
 */
import type { Metadata } from '../../../events/fields.ts'

/** Where a task stands. `completed`, `canceled`, `failed` and `rejected` are terminal. */
export type A2aV03TaskState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'completed'
  | 'canceled'
  | 'failed'
  | 'rejected'
  | 'auth-required'
  | 'unknown'

/** A piece of text. */
export interface A2aV03TextPart {
  kind: 'text'
  text: string
  metadata?: Metadata
}

/** A file, inline or by reference. */
export interface A2aV03FilePart {
  kind: 'file'
  file: A2aV03FileWithBytes | A2aV03FileWithUri
  metadata?: Metadata
}

/** A file's content. */
export interface A2aV03FileWithBytes {
  /** The bytes in standard Base64, padded. */
  bytes: string
  name?: string
  /** Media type. Absent: not told. */
  mimeType?: string
}

/** Where to find a file. */
export interface A2aV03FileWithUri {
  uri: string
  name?: string
  /** Media type. Absent: not told. */
  mimeType?: string
}

/** A structured value. Always an object: see {@link DATA_PART_COMPAT} for other values. */
export interface A2aV03DataPart {
  kind: 'data'
  data: Metadata
  metadata?: Metadata
}

/** What messages and artifacts are made of. */
export type A2aV03Part = A2aV03TextPart | A2aV03FilePart | A2aV03DataPart

/** One turn of the conversation. */
export interface A2aV03Message {
  kind: 'message'
  /** Made by the sender; unique. Receivers keep only the first message of an id. */
  messageId: string
  role: 'user' | 'agent'
  /** Never empty. */
  parts: A2aV03Part[]
  contextId?: string
  taskId?: string
  /** Earlier tasks this message refers to. */
  referenceTaskIds?: string[]
  /** URIs of the extensions used in the message. */
  extensions?: string[]
  metadata?: Metadata
}

/** The state of a task at a time. */
export interface A2aV03TaskStatus {
  state: A2aV03TaskState
  /** What the agent says to this state. */
  message?: A2aV03Message
  /** ISO 8601. */
  timestamp?: string
}

/** Something a task makes. */
export interface A2aV03Artifact {
  /** Unique in the task. */
  artifactId: string
  /** Never empty. */
  parts: A2aV03Part[]
  name?: string
  description?: string
  /** URIs of the extensions used in the artifact. */
  extensions?: string[]
  metadata?: Metadata
}

/** A task as it stands. */
export interface A2aV03Task {
  kind: 'task'
  id: string
  contextId: string
  status: A2aV03TaskStatus
  artifacts?: A2aV03Artifact[]
  history?: A2aV03Message[]
  metadata?: Metadata
}

/** A task changes its state. */
export interface A2aV03TaskStatusUpdateEvent {
  kind: 'status-update'
  taskId: string
  contextId: string
  status: A2aV03TaskStatus
  /** Whether the stream ends here: in terminal states and when input is required. */
  final: boolean
  metadata?: Metadata
}

/** A task makes an artifact, or adds to one. */
export interface A2aV03TaskArtifactUpdateEvent {
  kind: 'artifact-update'
  taskId: string
  contextId: string
  artifact: A2aV03Artifact
  /** `true`: the parts are added to the artifact. Otherwise it is created or replaced. */
  append?: boolean
  /** `true`: the artifact is finished. */
  lastChunk?: boolean
  metadata?: Metadata
}

/** What a stream consists of. */
export type A2aV03StreamEvent =
  | A2aV03Task
  | A2aV03Message
  | A2aV03TaskStatusUpdateEvent
  | A2aV03TaskArtifactUpdateEvent

/**
 * Metadata key of a data part of A2A 0.3 whose value is no object: with it set to `true`, the
 * value is `data.value`. The SDKs' own translators between the versions write and read it.
 */
export const DATA_PART_COMPAT = 'data_part_compat'
