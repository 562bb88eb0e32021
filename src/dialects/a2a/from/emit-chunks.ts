/** Emitting files and datasets, in chunks. */

import type { Mutable } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import { base64ToText } from '../../../encoding/base64.ts'
import type { ArtifactChange } from '../../../events/artifact-change.ts'
import type { Part } from '../wire/model.ts'
import { carriedOfPart, present } from './carry.ts'
import type { Description } from './describe.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { contentOf, isRows, type Slot } from './slot.ts'
import { MAX_FILE_LENGTH } from './state.ts'

/** Emits each part as a chunk. The first one describes the artifact. Changes the slot. */
export function emitChunks(
  writer: TaskEventWriter,
  slot: Mutable<Slot>,
  parts: readonly Part[],
  description: Description,
  isComplete: boolean,
): void {
  for (const [i, part] of parts.entries()) {
    const isLast = isComplete && i === parts.length - 1
    emitChunk(writer, slot, part, description, isLast)
    slot.nextIndex++
    slot.isOpen = !isLast
    if (isLast) slot.version++
  }
}

function emitChunk(
  writer: TaskEventWriter,
  slot: Mutable<Slot>,
  part: Part,
  description: Description,
  complete: boolean,
): void {
  const { key: artifactId, nextIndex: index, type } = slot
  const { name, mediaType, metadata } = part
  const isFirst = index === 0
  const own = type === 'rows' ? carriedOfPart(part) : present({ metadata })
  const fileName = type === 'rows' ? undefined : name
  const { fields, carried } = isFirst ? description.ofFirst(fileName, own) : description.ofLater(own)
  if (part.type === 'data') {
    const rows = rowsOf(part)
    writer.emitWith({ kind: 'dataset-write', artifactId, rows, index, complete, ...fields }, carried)
    return
  }
  const data = dataOf(writer, slot, part)
  const mimeType = mediaType ?? (part.type === 'text' ? 'text/plain' : undefined)
  writer.emitWith(
    {
      kind: 'file-write',
      artifactId,
      data,
      index,
      complete,
      ...fields,
      mimeType: isFirst ? mimeType : undefined,
      encoding: isFirst && part.type === 'raw' ? 'base64' : undefined,
    },
    carried,
  )
  if (type === 'file') slot.text = stored(writer, slot, part)
}

/** The chunks of a file with one more; empty if they are too long to store. */
function stored({ state }: TaskEventWriter, { text, nextIndex }: Slot, part: Part): string {
  const line = `${contentOf(part)}\n`
  const isKept = (nextIndex === 0 || text !== '') && state.fileLength + line.length <= MAX_FILE_LENGTH
  state.fileLength += isKept ? line.length : -text.length
  return isKept ? text + line : ''
}

/** Writes a complete file again, with more bytes. Changes the slot. */
export function rewriteFile(
  writer: TaskEventWriter,
  slot: Mutable<Slot>,
  added: readonly Part[],
  description: Description,
  isComplete: boolean,
): void {
  const { name, mediaType, text } = slot
  const fields = { ...(name !== undefined && { name }), ...(mediaType !== undefined && { mediaType }) }
  const before = text.split('\n').slice(0, -1)
  const parts = [...before.map((bytes): Part => ({ type: 'raw', bytes, ...fields })), ...added]
  restart(writer, slot)
  slot.isReopened = true
  emitChunks(writer, slot, parts, description, isComplete)
}

/** Lets a slot be written from its beginning. */
export function restart({ state }: TaskEventWriter, slot: Mutable<Slot>): void {
  if (slot.type === 'file') state.fileLength -= slot.text.length
  slot.isOpen = false
  slot.nextIndex = 0
  slot.text = ''
  slot.isUtf8 = false
}

/** Appends a part to a complete file of text or dataset, as a change of it. Changes the slot. */
export function appendChunk(
  writer: TaskEventWriter,
  slot: Mutable<Slot>,
  part: Part,
  description: Description,
): void {
  const { key: artifactId, type, version: baseVersion } = slot
  const { carried } = description.ofLater(
    type === 'rows' ? carriedOfPart(part) : present({ metadata: part.metadata }),
  )
  const change: ArtifactChange =
    type === 'rows'
      ? { type: 'rows-append', rows: rowsOf(part) }
      : { type: 'text-append', text: dataOf(writer, slot, part) }
  const isEmpty = change.type === 'rows-append' ? change.rows.length === 0 : change.text === ''
  if (isEmpty && carried === undefined) return
  const version = baseVersion + 1
  writer.emitWith({ kind: 'artifact-delta', artifactId, baseVersion, version, change }, carried)
  slot.version = version
}

function rowsOf(part: Part): Record<string, unknown>[] {
  return part.type === 'data' && isRows(part.data) ? part.data.map((row) => ({ ...row })) : []
}

/** The data of a chunk. */
function dataOf(writer: TaskEventWriter, slot: Slot, part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type !== 'raw') return ''
  if (!slot.isUtf8) return part.bytes
  // A file has one encoding: what is no text cannot continue one.
  const text = base64ToText(part.bytes)
  if (text === undefined) {
    const message = `Expected text to continue file ${describeValue(slot.key)}, got bytes that are not UTF-8.`
    writer.diagnostic('lossy:data', message, { detail: part.bytes })
  }
  return text ?? ''
}

/** Ends a file or dataset. Changes the slot. */
export function completeChunks(writer: TaskEventWriter, slot: Mutable<Slot>): void {
  const { key: artifactId, nextIndex: index, type } = slot
  if (type === 'rows') writer.emitWith({ kind: 'dataset-write', artifactId, rows: [], index, complete: true })
  else writer.emitWith({ kind: 'file-write', artifactId, data: '', index, complete: true })
  slot.nextIndex++
  slot.isOpen = false
  slot.version++
}
