/**
 * A2A 1.0 in its own words: the canonical JSON of its protocol buffers. Flags that are `false` and
 * lists that are empty are left out.
 *
 * @see https://a2a-protocol.org/v1.0.0/specification/
 */

import type { JsonValue } from '../../../core/schema.ts'
import type { Metadata } from '../../../events/fields.ts'

/**
 * Where a task stands. Terminal are `TASK_STATE_COMPLETED`, `TASK_STATE_FAILED`,
 * `TASK_STATE_CANCELED` and `TASK_STATE_REJECTED`.
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

/** What every part may say besides its content. */
interface PartFacts {
  /** File name. Absent: none. */
  filename?: string
  /** Media type. Absent: not told. */
  mediaType?: string
  metadata?: Metadata
}

/** A piece of text. */
export interface A2aV1TextPart extends PartFacts {
  text: string
}

/** Bytes, inline. */
export interface A2aV1RawPart extends PartFacts {
  /** The bytes in standard Base64, padded. */
  raw: string
}

/** A reference. */
export interface A2aV1UrlPart extends PartFacts {
  url: string
}

/** A structured value: any JSON. */
export interface A2aV1DataPart extends PartFacts {
  data: JsonValue
}

/** What messages and artifacts are made of; the content member tells them apart. */
export type A2aV1Part = A2aV1TextPart | A2aV1RawPart | A2aV1UrlPart | A2aV1DataPart

/** One turn of the conversation. */
export interface A2aV1Message {
  /** Made by the sender; unique. Receivers keep only the first message of an id. */
  messageId: string
  role: 'ROLE_USER' | 'ROLE_AGENT'
  /** Never empty. */
  parts: A2aV1Part[]
  contextId?: string
  taskId?: string
  /** Earlier tasks this message refers to. */
  referenceTaskIds?: string[]
  /** URIs of the extensions used in the message. */
  extensions?: string[]
  metadata?: Metadata
}

/** The state of a task at a time. */
export interface A2aV1TaskStatus {
  state: A2aV1TaskState
  /** What the agent says to this state. */
  message?: A2aV1Message
  /** RFC 3339 in UTC. */
  timestamp?: string
}

/** Something a task makes. */
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

/** A task as it stands. */
export interface A2aV1Task {
  id: string
  contextId?: string
  status: A2aV1TaskStatus
  artifacts?: A2aV1Artifact[]
  history?: A2aV1Message[]
  metadata?: Metadata
}

/** A task changes its state. */
export interface A2aV1TaskStatusUpdateEvent {
  taskId: string
  contextId: string
  status: A2aV1TaskStatus
  metadata?: Metadata
}

/** A task makes an artifact, or adds to one. */
export interface A2aV1TaskArtifactUpdateEvent {
  taskId: string
  contextId: string
  artifact: A2aV1Artifact
  /** `true`: the parts are added to the artifact. Absent: it is created or replaced. */
  append?: boolean
  /** `true`: the artifact is finished. */
  lastChunk?: boolean
  metadata?: Metadata
}

/** What a stream consists of; exactly one member is present. */
export type A2aV1StreamResponse =
  | { task: A2aV1Task }
  | { message: A2aV1Message }
  | { statusUpdate: A2aV1TaskStatusUpdateEvent }
  | { artifactUpdate: A2aV1TaskArtifactUpdateEvent }
