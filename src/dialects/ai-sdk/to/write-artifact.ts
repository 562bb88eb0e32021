/** Maps artifacts to chunks: each time as a whole, as a part replaces the one before. */

import { boundedDelete, boundedEntries, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { appendBase64, textToBase64 } from '../../../encoding/base64.ts'
import type { DatasetWriteEvent, DataWriteEvent, FileWriteEvent } from '../../../events/artifact.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { extentOf } from '../../../json/extent.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import { forgetChange } from '../../engine/artifact-changes.ts'
import { valuesOf, withLines } from '../../shared/json-lines.ts'
import { artifactChunkType, type UiFileData } from '../wire/data-parts.ts'
import { toProviderMetadata } from '../wire/provider-metadata.ts'
import type { FileChunk } from '../wire/types.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { type ArtifactRecord, MAX_BODY } from './state.ts'

type Chunked = ContextEvent<FileWriteEvent> | ContextEvent<DatasetWriteEvent>

/** The media type of the address of a file. */
export const LINK_TYPE = 'text/uri-list'

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
  isBase64: false,
  version: 0,
  nextIndex: 0,
  isComplete: false,
  body: '',
  data: null,
  rest: '',
  sentLength: 0,
}

/** The record that a chunk continues or begins; `undefined` if chunks are missing. */
function recordFor(
  writer: ChunkWriter,
  event: Chunked,
  type: 'file' | 'dataset',
): ArtifactRecord | undefined {
  const { kind, artifactId, index, name, description } = event
  const known = boundedGet(writer.state.artifacts, artifactId)
  // A file cannot go on as a dataset.
  if (index > 0 && (known?.type !== type || known.nextIndex !== index)) {
    const expected = known?.type !== type || known.isComplete ? 0 : known.nextIndex
    writer.diagnostic('gap', `Expected index ${expected}, got ${index}.`, {
      path: '/index',
      detail: artifactId,
    })
    writer.dropped(kind, 'out-of-order', `Chunks of artifact ${describeValue(artifactId)} are missing.`)
    return undefined
  }
  const title = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
  if (index > 0 && known !== undefined) return { ...known, ...title }
  const chunkType = type === 'file' ? 'data-file' : chunkTypeOf(writer, event, known)
  const before = known?.name === undefined ? {} : { name: known.name }
  return { ...blank, type, chunkType, ...before, ...title, version: known?.version ?? 0 }
}

/** Where a record is after a chunk. */
function progressOf(
  { index, indexEnd = index, complete, version }: Chunked,
  known: ArtifactRecord,
): Pick<ArtifactRecord, 'nextIndex' | 'isComplete' | 'version'> {
  if (!complete) return { nextIndex: indexEnd + 1, isComplete: false, version: known.version }
  return { nextIndex: -1, isComplete: true, version: version ?? known.version + 1 }
}

/** Emits `file` when the file is complete, and transient `data-file` before. */
export function writeFileWrite(writer: ChunkWriter, event: ContextEvent<FileWriteEvent>): void {
  const { kind, artifactId, data, index, complete, encoding, metadata } = event
  const known = recordFor(writer, event, 'file')
  if (known === undefined) return
  const { body, rest } = known
  const isBase64 = index === 0 ? encoding === 'base64' : known.isBase64
  const pieces = isBase64 ? appendBase64({ base64: body, rest }, data) : { base64: body + data, rest: '' }
  if (pieces === undefined) {
    writer.dropped(kind, 'invalid-content', 'The chunk is not Base64.')
    setArtifact(writer, artifactId, { ...known, nextIndex: -1 })
    return
  }
  const { base64, rest: left = '' } = pieces
  if (isTooLarge(writer, event, base64.length)) return
  const media = event.mimeType ?? known.mimeType
  const record: ArtifactRecord = {
    ...known,
    ...progressOf(event, known),
    isBase64,
    ...(media !== undefined && { mimeType: media }),
    body: complete ? base64 + left : base64,
    rest: complete ? '' : left,
  }
  setArtifact(writer, artifactId, record)
  if (complete) sendFile(writer, artifactId, record, metadata?.aiSdk, metadata?.mimeType)
  else {
    const { name, body } = record
    const titled = { artifactId, ...(name !== undefined && { name }) }
    const sent: UiFileData = { ...titled, mediaType: mediaTypeOf(record), length: body.length }
    writer.send({ type: 'data-file', id: artifactId, data: sent, transient: true })
  }
}

/** Reports the files that are not complete when the task or stream ends: their content is not sent. */
export function reportUnwritten(writer: ChunkWriter): void {
  if (writer.hasExtension) return
  for (const [artifactId, record] of boundedEntries(writer.state.artifacts)) {
    const { type, isComplete, name, description } = record
    if (type !== 'file' || isComplete) continue
    const detail = cleanObject({ reason: 'no-equivalent', artifactId, name, description })
    writer.diagnostic('dropped:file-write', 'The file is not complete.', { detail })
  }
}

/** Emits the whole file. */
export function sendFile(
  writer: ChunkWriter,
  artifactId: string,
  record: ArtifactRecord,
  carried?: unknown,
  linkedType?: unknown,
): void {
  const isReasoning = isFields(carried) && carried.type === 'reasoning-file' && writer.version === 7
  const chunk = toFileChunk(artifactId, record, carried, linkedType)
  writer.send(isReasoning ? { ...chunk, type: 'reasoning-file' } : chunk)
}

/** The chunk of a whole file. */
function toFileChunk(
  artifactId: string,
  file: ArtifactRecord,
  carried: unknown,
  linkedType: unknown,
): FileChunk {
  const { name, description, isBase64, body, mimeType } = file
  const mediaType = mediaTypeOf(file)
  const own = {
    artifactId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(!isBase64 && { encoding: 'utf-8' }),
    ...(mimeType === undefined && { hasMimeType: false }),
  }
  const providerMetadata = toProviderMetadata(own, carried) ?? {}
  if (mimeType === LINK_TYPE && !isBase64 && /^\S+$/.test(body)) {
    const linked = typeof linkedType === 'string' ? linkedType : 'application/octet-stream'
    return { type: 'file', url: body, mediaType: linked, providerMetadata }
  }
  const base64 = isBase64 ? body : textToBase64(body)
  return { type: 'file', url: `data:${mediaType};base64,${base64}`, mediaType, providerMetadata }
}

function mediaTypeOf({ mimeType, isBase64 }: ArtifactRecord): string {
  return mimeType ?? (isBase64 ? 'application/octet-stream' : 'text/plain')
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
  setArtifact(writer, artifactId, { ...known, ...progressOf(event, known), body, sentLength })
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
  writer.state.artifacts = writer.store(writer.state.artifacts, artifactId, record)
}
