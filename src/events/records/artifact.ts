/** The kinds about artifacts: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import { schemaOf } from '../../core/schema.ts'
import type { ArtifactDeltaEvent, DatasetWriteEvent, DataWriteEvent, FileWriteEvent } from '../artifact.ts'
import type { ArtifactChange, JsonPatchOperation } from '../artifact-change.ts'
import { anyObject, count, id, maybe, metadata, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'

const jsonPatchOperation = schemaOf<JsonPatchOperation>()(
  open({
    op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']),
    path: z.string(),
    from: maybe(z.string()),
    value: maybe(z.unknown()),
  }),
)

const artifactChange = schemaOf<ArtifactChange>()(
  z.discriminatedUnion('type', [
    open({ type: z.literal('json-patch'), patch: z.array(jsonPatchOperation) }),
    open({ type: z.literal('merge-patch'), patch: anyObject }),
    open({ type: z.literal('text-append'), text: z.string() }),
    open({ type: z.literal('rows-append'), rows: z.array(anyObject) }),
  ]),
)

export const artifactKinds: KindRecords<
  FileWriteEvent | DataWriteEvent | DatasetWriteEvent | ArtifactDeltaEvent
> = {
  'file-write': {
    schema: schemaOf<FileWriteEvent>()(
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
    ),
    series: { name: 'artifact', key: 'artifactId', until: 'complete' },
    backpressure: { merge: 'append' },
    redaction: null,
  },
  'data-write': {
    schema: schemaOf<DataWriteEvent>()(
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
    ),
    backpressure: { merge: 'replace' },
    redaction: null,
  },
  'dataset-write': {
    schema: schemaOf<DatasetWriteEvent>()(
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
        metadata: maybe(
          metadata({ toolCallId: maybe(id), totalRows: maybe(count), batchSize: maybe(count) }),
        ),
      }),
    ),
    series: { name: 'artifact', key: 'artifactId', until: 'complete' },
    backpressure: { merge: 'append' },
    redaction: null,
  },
  'artifact-delta': {
    schema: schemaOf<ArtifactDeltaEvent>()(
      open({
        kind: z.literal('artifact-delta'),
        artifactId: id,
        baseVersion: count,
        version: count,
        change: artifactChange,
        timestamp,
      }),
    ),
    backpressure: { merge: 'append' },
    redaction: null,
  },
}
