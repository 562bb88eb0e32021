// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in schemas-v0-3.ts and schemas-v1.ts beside it. Do not edit.
import type { JsonValue } from '../../../core/json-value.ts'
import type { Metadata } from '../../../events/metadata.ts'

/** The state of a task. `completed`, `canceled`, `failed` and `rejected` are terminal. */
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

/** A file with its content. */
export interface A2aV03FileWithBytes {
  /** The bytes in standard Base64, padded. */
  bytes: string
  name?: string
  /** Media type. Omitted if unknown. */
  mimeType?: string
}

/** A file by its URI. */
export interface A2aV03FileWithUri {
  uri: string
  name?: string
  /** Media type. Omitted if unknown. */
  mimeType?: string
}

/** A file, inline or by reference. */
export interface A2aV03FilePart {
  kind: 'file'
  file: A2aV03FileWithBytes | A2aV03FileWithUri
  metadata?: Metadata
}

/** A structured value. Always an object; other values are wrapped and marked in `metadata`. */
export interface A2aV03DataPart {
  kind: 'data'
  data: Metadata
  metadata?: Metadata
}

/** A part of a message or artifact. */
export type A2aV03Part = A2aV03TextPart | A2aV03FilePart | A2aV03DataPart

/** One message of the conversation. */
export interface A2aV03Message {
  kind: 'message'
  /** Created by the sender; unique. Receivers ignore further messages with the same id. */
  messageId: string
  role: 'user' | 'agent'
  /** Never empty. */
  parts: A2aV03Part[]
  contextId?: string
  taskId?: string
  /** Ids of earlier tasks the message refers to. */
  referenceTaskIds?: string[]
  /** URIs of the extensions used in the message. */
  extensions?: string[]
  metadata?: Metadata
}

/** The state of a task at a point in time. */
export interface A2aV03TaskStatus {
  state: A2aV03TaskState
  /** The agent's message about this state. */
  message?: A2aV03Message
  /** ISO 8601. */
  timestamp?: string
}

/** An output of a task. */
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

/** A task in its current state. */
export interface A2aV03Task {
  kind: 'task'
  id: string
  contextId: string
  status: A2aV03TaskStatus
  artifacts?: A2aV03Artifact[]
  history?: A2aV03Message[]
  metadata?: Metadata
}

/** A change of a task's state. */
export interface A2aV03TaskStatusUpdateEvent {
  kind: 'status-update'
  taskId: string
  contextId: string
  status: A2aV03TaskStatus
  /** Whether the stream ends here: in terminal states and when input is required. */
  final: boolean
  metadata?: Metadata
}

/** A new artifact, or more parts of one. */
export interface A2aV03TaskArtifactUpdateEvent {
  kind: 'artifact-update'
  taskId: string
  contextId: string
  artifact: A2aV03Artifact
  /** `true`: append the parts to the artifact. Otherwise it is created or replaced. */
  append?: boolean
  /** `true`: the artifact is complete. */
  lastChunk?: boolean
  metadata?: Metadata
}

/** One item of a stream. */
export type A2aV03StreamEvent =
  | A2aV03Task
  | A2aV03Message
  | A2aV03TaskStatusUpdateEvent
  | A2aV03TaskArtifactUpdateEvent

/**
 * The state of a task. `TASK_STATE_COMPLETED`, `TASK_STATE_FAILED`, `TASK_STATE_CANCELED` and
 * `TASK_STATE_REJECTED` are terminal.
 */
export type A2aV1TaskState =
  | 'TASK_STATE_SUBMITTED'
  | 'TASK_STATE_WORKING'
  | 'TASK_STATE_COMPLETED'
  | 'TASK_STATE_FAILED'
  | 'TASK_STATE_CANCELED'
  | 'TASK_STATE_INPUT_REQUIRED'
  | 'TASK_STATE_REJECTED'
  | 'TASK_STATE_AUTH_REQUIRED'

/** The fields of every part besides its content. */
export interface PartFields {
  /** File name. Omitted if unknown. */
  filename?: string
  /** Media type. Omitted if unknown. */
  mediaType?: string
  metadata?: Metadata
}

/** A piece of text. */
export interface A2aV1TextPart extends PartFields {
  text: string
}

/** Bytes, inline. */
export interface A2aV1RawPart extends PartFields {
  /** The bytes in standard Base64, padded. */
  raw: string
}

/** A reference. */
export interface A2aV1UrlPart extends PartFields {
  url: string
}

/** A structured value: any JSON. */
export interface A2aV1DataPart extends PartFields {
  data: JsonValue
}

/** A part of a message or artifact: text, bytes, URL or data, by which of these members is present. */
export type A2aV1Part = A2aV1TextPart | A2aV1RawPart | A2aV1UrlPart | A2aV1DataPart

/** One message of the conversation. */
export interface A2aV1Message {
  /** Created by the sender; unique. Receivers ignore further messages with the same id. */
  messageId: string
  role: 'ROLE_USER' | 'ROLE_AGENT'
  /** Never empty. */
  parts: A2aV1Part[]
  contextId?: string
  taskId?: string
  /** Ids of earlier tasks the message refers to. */
  referenceTaskIds?: string[]
  /** URIs of the extensions used in the message. */
  extensions?: string[]
  metadata?: Metadata
}

/** The state of a task at a point in time. */
export interface A2aV1TaskStatus {
  state: A2aV1TaskState
  /** The agent's message about this state. */
  message?: A2aV1Message
  /** RFC 3339 in UTC. */
  timestamp?: string
}

/** An output of a task. */
export interface A2aV1Artifact {
  /** Unique in the task. */
  artifactId: string
  /** Never empty. */
  parts: A2aV1Part[]
  name?: string
  description?: string
  /** URIs of the extensions used in the artifact. */
  extensions?: string[]
  metadata?: Metadata
}

/** A task in its current state. */
export interface A2aV1Task {
  id: string
  contextId?: string
  status: A2aV1TaskStatus
  artifacts?: A2aV1Artifact[]
  history?: A2aV1Message[]
  metadata?: Metadata
}

/** A change of a task's state. */
export interface A2aV1TaskStatusUpdateEvent {
  taskId: string
  contextId: string
  status: A2aV1TaskStatus
  metadata?: Metadata
}

/** A new artifact, or more parts of one. */
export interface A2aV1TaskArtifactUpdateEvent {
  taskId: string
  contextId: string
  artifact: A2aV1Artifact
  /** `true`: append the parts to the artifact. Omitted: it is created or replaced. */
  append?: boolean
  /** `true`: the artifact is complete. */
  lastChunk?: boolean
  metadata?: Metadata
}

/** One item of a stream; exactly one member is present. */
export type A2aV1StreamResponse =
  | { task: A2aV1Task }
  | { message: A2aV1Message }
  | { statusUpdate: A2aV1TaskStatusUpdateEvent }
  | { artifactUpdate: A2aV1TaskArtifactUpdateEvent }
