/**
 * Artifacts: what a task leaves behind. Three kinds of them, by how they are written:
 *
 *     file      file-write(0) → file-write(1) → … → complete: true
 *     dataset   dataset-write(0) → … → complete: true
 *     data      data-write                      (whole every time)
 *     any       artifact-delta                  (a change of a version that is complete)
 *
 * All events of one artifact share an `artifactId`.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../core/schema.ts'
import { type ArtifactChange, artifactChange } from './artifact-change.ts'
import {
  anyObject,
  count,
  id,
  type JsonSchema,
  type Metadata,
  maybe,
  metadata,
  open,
  timestamp,
} from './fields.ts'

/**
 * A chunk of a file.
 *
 * Name, description, type and encoding belong to the first chunk; a producer that repeats them
 * later is tolerated.
 *
 * @see docs/spec/internal-event-protocol.md#artifact-events
 * @example base64
 * ```json
 * {
 *   "kind": "file-write",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "artifactId": "artifact-chart",
 *   "data": "iVBORw0KGgo=",
 *   "index": 0,
 *   "complete": true,
 *   "name": "chart.png",
 *   "mimeType": "image/png",
 *   "encoding": "base64",
 *   "timestamp": "2026-03-14T08:01:21Z"
 * }
 * ```
 */
export interface FileWriteEvent {
  kind: 'file-write'
  /** Names the artifact; all events of one artifact share it. Unique in the context. */
  artifactId: string
  /** Text, or the bytes of this chunk in Base64, by `encoding`. Each chunk decodes by itself. */
  data: string
  /** Position in the file, from 0, without gaps. */
  index: number
  /** Set when several chunks were merged: this one covers `index` to `indexEnd`. Absent: just `index`. */
  indexEnd?: number
  /** The `timestamp` of the last of the merged chunks; set by whoever merges. Absent: the same as `timestamp`. */
  timestampEnd?: string
  /** Whether this is the last chunk. */
  complete: boolean
  /** File name. Absent on the first chunk: the `artifactId`. */
  name?: string
  /** What the file is, for people. */
  description?: string
  /** Media type. Absent on the first chunk: `text/plain`, or `application/octet-stream` with Base64. */
  mimeType?: string
  /** How `data` is to be read, for all chunks. Absent on the first chunk: `utf-8`. */
  encoding?: 'utf-8' | 'base64'
  /** Version of the artifact that is complete with the last chunk. Absent: one more than before. */
  version?: number
  /** On the last chunk: `sha-256:` and 64 lower-case hexadecimal digits, over the file's bytes. */
  digest?: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** Where the file comes from, and how large it will be. Absent: not told. */
  metadata?: FileWriteMetadata
}

/** Well-known metadata of {@link FileWriteEvent}; set by whoever writes the file. */
export interface FileWriteMetadata extends Metadata {
  /** The tool call that made the file. Absent: the agent did. */
  toolCallId?: string
  /** Size to expect, in bytes. A hint: the file may end up larger or smaller. */
  totalSize?: number
}

export const fileWriteEventSchema: Schema<FileWriteEvent> = schemaOf<FileWriteEvent>()(
  open({
    kind: z.literal('file-write'),
    artifactId: id,
    data: z.string(),
    index: count,
    indexEnd: maybe(count),
    timestampEnd: maybe(timestamp),
    complete: z.boolean(),
    name: maybe(z.string()),
    description: maybe(z.string()),
    mimeType: maybe(z.string()),
    encoding: maybe(z.enum(['utf-8', 'base64'])),
    version: maybe(count),
    digest: maybe(z.string().check(z.regex(/^sha-256:[0-9a-f]{64}$/))),
    timestamp,
    metadata: maybe(metadata({ toolCallId: maybe(id), totalSize: maybe(count) })),
  }),
)

/**
 * A structured record, whole. Writing it again replaces it.
 *
 * @see docs/spec/internal-event-protocol.md#artifact-events
 * @example full
 * ```json
 * {
 *   "kind": "data-write",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "artifactId": "artifact-boat",
 *   "name": "boat",
 *   "description": "The boat as its owner describes it",
 *   "data": {
 *     "id": 77,
 *     "name": "Lark",
 *     "draught": 1.6,
 *     "equipment": {
 *       "radar": true,
 *       "ais": false
 *     },
 *     "notes": null
 *   },
 *   "version": 1,
 *   "timestamp": "2026-03-14T08:00:30Z",
 *   "metadata": {
 *     "toolCallId": "call-boat-1",
 *     "version": 1
 *   }
 * }
 * ```
 */
export interface DataWriteEvent {
  kind: 'data-write'
  /** Names the artifact; all events of one artifact share it. Unique in the context. */
  artifactId: string
  /** The record. Values are trusted to be JSON and never walked. */
  data: Record<string, unknown>
  /** Absent: the `artifactId`, or as it was. */
  name?: string
  /** What the record is, for people. */
  description?: string
  /** Version this write makes. Absent: one more than before. */
  version?: number
  /** Version this write replaces; another current version is a conflict. Absent: whichever there is. */
  expectedVersion?: number
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** Where the record comes from, and its version. Absent: not told. */
  metadata?: DataWriteMetadata
}

/** Well-known metadata of {@link DataWriteEvent}; set by whoever writes the record. */
export interface DataWriteMetadata extends Metadata {
  /** The tool call that made the record. Absent: the agent did. */
  toolCallId?: string
  /** Version this write makes, where the event itself has none. */
  version?: number
}

export const dataWriteEventSchema: Schema<DataWriteEvent> = schemaOf<DataWriteEvent>()(
  open({
    kind: z.literal('data-write'),
    artifactId: id,
    data: anyObject,
    name: maybe(z.string()),
    description: maybe(z.string()),
    version: maybe(count),
    expectedVersion: maybe(count),
    timestamp,
    metadata: maybe(metadata({ toolCallId: maybe(id), version: maybe(count) })),
  }),
)

/**
 * A batch of rows of a dataset.
 *
 * Name, description and schema belong to the first batch; a producer that repeats them later is
 * tolerated.
 *
 * @see docs/spec/internal-event-protocol.md#artifact-events
 * @example first batch
 * ```json
 * {
 *   "kind": "dataset-write",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "artifactId": "artifact-tides",
 *   "rows": [
 *     {
 *       "at": "2026-03-15T05:58:00Z",
 *       "height": 6.4,
 *       "port": "Brest"
 *     },
 *     {
 *       "at": "2026-03-15T18:21:00Z",
 *       "height": 6.0,
 *       "port": "Brest"
 *     }
 *   ],
 *   "index": 0,
 *   "complete": false,
 *   "name": "tides",
 *   "description": "High waters of the week",
 *   "schema": {
 *     "type": "object",
 *     "properties": {
 *       "at": {
 *         "type": "string",
 *         "format": "date-time"
 *       },
 *       "height": {
 *         "type": "number"
 *       },
 *       "port": {
 *         "type": "string"
 *       }
 *     }
 *   },
 *   "timestamp": "2026-03-14T08:00:40.100Z",
 *   "metadata": {
 *     "toolCallId": "call-tides-1",
 *     "totalRows": 14,
 *     "batchSize": 2
 *   }
 * }
 * ```
 */
export interface DatasetWriteEvent {
  kind: 'dataset-write'
  /** Names the artifact; all events of one artifact share it. Unique in the context. */
  artifactId: string
  /** The rows of this batch, in order. Values are trusted to be JSON and never walked. */
  rows: Record<string, unknown>[]
  /** Position of the batch, from 0, without gaps. */
  index: number
  /** Set when several batches were merged: this one covers `index` to `indexEnd`. Absent: just `index`. */
  indexEnd?: number
  /** The `timestamp` of the last of the merged batches; set by whoever merges. Absent: the same as `timestamp`. */
  timestampEnd?: string
  /** Whether this is the last batch. */
  complete: boolean
  /** Absent on the first batch: the `artifactId`. */
  name?: string
  /** What the dataset is, for people. */
  description?: string
  /** JSON Schema of a row. Absent: rows have no fixed shape. */
  schema?: JsonSchema
  /** Version of the artifact that is complete with the last batch. Absent: one more than before. */
  version?: number
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** Where the dataset comes from, and how much to expect. Absent: not told. */
  metadata?: DatasetWriteMetadata
}

/** Well-known metadata of {@link DatasetWriteEvent}; set by whoever writes the dataset. */
export interface DatasetWriteMetadata extends Metadata {
  /** The tool call that made the dataset. Absent: the agent did. */
  toolCallId?: string
  /** Rows to expect in all. A hint. */
  totalRows?: number
  /** Rows to expect in each batch. A hint. */
  batchSize?: number
}

export const datasetWriteEventSchema: Schema<DatasetWriteEvent> = schemaOf<DatasetWriteEvent>()(
  open({
    kind: z.literal('dataset-write'),
    artifactId: id,
    rows: z.array(anyObject),
    index: count,
    indexEnd: maybe(count),
    timestampEnd: maybe(timestamp),
    complete: z.boolean(),
    name: maybe(z.string()),
    description: maybe(z.string()),
    schema: maybe(anyObject),
    version: maybe(count),
    timestamp,
    metadata: maybe(metadata({ toolCallId: maybe(id), totalRows: maybe(count), batchSize: maybe(count) })),
  }),
)

/**
 * A change of an artifact that is complete: from `baseVersion` to `version`.
 *
 * @see docs/spec/internal-event-protocol.md#mapping-to-a2a
 * @example json patch
 * ```json
 * {
 *   "kind": "artifact-delta",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "artifactId": "artifact-boat",
 *   "baseVersion": 2,
 *   "version": 3,
 *   "change": {
 *     "type": "json-patch",
 *     "patch": [
 *       {
 *         "op": "test",
 *         "path": "/draught",
 *         "value": 1.7
 *       },
 *       {
 *         "op": "replace",
 *         "path": "/draught",
 *         "value": 1.65
 *       },
 *       {
 *         "op": "move",
 *         "from": "/notes",
 *         "path": "/remarks"
 *       },
 *       {
 *         "op": "remove",
 *         "path": "/equipment/ais"
 *       }
 *     ]
 *   },
 *   "timestamp": "2026-03-14T08:06:00Z"
 * }
 * ```
 */
export interface ArtifactDeltaEvent {
  kind: 'artifact-delta'
  /** The artifact that changes. Unique in the context. */
  artifactId: string
  /** The version the change applies to; another current version is a conflict. */
  baseVersion: number
  /** The version the change makes. */
  version: number
  /** What changes, and how. */
  change: ArtifactChange
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const artifactDeltaEventSchema: Schema<ArtifactDeltaEvent> = schemaOf<ArtifactDeltaEvent>()(
  open({
    kind: z.literal('artifact-delta'),
    artifactId: id,
    baseVersion: count,
    version: count,
    change: artifactChange,
    timestamp,
  }),
)
