/** What `toA2a` stores of each artifact: enough to append to it and to include it in a snapshot. */

import type { JsonValue } from '../../../core/json-value.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { extentOf } from '../../../json/extent.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { contentOf } from '../../engine/artifact-changes.ts'
import type { ChunkedArtifact } from '../../engine/artifact-chunks.ts'
import { type Artifact, EMPTY_FILE_URL, type Part } from '../wire/model.ts'

/** The content of an artifact; fixed when it is created. */
export type ArtifactType = 'content' | 'file' | 'link' | 'data' | 'dataset'

/** One artifact as it was written. */
export interface ArtifactRecord extends ChunkedArtifact {
  /** The `artifactId` in A2A. */
  readonly id: string
  /** Its position among all artifacts of the task, from 0. */
  readonly order: number
  readonly type: ArtifactType
  readonly name: string | undefined
  readonly description: string | undefined
  readonly mediaType: string | undefined
  readonly metadata: Metadata | undefined
  /** Whether the chunks of a file are Base64 rather than text. */
  readonly isBase64: boolean
  /** Whether anything was written to it in A2A. */
  readonly isWritten: boolean
  /** The content of a record, without the changes in `body`; `null` for others. */
  readonly data: Fields | null
  /**
   * Everything written, as one string, so that appending is cheap: text as it is, or one line per part with
   * the Base64 of a chunk or the JSON of a batch. `undefined` if too large to store.
   */
  readonly body: string | undefined
}

/**
 * The most characters all bodies of a task may have together. An artifact beyond that is still written, but
 * left out of snapshots.
 */
export const MAX_BODY_LENGTH: number = 32 * 1024 * 1024

/** A copy to change. Written out, as it is made for each delta. */
export function copyRecord(record: ArtifactRecord): Mutable<ArtifactRecord> {
  return {
    id: record.id,
    order: record.order,
    type: record.type,
    name: record.name,
    description: record.description,
    mediaType: record.mediaType,
    metadata: record.metadata,
    isBase64: record.isBase64,
    version: record.version,
    nextIndex: record.nextIndex,
    isWritten: record.isWritten,
    isComplete: record.isComplete,
    first: record.first,
    at: record.at,
    data: record.data,
    body: record.body,
  }
}

/** How many characters of an artifact are stored. */
export function storedLength({ data, body }: ArtifactRecord): number {
  return (body?.length ?? 0) + (data === null ? 0 : (extentOf(data)?.size ?? 0))
}

/** The whole artifact, in as few parts as possible. */
export function toArtifact(record: ArtifactRecord): Artifact {
  return describedArtifact(record, partsOf(record))
}

/** Parts with what describes the artifact. */
export function describedArtifact(
  { id: artifactId, name, description, metadata }: ArtifactRecord,
  parts: readonly Part[],
): Artifact {
  const artifact: Mutable<Artifact> = { artifactId, parts }
  if (name !== undefined) artifact.name = name
  if (description !== undefined) artifact.description = description
  if (metadata !== undefined) artifact.metadata = structuredClone(metadata)
  return artifact
}

/** All parts of the artifact. */
function partsOf(record: ArtifactRecord): Part[] {
  const body = record.body ?? ''
  switch (record.type) {
    case 'content':
      return [{ type: 'text', text: body }]
    case 'file':
      return body === ''
        ? [filePart(record, body, false)]
        : body.split('\n').map((bytes, i) => filePart(record, bytes, i > 0))
    case 'link':
      return [{ type: 'url', url: body, ...fileFields(record) }]
    case 'data':
      return [{ type: 'data', data: cleanObject(contentOf(record).data) }]
    default:
      return body.split('\n').map((json) => ({ type: 'data', data: JSON.parse(json) as JsonValue }))
  }
}

/**
 * A chunk of a file; the whole file if it is empty. Chunks have the name of the file: two parts without one are two
 * files, unless the later one is marked.
 */
export function filePart(record: ArtifactRecord, bytes: string, isLater: boolean): Part {
  const fields = fileFields(record)
  if (bytes === '') return { type: 'url', url: EMPTY_FILE_URL, ...fields }
  const part = { type: 'raw', bytes, ...fields } as const
  return isLater && fields.name === undefined ? { ...part, isChunk: true } : part
}

/** The fields of each file part besides its content. */
export function fileFields({ name, mediaType }: ArtifactRecord): { name?: string; mediaType?: string } {
  return { ...(name !== undefined && { name }), ...(mediaType !== undefined && { mediaType }) }
}
