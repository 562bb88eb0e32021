/** An artifact as it stands: what is complete, and what is being written. */
import type { JsonSchema, Metadata } from '../../events/fields.ts'
import { type List, listItems } from '../collections/list.ts'

/** An artifact. */
export interface ArtifactView {
  /** Names the artifact; unique in the context. */
  readonly artifactId: string
  /** The context it belongs to. */
  readonly contextId: string
  /** The task that wrote to it last. */
  readonly taskId: string
  /** What it consists of: a file of text or bytes, a record, or rows. */
  readonly type: 'file' | 'data' | 'dataset'
  /** Name, description and so on, as far as they are told. */
  readonly about: ArtifactMetadata
  /** The version that is complete. Absent: none is yet. */
  readonly committed?: ArtifactVersion
  /** The version that is being written. Absent: none is. */
  readonly writing?: PendingVersion
}

/** What is told of an artifact besides its content. */
export interface ArtifactMetadata {
  /** Absent: its id serves. */
  readonly name?: string
  /** What the artifact is, for people. Absent: not told. */
  readonly description?: string
  /** Media type of a file. Absent: `text/plain`, or `application/octet-stream` with Base64. */
  readonly mimeType?: string
  /** JSON Schema of a dataset's rows. */
  readonly schema?: JsonSchema
  /** All that was told in metadata, the latest of each key. Absent: nothing. */
  readonly metadata?: Metadata
}

/** A version that is complete. */
export interface ArtifactVersion {
  /** From 1 where no event says otherwise. */
  readonly version: number
  /** What the artifact consists of in this version. */
  readonly content: ArtifactContent
  /** `sha-256:<hex>` over a file's bytes, which has been checked. Absent: not told, or changed since. */
  readonly digest?: string
}

/** A version that is being written. */
export interface PendingVersion extends ArtifactVersionHint {
  /** The task that wrote the last chunk: with its end, what is not complete is given up. */
  readonly taskId: string
  /** What there is of it so far. */
  readonly content: FileText | FileBytes | DatasetRows
  /** The index that comes next. */
  readonly next: number
  /** Why it can not be completed any more. Absent: it can. */
  readonly fault?: 'gap' | 'bad-base64'
}

interface ArtifactVersionHint {
  /** The version it will be. Absent: one more than what is complete. */
  readonly version?: number
}

/** What an artifact consists of. Narrow it by `type`. */
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
  /** The bytes in Base64. While they are being written, whole groups of three only. */
  readonly base64: string
  /** The one or two bytes that do not make a group yet, in Base64. Absent: none, or all are there. */
  readonly rest?: string
}

/** A record. */
export interface DataRecord {
  readonly type: 'data'
  /** The record, with all changes applied. */
  readonly data: Record<string, unknown>
}

/** Rows. Read them with {@link rowsOf}. */
export interface DatasetRows {
  readonly type: 'rows'
  /** The rows, in order, in a list that grows cheaply. */
  readonly rows: List<Record<string, unknown>>
}

/** The rows of a dataset, in order, as an array of one's own. */
export function rowsOf(content: DatasetRows): Record<string, unknown>[] {
  return listItems(content.rows)
}
