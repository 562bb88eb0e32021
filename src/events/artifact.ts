/**
 * Artifacts: the files, records and datasets a task produces. They differ in how they are written:
 *
 *     file      file-write(0) → file-write(1) → … → complete: true
 *     dataset   dataset-write(0) → … → complete: true
 *     data      data-write                      (complete every time)
 *     any       artifact-delta                  (changes a complete version)
 *
 * All events of one artifact share an `artifactId`.
 */
import type { ArtifactChange } from './artifact-change.ts'
import type { JsonSchema, Metadata } from './metadata.ts'

/**
 * A chunk of a file.
 *
 * Name, description, media type and encoding are set on the first chunk; later chunks may repeat them.
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
  /** The artifact. All events of one artifact share the id; unique in the context. */
  artifactId: string
  /** The chunk: text or Base64, depending on `encoding`. Each chunk can be decoded by itself. */
  data: string
  /** Position of the chunk in the file, from 0, without gaps. */
  index: number
  /** Index of the last merged chunk: the event covers `index` to `indexEnd`. Defaults to `index`. */
  indexEnd?: number
  /** The `timestamp` of the last merged chunk. Defaults to `timestamp`. */
  timestampEnd?: string
  /** Whether this is the last chunk. */
  complete: boolean
  /** File name. Defaults to the `artifactId`. */
  name?: string
  /** Human-readable description of the file. */
  description?: string
  /** Media type. Defaults to `text/plain`, or to `application/octet-stream` with Base64. */
  mimeType?: string
  /** Encoding of `data` in all chunks. Defaults to `utf-8`. */
  encoding?: 'utf-8' | 'base64'
  /** Version of the artifact that the last chunk completes. Defaults to the previous version plus 1. */
  version?: number
  /** SHA-256 of the file's bytes: `sha-256:` and 64 lower-case hexadecimal digits. Only on the last chunk. */
  digest?: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Origin and expected size of the file. Omitted if unknown. */
  metadata?: FileWriteMetadata
}

/** Well-known metadata of {@link FileWriteEvent}. Set by the producer of the file. */
export interface FileWriteMetadata extends Metadata {
  /** The tool call that produced the file. Omitted if the agent produced it. */
  toolCallId?: string
  /** Expected size in bytes. A hint: the actual size may differ. Omitted if unknown. */
  totalSize?: number
}

/**
 * A complete structured record. Replaces the previous version of the record.
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
  /** The artifact. All events of one artifact share the id; unique in the context. */
  artifactId: string
  /** The record. Not validated: values are assumed to be JSON. */
  data: Record<string, unknown>
  /** Name of the record. Defaults to the previous name, or else to the `artifactId`. */
  name?: string
  /** Human-readable description of the record. */
  description?: string
  /** Version that this write creates. Defaults to the previous version plus 1. */
  version?: number
  /** Version that this write replaces; any other current version is a conflict. Omitted to replace any version. */
  expectedVersion?: number
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Origin and version of the record. Omitted if unknown. */
  metadata?: DataWriteMetadata
}

/** Well-known metadata of {@link DataWriteEvent}. Set by the producer of the record. */
export interface DataWriteMetadata extends Metadata {
  /** The tool call that produced the record. Omitted if the agent produced it. */
  toolCallId?: string
  /** Version that this write creates. Used only if the event has no `version`. */
  version?: number
}

/**
 * A batch of rows of a dataset.
 *
 * Name, description and schema are set on the first batch; later batches may repeat them.
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
  /** The artifact. All events of one artifact share the id; unique in the context. */
  artifactId: string
  /** The rows of this batch, in order. Not validated: values are assumed to be JSON. */
  rows: Record<string, unknown>[]
  /** Position of the batch, from 0, without gaps. */
  index: number
  /** Index of the last merged batch: the event covers `index` to `indexEnd`. Defaults to `index`. */
  indexEnd?: number
  /** The `timestamp` of the last merged batch. Defaults to `timestamp`. */
  timestampEnd?: string
  /** Whether this is the last batch. */
  complete: boolean
  /** Name of the dataset. Defaults to the `artifactId`. */
  name?: string
  /** Human-readable description of the dataset. */
  description?: string
  /** JSON Schema of a row. Omitted if rows have no fixed structure. */
  schema?: JsonSchema
  /** Version of the artifact that the last batch completes. Defaults to the previous version plus 1. */
  version?: number
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Origin and expected size of the dataset. Omitted if unknown. */
  metadata?: DatasetWriteMetadata
}

/** Well-known metadata of {@link DatasetWriteEvent}. Set by the producer of the dataset. */
export interface DatasetWriteMetadata extends Metadata {
  /** The tool call that produced the dataset. Omitted if the agent produced it. */
  toolCallId?: string
  /** Expected total number of rows. A hint. Omitted if unknown. */
  totalRows?: number
  /** Expected number of rows per batch. A hint. Omitted if unknown. */
  batchSize?: number
}

/**
 * Changes a complete artifact from `baseVersion` to `version`.
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
  /** The artifact to change. */
  artifactId: string
  /** The version that the change applies to; any other current version is a conflict. */
  baseVersion: number
  /** The version that the change creates. */
  version: number
  /** The change, discriminated by `type`. */
  change: ArtifactChange
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}
