/** Writing files and links. */

import type { Mutable } from '../../../core/mutable.ts'
import { canonicalBase64, textToBase64 } from '../../../encoding/base64.ts'
import type { FileWriteEvent } from '../../../events/artifact.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { afterChunk } from '../../engine/artifact-chunks.ts'
import { LINK_TYPE } from '../../shared/link.ts'
import type { A2aWriter } from './a2a-writer.ts'
import { type ArtifactRecord, fileFields, filePart } from './artifact-record.ts'
import { describeRecord, recordWith } from './chunks.ts'
import { artifactRecord, beginArtifact, storeRecord, writePart } from './write-artifact.ts'

export function writeFileWrite(writer: A2aWriter, event: ContextEvent<FileWriteEvent>): void {
  if (isLink(event)) {
    writeLink(writer, event)
    return
  }
  const before = artifactRecord(writer, event.artifactId)
  // The first chunk states the encoding of all.
  const open = before?.type === 'file' && !before.isComplete && event.index > 0 ? before : undefined
  const isBase64 = open?.isBase64 ?? event.encoding === 'base64'
  const bytes = isBase64 ? canonicalBase64(event.data) : textToBase64(event.data)
  if (bytes === undefined) {
    writer.isDropped = true
    writer.invalid([{ code: 'invalid-format', path: '/data', message: 'Expected Base64.' }])
    return
  }
  const record = recordWith(writer, event, 'file')
  if (record === undefined) return
  writeChunk(writer, event, record, bytes)
  if (!isBase64) writer.lossy('encoding', 'Text is sent as UTF-8 bytes in Base64.')
}

/** Writes a chunk. There are no empty file parts: some clients reject them. */
function writeChunk(
  writer: A2aWriter,
  event: ContextEvent<FileWriteEvent>,
  record: Mutable<ArtifactRecord>,
  bytes: string,
): void {
  if (bytes === '' && !event.complete) {
    storeRecord(writer, record)
    return
  }
  const isEnd = bytes === '' && record.isWritten
  writePart(
    writer,
    record,
    isEnd ? { type: 'text', text: '' } : filePart(record, bytes, record.isWritten),
    bytes,
    event.complete,
  )
}

function isLink({ mimeType, index, complete, encoding, data }: FileWriteEvent): boolean {
  const url = data.trim()
  return (
    mimeType === LINK_TYPE &&
    index === 0 &&
    complete &&
    encoding !== 'base64' &&
    url !== '' &&
    !/\s/.test(url)
  )
}

function writeLink(writer: A2aWriter, event: ContextEvent<FileWriteEvent>): void {
  const before = artifactRecord(writer, event.artifactId)
  const record = beginArtifact(writer, event.artifactId, 'link')
  const { mimeType } = event.metadata ?? {}
  describeRecord(writer, record, event, before)
  record.mediaType = typeof mimeType === 'string' && mimeType !== '' ? mimeType : undefined
  const url = event.data.trim()
  if (url !== event.data) writer.lossy('data', 'Only the URL is sent.')
  const written = { ...record, ...afterChunk(event, record) }
  writePart(writer, written, { type: 'url', url, ...fileFields(record) }, url, true)
}
