/** The current state of an artifact: its complete version, and the one being written. */

import type { JsonSchema, Metadata } from '../../events/metadata.ts'
import type { Audience } from '../access/audience.ts'

/** An artifact. */
export interface ArtifactView {
  /** The id of the artifact, unique in the context. */
  readonly artifactId: string
  /** The context it belongs to. */
  readonly contextId: string
  /** The task that wrote to it last. */
  readonly taskId: string
  /** Whether it is a file of text or bytes, a record, or a dataset of rows. */
  readonly type: 'file' | 'data' | 'dataset'
  /** Who may see it: what all `metadata.audience` of its events allow. Omitted: no event has such a label. */
  readonly audience?: readonly Audience[]
  /** Display name. If omitted, show the id. */
  readonly name?: string
  /** What the artifact is, for people. Omitted if unknown. */
  readonly description?: string
  /** Media type of a file. Defaults to `text/plain`, or `application/octet-stream` for Base64. */
  readonly mimeType?: string
  /** JSON Schema of a dataset's rows. Omitted if unknown. */
  readonly schema?: JsonSchema
  /** The metadata of all writes, merged: the latest value of each key, without `audience`. Omitted if there is none. */
  readonly metadata?: Metadata
  /** The current version. Omitted before the first version is complete. */
  readonly committed?: ArtifactVersion
  /**
   * The number of the current version, if it is a later one than `committed`: patches led to it that were not applied,
   * because the view had no {@link ViewFeatures.artifactPatches}. Omitted: `committed` is current.
   */
  readonly latestVersion?: number
  /** The version that is being written. Omitted if there is none. */
  readonly pending?: PendingVersion
}

/** A complete version of an artifact. */
export interface ArtifactVersion {
  /** The version number. Counted from 1 unless events set it. */
  readonly version: number
  /** The content of this version. */
  readonly content: ArtifactContent
  /** Verified `sha-256:<hex>` of a file's bytes. Omitted if unknown, or changed since by a delta. */
  readonly digest?: string
}

/** A version of an artifact that is being written. */
export interface PendingVersion {
  /** The task of the last chunk. When it ends, an incomplete version is abandoned. */
  readonly taskId: string
  /** The version number it will have. Defaults to the current version plus 1. */
  readonly version?: number
  /** The content so far. */
  readonly content: FileText | FileBytes | DatasetRows
  /** The index of the next chunk. */
  readonly nextIndex: number
  /** Why the version can no longer be completed. Omitted if it can. */
  readonly fault?: 'gap' | 'bad-base64'
}

/** The content of an artifact. Narrow it by `type`. */
export type ArtifactContent = FileText | FileBytes | DataRecord | DatasetRows

/** A file of text. */
export interface FileText {
  readonly type: 'text'
  /** The text of the file. */
  readonly text: string
}

/** A file of bytes. */
export interface FileBytes {
  readonly type: 'bytes'
  /** The bytes in Base64. Of a pending version, only whole groups of 3 bytes. */
  readonly base64: string
  /** The last 1 or 2 bytes of a pending version in Base64. Omitted if there are none. */
  readonly rest?: string
}

/** A record. */
export interface DataRecord {
  readonly type: 'data'
  /** The record, with all changes applied. */
  readonly data: Record<string, unknown>
}

/** The rows of a dataset. */
export interface DatasetRows {
  readonly type: 'rows'
  /** The rows, in order. */
  readonly rows: readonly Record<string, unknown>[]
}
