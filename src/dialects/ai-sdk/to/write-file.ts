/** Maps files to chunks: a file is sent when it is complete, in one piece. */

import { boundedEntries } from '../../../core/bounded-map/bounded-map.ts'
import { appendBase64, textToBase64 } from '../../../encoding/base64.ts'
import type { FileWriteEvent } from '../../../events/artifact.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import { LINK, LINK_TYPE } from '../../shared/link.ts'
import type { UiFileData } from '../wire/data-parts.ts'
import { toProviderMetadata } from '../wire/provider-metadata.ts'
import type { FileChunk } from '../wire/types.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import type { ArtifactRecord } from './state.ts'
import { isTooLarge, recordFor, setArtifact } from './write-artifact.ts'

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
    setArtifact(writer, artifactId, { ...known, nextIndex: -1, isComplete: false })
    return
  }
  const { base64, rest: left = '' } = pieces
  if (isTooLarge(writer, event, base64.length)) return
  const media = event.mimeType ?? known.mimeType
  const record: ArtifactRecord = {
    ...known,
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
  if (writer.isCarried) return
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
  // Another address is sent as text.
  if (mimeType === LINK_TYPE && !isBase64 && LINK.test(body)) {
    const linked = typeof linkedType === 'string' ? linkedType : 'application/octet-stream'
    return { type: 'file', url: body, mediaType: linked, providerMetadata }
  }
  const base64 = isBase64 ? body : textToBase64(body)
  return { type: 'file', url: `data:${mediaType};base64,${base64}`, mediaType, providerMetadata }
}

function mediaTypeOf({ mimeType, isBase64 }: ArtifactRecord): string {
  return mimeType ?? (isBase64 ? 'application/octet-stream' : 'text/plain')
}
