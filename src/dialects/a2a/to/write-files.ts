/** Writing files, links, records and datasets. */

import { canonicalBase64, textToBase64 } from '../../../encoding/base64.ts'
import { splitHalf, toWellFormed } from '../../../encoding/surrogates.ts'
import type {
  ArtifactDeltaEvent,
  DatasetWriteEvent,
  DataWriteEvent,
  FileWriteEvent,
} from '../../../events/artifact.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { LINK_TYPE, type Part } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import { type ArtifactRecord, fileFields, partsOf } from './artifact-record.ts'
import { createArtifact, latestArtifact, openArtifact, writeParts } from './write-artifact.ts'

export function writeFileWrite(writer: A2aWriter, event: ContextEvent<FileWriteEvent>): void {
  if (isLink(event)) {
    writeLink(writer, event)
    return
  }
  const open = openArtifact(writer, event.artifactId, 'file')
  const isBase64 = open?.isBase64 ?? event.encoding === 'base64'
  const [whole, pendingSurrogate] = isBase64
    ? [event.data, '']
    : splitHalf((open?.pendingSurrogate ?? '') + event.data)
  const data = event.complete ? toWellFormed(whole + pendingSurrogate) : toWellFormed(whole)
  const bytes = isBase64 ? canonicalBase64(data) : textToBase64(data)
  if (bytes === undefined) {
    writer.isDropped = true
    writer.invalid([{ code: 'invalid-format', path: '/data', message: 'Expected Base64.' }])
    return
  }
  const isRestart = open !== undefined && event.index === 0 && !isFirstChunk(open, bytes)
  if (!checkIndex(writer, event, isRestart ? undefined : open, bytes)) return
  writer.ensureOpen(event)
  const record =
    open ??
    createArtifact(writer, {
      key: event.artifactId,
      type: 'file',
      isBase64,
      ...descriptorOf(writer, event),
      ...mediaType(event.mimeType ?? (isBase64 ? undefined : 'text/plain')),
    })
  const options = {
    nextIndex: (event.indexEnd ?? event.index) + 1,
    pendingSurrogate: event.complete ? '' : pendingSurrogate,
    isComplete: event.complete,
    completedAt: event.timestamp,
    replace: isRestart,
  }
  // A reader takes the data from the update, unless its Base64 had to be made canonical.
  const changedData = isBase64 && bytes !== event.data ? event.data : undefined
  const extensionEvent = writer.extensionEvent(event, { data: changedData })
  writeParts(writer, record, [{ type: 'raw', bytes, ...fileFields(record) }], options, extensionEvent)
  if (!isBase64 && !writer.settings.extension) {
    writer.lossy('encoding', 'Text is sent as UTF-8 bytes in Base64.')
  }
}

function isLink({ mimeType, index, complete, encoding, data }: FileWriteEvent): boolean {
  return mimeType === LINK_TYPE && index === 0 && complete && encoding !== 'base64' && !/\s/.test(data.trim())
}

function writeLink(writer: A2aWriter, event: ContextEvent<FileWriteEvent>): void {
  writer.ensureOpen(event)
  const { metadata } = event
  const record = createArtifact(writer, {
    key: event.artifactId,
    type: 'link',
    ...descriptorOf(writer, event),
    ...mediaType(typeof metadata?.mimeType === 'string' ? metadata.mimeType : undefined),
  })
  const part: Part = { type: 'url', url: toWellFormed(event.data.trim()), ...fileFields(record) }
  writeParts(writer, record, [part], { isComplete: true }, writer.extensionEvent(event))
}

export function writeDataWrite(writer: A2aWriter, event: ContextEvent<DataWriteEvent>): void {
  writer.ensureOpen(event)
  const record =
    openArtifact(writer, event.artifactId, 'data') ??
    createArtifact(writer, { key: event.artifactId, type: 'data', ...descriptorOf(writer, event) })
  const data = cleanObject(event.data, lossyJsonOnce(writer, 'data'))
  const extensionEvent = writer.extensionEvent(event, { data: undefined })
  writeParts(writer, record, [{ type: 'data', data }], { replace: true }, extensionEvent)
}

export function writeDatasetWrite(writer: A2aWriter, event: ContextEvent<DatasetWriteEvent>): void {
  const open = openArtifact(writer, event.artifactId, 'dataset')
  const rows = cleanJson(event.rows, lossyJsonOnce(writer, 'rows')) ?? []
  const json = JSON.stringify(rows)
  const isRestart = open !== undefined && event.index === 0 && !isFirstChunk(open, json)
  if (!checkIndex(writer, event, isRestart ? undefined : open, json)) return
  writer.ensureOpen(event)
  const record =
    open ?? createArtifact(writer, { key: event.artifactId, type: 'dataset', ...descriptorOf(writer, event) })
  const options = {
    nextIndex: (event.indexEnd ?? event.index) + 1,
    isComplete: event.complete,
    completedAt: event.timestamp,
    replace: isRestart,
  }
  const extensionEvent = writer.extensionEvent(event, { rows: undefined })
  writeParts(writer, record, [{ type: 'data', data: rows }], options, extensionEvent)
}

/**
 * Writes a change of an artifact. Appending to a complete artifact creates another one with the whole
 * content, as a complete artifact may not change. A patch is dropped: mapping it would mean applying it.
 */
export function writeArtifactDelta(writer: A2aWriter, event: ContextEvent<ArtifactDeltaEvent>): void {
  const base = latestArtifact(writer, event.artifactId)
  const added = base?.body === undefined ? undefined : addedPart(event, base)
  if (base === undefined || added === undefined) {
    if (writer.settings.extension) writer.emitExtensionOnly(event)
    else writer.dropped(event.kind, 'no-equivalent', `A2A has no equivalent for a ${event.change.type}.`)
    return
  }
  writer.ensureOpen(event)
  const extensionEvent = writer.extensionEvent(event)
  if (!base.isComplete) {
    writeParts(writer, base, [added], {}, extensionEvent)
    return
  }
  const { id: _, ...artifact } = base
  const record = createArtifact(writer, artifact)
  writeParts(writer, record, [...partsOf(base), added], { isComplete: true }, extensionEvent)
}

function addedPart({ change }: ArtifactDeltaEvent, base: ArtifactRecord): Part | undefined {
  if (change.type === 'text-append' && base.type === 'file') {
    return { type: 'raw', bytes: textToBase64(toWellFormed(change.text)), ...fileFields(base) }
  }
  if (change.type === 'rows-append' && base.type === 'dataset') {
    return { type: 'data', data: cleanJson(change.rows) ?? [] }
  }
  return undefined
}

interface Chunk {
  readonly index: number
  readonly indexEnd?: number
  readonly artifactId: string
}

/** Whether a chunk is new; otherwise reports it as repeated. Reports missing chunks before it. */
function checkIndex(
  writer: A2aWriter,
  event: ContextAnyEvent & Chunk,
  open: ArtifactRecord | undefined,
  body: string,
): boolean {
  if (open === undefined) {
    const latest = latestArtifact(writer, event.artifactId)
    if (latest?.isComplete !== true) return true
    if (event.index > 0 || (latest.completedAt === event.timestamp && latest.body === body)) {
      writer.dropped(event.kind, 'repeated', `Artifact ${event.artifactId} is complete.`)
      return false
    }
    return true
  }
  const message = `Expected index ${open.nextIndex}, got ${event.index}.`
  if ((event.indexEnd ?? event.index) < open.nextIndex) {
    writer.dropped(event.kind, 'repeated', message)
    return false
  }
  if (event.index > open.nextIndex) writer.diagnostic('gap', message)
  return true
}

/** Whether the artifact starts with this chunk: a repetition, not a new start. */
function isFirstChunk({ body }: ArtifactRecord, chunk: string): boolean {
  return body === undefined || body === chunk || body.startsWith(`${chunk}\n`)
}

function descriptorOf(
  writer: A2aWriter,
  { name, description, metadata }: FileWriteEvent | DataWriteEvent | DatasetWriteEvent,
): Partial<Pick<ArtifactRecord, 'name' | 'description' | 'metadata'>> {
  const clean = writer.cleanMetadata(metadata)
  return {
    ...(name && { name: toWellFormed(name) }),
    ...(description && { description: toWellFormed(description) }),
    ...(clean !== undefined && { metadata: clean }),
  }
}

function mediaType(value: string | undefined): { mediaType?: string } {
  return value ? { mediaType: toWellFormed(value) } : {}
}

/** Reports a field that is not all JSON, however many of its values are not. */
function lossyJsonOnce(writer: A2aWriter, field: string): () => void {
  let isReported = false
  return () => {
    if (!isReported) writer.lossyJson(field)
    isReported = true
  }
}
