/** Chunks of files and batches of datasets: their order, and what they state about the artifact. */

import type { Mutable } from '../../../core/mutable.ts'
import type { DatasetWriteEvent, DataWriteEvent, FileWriteEvent } from '../../../events/artifact.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { isEqualJson } from '../../../json/value.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { withChunk } from '../../engine/artifact-chunks.ts'
import type { A2aWriter } from './a2a-writer.ts'
import type { ArtifactRecord, ArtifactType } from './artifact-record.ts'
import { artifactRecord, beginArtifact, storeRecord } from './write-artifact.ts'

/** The record of an artifact with a chunk, which is yet to be written; `undefined` if the chunk is dropped. */
export function recordWith(
  writer: A2aWriter,
  event: ContextEvent<FileWriteEvent | DatasetWriteEvent>,
  type: ArtifactType,
): Mutable<ArtifactRecord> | undefined {
  const { artifactId } = event
  const before = artifactRecord(writer, artifactId)
  const begin = (): ArtifactRecord => {
    const record = beginArtifact(writer, artifactId, type)
    describeRecord(writer, record, event, before)
    return record
  }
  const record = withChunk(writer, event, type, before, begin, (gapped) => storeRecord(writer, gapped))
  if (record !== undefined && event.index > 0) reportChanges(writer, event, record)
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
  record.version = before?.version ?? 0
  if (event.kind !== 'file-write') return
  record.isBase64 = event.encoding === 'base64'
  record.mediaType = (event.mimeType ?? (record.isBase64 ? undefined : 'text/plain')) || undefined
}

/** Reports what a later chunk states otherwise than the first one: in A2A it is stated once. */
export function reportChanges(
  writer: A2aWriter,
  event: FileWriteEvent | DatasetWriteEvent,
  record: ArtifactRecord,
): void {
  if (writer.hasExtension) return
  const { name, description, metadata = {}, mediaType: mimeType, isBase64 } = record
  const known = { name, description, metadata, mimeType, encoding: isBase64 ? 'base64' : 'utf-8' }
  for (const [field, value] of Object.entries(known)) {
    const stated = (event as unknown as Fields)[field]
    if (stated !== undefined && !isEqualJson(stated, value))
      writer.lossy(field, `Only the first chunk states ${field}.`)
  }
}
