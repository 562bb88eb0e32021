/** Chunks of files and batches of datasets: their order, and what they state about the artifact. */

import type { Mutable } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import type { DatasetWriteEvent, DataWriteEvent, FileWriteEvent } from '../../../events/artifact.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { isEqualJson } from '../../../json/value.ts'
import type { A2aWriter } from './a2a-writer.ts'
import { type ArtifactRecord, type ArtifactType, copyRecord } from './artifact-record.ts'
import { artifactRecord, beginArtifact } from './write-artifact.ts'

/**
 * Whether a chunk continues the artifact, or starts it or another version of it. `undefined` if it is dropped, which is
 * reported, as are missing chunks.
 */
function placeOf(
  writer: A2aWriter,
  event: ContextEvent<FileWriteEvent | DatasetWriteEvent>,
  record: ArtifactRecord | undefined,
  type: ArtifactType,
  body: string,
): 'start' | 'continue' | undefined {
  const { index, kind, artifactId } = event
  const end = event.indexEnd ?? index
  const known = record?.type === type ? record : undefined
  const isRepeatedStart = index === 0 && known !== undefined && startsWith(known, body)
  if (known?.isComplete === true && (index > 0 || isRepeatedStart)) {
    if (end < known.nextIndex && (index > 0 || !isAfter(event.timestamp, known.completedAt))) {
      writer.dropped(kind, 'repeated', `Artifact ${describeValue(artifactId)} is complete.`)
      return undefined
    }
    if (index > 0) {
      writer.dropped(kind, 'out-of-order', `Expected index 0 after the end of the artifact, got ${index}.`)
      return undefined
    }
    return 'start'
  }
  if (known === undefined || known.isComplete || (index === 0 && !isRepeatedStart)) {
    if (index > 0) writer.diagnostic('gap', `Expected index 0, got ${index}.`)
    return 'start'
  }
  const message = `Expected index ${known.nextIndex}, got ${index}.`
  if (end < known.nextIndex) {
    writer.dropped(kind, 'repeated', message)
    return undefined
  }
  if (index > known.nextIndex) writer.diagnostic('gap', message)
  return 'continue'
}

/** Whether the artifact starts with this chunk: a repetition, not a new start. */
function startsWith({ body }: ArtifactRecord, chunk: string): boolean {
  return body === undefined || body === chunk || body.startsWith(`${chunk}\n`)
}

function isAfter(timestamp: string, other: string | undefined): boolean {
  return other === undefined || Date.parse(timestamp) > Date.parse(other)
}

/** The record of an artifact with a chunk, which is yet to be written; `undefined` if the chunk is dropped. */
export function withChunk(
  writer: A2aWriter,
  event: ContextEvent<FileWriteEvent | DatasetWriteEvent>,
  type: ArtifactType,
  body: string,
): Mutable<ArtifactRecord> | undefined {
  const { artifactId, index, indexEnd = index, complete } = event
  const before = artifactRecord(writer, artifactId)
  const place = placeOf(writer, event, before, type, body)
  if (place === undefined) return undefined
  const known = place === 'continue' ? before : undefined
  const record = known === undefined ? beginArtifact(writer, artifactId, type) : copyRecord(known)
  if (known === undefined) describeRecord(writer, record, event, before)
  else reportChanges(writer, event, record)
  record.nextIndex = indexEnd + 1
  if (complete) completeVersion(record, event)
  return record
}

/** Sets what an event states about its artifact. What it omits stays as in the version before. */
export function describeRecord(
  writer: A2aWriter,
  record: Mutable<ArtifactRecord>,
  event: FileWriteEvent | DatasetWriteEvent | DataWriteEvent,
  before: ArtifactRecord | undefined,
): void {
  const { name, description, metadata } = event
  record.name = name || before?.name
  record.description = description || before?.description
  record.metadata = writer.cleanMetadata(metadata)
  record.version = before?.version
  if (event.kind !== 'file-write') return
  record.isBase64 = event.encoding === 'base64'
  record.mediaType = (event.mimeType ?? (record.isBase64 ? undefined : 'text/plain')) || undefined
}

/** Stores that a write completes a version: the stated one, or the next one, counted from 1. */
export function completeVersion(
  record: Mutable<ArtifactRecord>,
  { version, timestamp }: { version?: number | undefined; timestamp: string },
): void {
  record.version = version ?? (record.version ?? 0) + 1
  record.isComplete = true
  record.completedAt = timestamp
}

/** Reports what a later chunk states otherwise than the first one: in A2A it is stated once. */
export function reportChanges(
  writer: A2aWriter,
  event: FileWriteEvent | DatasetWriteEvent,
  record: ArtifactRecord,
): void {
  if (writer.hasExtension) return
  const { name, description, metadata } = event
  const changed: string[] = []
  if (name !== undefined && name !== record.name) changed.push('name')
  if (description !== undefined && description !== record.description) changed.push('description')
  if (metadata !== undefined && !isEqualJson(metadata, record.metadata ?? {})) changed.push('metadata')
  if (event.kind === 'file-write') {
    if (event.mimeType !== undefined && event.mimeType !== record.mediaType) changed.push('mimeType')
    if (event.encoding !== undefined && (event.encoding === 'base64') !== record.isBase64)
      changed.push('encoding')
  }
  for (const field of changed) writer.lossy(field, `Only the first chunk states ${field}.`)
}
