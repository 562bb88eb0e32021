/** What is remembered of each artifact that was written: for what follows, and for snapshots. */

import type { JsonValue } from '../../../core/schema.ts'
import type { Metadata } from '../../../events/fields.ts'
import type { Artifact, Part } from '../wire/model.ts'

/** What an artifact consists of, which never changes. */
export type ArtifactType = 'content' | 'file' | 'link' | 'data' | 'dataset'

/** One artifact as it was written. */
export interface KeptArtifact {
  /** The `artifactId` of our events; `''` for the content of the task. */
  readonly key: string
  /** The `artifactId` in A2A. */
  readonly id: string
  /** Its place among all artifacts of the task. */
  readonly order: number
  readonly type: ArtifactType
  readonly name?: string
  readonly description?: string
  readonly mediaType?: string
  readonly metadata?: Metadata
  /** Whether the chunks of a file come as Base64 rather than as text. */
  readonly base64?: boolean
  /** Index of the next delta, chunk or batch. */
  readonly next: number
  /** The half of a character the last piece of text ended with. */
  readonly half: string
  /** Whether anything was written to it in A2A. */
  readonly written: boolean
  /** Whether it is finished: nothing may be added under this id. */
  readonly sealed: boolean
  /** Time of the event that wrote last: the same event again says nothing new. */
  readonly at?: string
  /**
   * What was written so far, as one text, so that adding to it costs nothing: text as it is, the
   * Base64 of each chunk or the JSON of each batch on a line. Absent: too large to keep.
   */
  readonly body?: string
}

/**
 * How many characters all bodies of a task may have. An artifact beyond that is still written, but
 * left out of snapshots.
 */
export const MAX_KEPT: number = 32 * 1024 * 1024

/** The artifact as a task shows it: all of it, in as few parts as that takes. */
export function keptToArtifact(kept: KeptArtifact): Artifact {
  const { id: artifactId, name, description, metadata } = kept
  return {
    artifactId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    parts: keptParts(kept),
    ...(metadata !== undefined && { metadata: structuredClone(metadata) }),
  }
}

/** All parts of the artifact. */
export function keptParts(kept: KeptArtifact): Part[] {
  const body = kept.body ?? ''
  switch (kept.type) {
    case 'content':
      return [{ type: 'text', text: body }]
    case 'file':
      return body.split('\n').map((bytes) => ({ type: 'raw', bytes, ...fileFacts(kept) }))
    case 'link':
      return [{ type: 'url', url: body, ...fileFacts(kept) }]
    default:
      return body.split('\n').map((json) => ({ type: 'data', data: JSON.parse(json) as JsonValue }))
  }
}

/** What each part of a file says besides its content. */
export function fileFacts({ name, mediaType }: KeptArtifact): { name?: string; mediaType?: string } {
  return { ...(name !== undefined && { name }), ...(mediaType !== undefined && { mediaType }) }
}

/** One part as a piece of a body. */
export function bodyOf(part: Part): string {
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
