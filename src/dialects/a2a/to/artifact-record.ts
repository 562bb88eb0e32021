/** What `toA2a` stores of each artifact: enough to append to it and to include it in a snapshot. */

import type { JsonValue } from '../../../core/json-value.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { Artifact, Part } from '../wire/model.ts'

/** The content of an artifact; fixed when it is created. */
export type ArtifactType = 'content' | 'file' | 'link' | 'data' | 'dataset'

/** One artifact as it was written. */
export interface ArtifactRecord {
  /** The `artifactId` of the events; `''` for the content of the task. */
  readonly key: string
  /** The `artifactId` in A2A. */
  readonly id: string
  /** Its position among all artifacts of the task, from 0. */
  readonly order: number
  readonly type: ArtifactType
  /** The `contentId` of content. Omitted for the text without one. */
  readonly contentId?: string
  readonly name?: string
  readonly description?: string
  readonly mediaType?: string
  readonly metadata?: Metadata
  /** Whether the chunks of a file are Base64 rather than text. */
  readonly isBase64?: boolean
  /** Index of the next delta, chunk or batch. */
  readonly nextIndex: number
  /** The unpaired high surrogate at the end of the text so far; otherwise empty. */
  readonly pendingSurrogate: string
  /** Whether anything was written to it in A2A. */
  readonly isWritten: boolean
  /** Whether it is complete: nothing may be added under its id. */
  readonly isComplete: boolean
  /** Time of the event that completed it. The same event again is a repetition. */
  readonly completedAt?: string
  /**
   * Everything written, as one string, so that appending is cheap: text as it is, or one line per part with
   * the Base64 of a chunk or the JSON of a batch. Omitted if too large to store.
   */
  readonly body?: string
}

/**
 * The most characters all bodies of a task may have together. An artifact beyond that is still written, but
 * left out of snapshots.
 */
export const MAX_BODY_LENGTH: number = 32 * 1024 * 1024

/** The whole artifact, in as few parts as possible. */
export function toArtifact(record: ArtifactRecord): Artifact {
  const { id: artifactId, name, description, metadata } = record
  return {
    artifactId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    parts: partsOf(record),
    ...(metadata !== undefined && { metadata: structuredClone(metadata) }),
  }
}

/** All parts of the artifact. */
export function partsOf(record: ArtifactRecord): Part[] {
  const body = record.body ?? ''
  switch (record.type) {
    case 'content':
      return [{ type: 'text', text: body }]
    case 'file':
      return body.split('\n').map((bytes) => ({ type: 'raw', bytes, ...fileFields(record) }))
    case 'link':
      return [{ type: 'url', url: body, ...fileFields(record) }]
    default:
      return body.split('\n').map((json) => ({ type: 'data', data: JSON.parse(json) as JsonValue }))
  }
}

/** The fields of each file part besides its content. */
export function fileFields({ name, mediaType }: ArtifactRecord): { name?: string; mediaType?: string } {
  return { ...(name !== undefined && { name }), ...(mediaType !== undefined && { mediaType }) }
}

/** The text one part adds to the body. */
export function toBody(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'raw':
      return part.bytes
    case 'url':
      return part.url
    case 'data':
      return JSON.stringify(part.data)
  }
}
