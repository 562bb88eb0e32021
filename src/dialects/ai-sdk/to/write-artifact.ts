/** Maps artifacts to chunks: each time as a whole, as a part replaces the one before. */

import { boundedDelete, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { DatasetWriteEvent, DataWriteEvent, FileWriteEvent } from '../../../events/artifact.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { extentOf } from '../../../json/extent.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { forgetChange } from '../../engine/artifact-changes.ts'
import { noChunks, withChunk } from '../../engine/artifact-chunks.ts'
import { valuesOf, withLines } from '../../shared/json-lines.ts'
import { stored } from '../../shared/stored.ts'
import { artifactChunkType } from '../wire/data-parts.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { type ArtifactRecord, MAX_BODY } from './state.ts'

type Chunked = ContextEvent<FileWriteEvent> | ContextEvent<DatasetWriteEvent>

/** The type of the chunks of an artifact: it keeps that of its first name. */
function chunkTypeOf(
  writer: ChunkWriter,
  { artifactId, name = artifactId }: { artifactId: string; name?: string },
  known: ArtifactRecord | undefined,
): `data-${string}` {
  const type = known?.chunkType ?? artifactChunkType(name)
  if (type !== `data-${name}`) writer.lossy('name', `The part has the type ${describeValue(type)}.`)
  return type
}

/** Emits `data-<name>` with the record. */
export function writeDataWrite(writer: ChunkWriter, event: ContextEvent<DataWriteEvent>): void {
  const { artifactId, data, version, metadata } = event
  const known = boundedGet(writer.state.artifacts, artifactId)
  const chunkType = chunkTypeOf(writer, event, known)
  const copy = cleanObject(data)
  if (isTooLarge(writer, event, extentOf(copy)?.size ?? 0)) return
  writer.send({ type: chunkType, id: artifactId, data })
  setArtifact(writer, artifactId, {
    ...blank,
    type: 'data',
    chunkType,
    version: version ?? metadata?.version ?? (known?.version ?? 0) + 1,
    isComplete: true,
    data: copy,
  })
  forgetChange(writer, artifactId)
}

/** What a record has before its first chunk. */
const blank = {
  ...noChunks,
  isBase64: false,
  body: '',
  data: null,
  rest: '',
  sentLength: 0,
}

/** The record of an artifact with a chunk, whose content is yet to be added; `undefined` if the chunk is dropped. */
export function recordFor(
  writer: ChunkWriter,
  event: Chunked,
  type: 'file' | 'dataset',
): ArtifactRecord | undefined {
  const { artifactId, name, description } = event
  const before = boundedGet(writer.state.artifacts, artifactId)
  const begin = (): ArtifactRecord => ({
    ...blank,
    type,
    chunkType: type === 'file' ? 'data-file' : chunkTypeOf(writer, event, before),
    name: before?.name,
    version: before?.version ?? 0,
  })
  const titled = (record: ArtifactRecord): ArtifactRecord => ({
    ...record,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  })
  const record = withChunk(writer, event, type, before, begin, (gapped) =>
    setArtifact(writer, artifactId, titled(gapped)),
  )
  return record && titled(record)
}

/** Emits `data-<name>` with all rows so far: with every batch if they are few, otherwise when they have grown by a quarter. */
export function writeDatasetWrite(writer: ChunkWriter, event: ContextEvent<DatasetWriteEvent>): void {
  const { artifactId, rows, complete } = event
  const known = recordFor(writer, event, 'dataset')
  if (known === undefined) return
  const body = withLines(known.body, rows)
  if (isTooLarge(writer, event, body.length)) return
  const isDue = complete || body.length < 1024 || body.length >= known.sentLength * 1.25
  const sentLength = isDue ? body.length : known.sentLength
  setArtifact(writer, artifactId, { ...known, body, sentLength })
  if (isDue) writer.send({ type: known.chunkType, id: artifactId, data: valuesOf(body) })
}

/** Reports and forgets an artifact that is too large to be sent as a whole. */
export function isTooLarge(
  writer: ChunkWriter,
  { kind, artifactId }: { readonly kind: string; readonly artifactId: string },
  length: number,
): boolean {
  if (length <= MAX_BODY) return false
  const message = `The artifact has more than ${MAX_BODY} characters.`
  writer.dropped(kind, 'invalid-content', message)
  writer.state.artifacts = boundedDelete(writer.state.artifacts, artifactId)
  return true
}

/** Stores an artifact. */
export function setArtifact(writer: ChunkWriter, artifactId: string, record: ArtifactRecord): void {
  writer.state.artifacts = stored(writer, writer.state.artifacts, artifactId, record, 'artifacts')
}
