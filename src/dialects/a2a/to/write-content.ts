/** Writing the content of a task: each segment of text, as an artifact. */

import { boundedValues } from '../../../core/bounded-map/bounded-map.ts'
import { splitHalf, toWellFormed } from '../../../encoding/surrogates.ts'
import type { ContentCompleteEvent, ContentDeltaEvent, ContentReplaceEvent } from '../../../events/content.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { Part } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import { type ArtifactRecord, copyRecord } from './artifact-record.ts'
import { beginText, storeRecord, textRecord, writePart } from './write-artifact.ts'

export function writeContentDelta(writer: A2aWriter, event: ContextEvent<ContentDeltaEvent>): void {
  const open = openText(writer, event.contentId)
  const expected = open?.nextIndex ?? 0
  const end = event.indexEnd ?? event.index
  const message = `Expected index ${expected}, got ${event.index}.`
  if (end < expected) {
    writer.dropped(event.kind, 'repeated', message)
    return
  }
  if (event.index > expected) writer.diagnostic('gap', message)
  const [whole, pendingSurrogate] = splitHalf((open?.pendingSurrogate ?? '') + event.delta)
  const delta = wellFormed(writer, 'delta', whole)
  const record = open === undefined ? beginText(writer, event.contentId) : copyRecord(open)
  reportTextId(writer, event.contentId, record)
  record.nextIndex = end + 1
  record.pendingSurrogate = pendingSurrogate
  if (delta === '') storeRecord(writer, record)
  else {
    writer.ensureOpen(event)
    writePart(writer, record, text(delta), delta, false)
  }
}

/** Replaces the artifact of the text: it is written again from its beginning. */
export function writeContentReplace(writer: A2aWriter, event: ContextEvent<ContentReplaceEvent>): void {
  const known = textRecord(writer, event.contentId)
  const content = wellFormed(writer, 'content', event.content)
  writer.ensureOpen(event)
  const record = known === undefined ? beginText(writer, event.contentId) : copyRecord(known)
  reportTextId(writer, event.contentId, record)
  record.nextIndex = 1
  record.pendingSurrogate = ''
  record.isComplete = false
  record.completedAt = undefined
  record.isWritten = false
  writePart(writer, record, text(content), content, false)
}

export function writeContentComplete(writer: A2aWriter, event: ContextEvent<ContentCompleteEvent>): void {
  const content = wellFormed(writer, 'content', event.content)
  const latest = textRecord(writer, event.contentId)
  if (latest?.isComplete === true && latest.completedAt === event.timestamp && latest.body === content) {
    writer.dropped(event.kind, 'repeated', 'Duplicate content-complete.')
    return
  }
  const open = latest?.isComplete === false ? latest : undefined
  const rest = toWellFormed(open?.pendingSurrogate ?? '')
  if (open?.isWritten !== true && content + rest === '') {
    // Empty content is not written, but the next delta starts at index 0 again.
    if (open !== undefined) storeRecord(writer, { ...open, nextIndex: 0 })
    if (event.contentId !== undefined && !writer.hasExtension) {
      writer.lossy('contentId', 'A2A has no empty artifacts.', event.contentId)
    }
    return
  }
  writer.ensureOpen(event)
  const record = open === undefined ? beginText(writer, event.contentId) : copyRecord(open)
  reportTextId(writer, event.contentId, record)
  const streamed = record.body === undefined ? content : record.body + rest
  const differs = record.nextIndex > 0 && streamed !== content
  if (differs) {
    writer.diagnostic('gap', 'The content differs from the text of its deltas; the content replaces it.')
  }
  record.completedAt = event.timestamp
  const isWhole = differs || !record.isWritten || writer.closeText === 'snapshot'
  completeText(writer, record, isWhole ? content : rest, isWhole)
}

/** Completes content that is still open when the task succeeds. */
export function closeContent(writer: A2aWriter): void {
  for (const open of contentRecords(writer)) {
    if (open.isComplete) continue
    const rest = wellFormed(writer, 'delta', open.pendingSurrogate)
    if (!open.isWritten && rest === '') continue
    const isWhole = writer.closeText === 'snapshot' && open.body !== undefined
    completeText(writer, copyRecord(open), isWhole ? open.body + rest : rest, isWhole)
  }
}

/** Writes the last part of a text: the rest of it, or the whole in place of the parts before. */
function completeText(
  writer: A2aWriter,
  record: ReturnType<typeof copyRecord>,
  last: string,
  isWhole: boolean,
): void {
  record.isComplete = true
  record.pendingSurrogate = ''
  if (isWhole) record.isWritten = false
  writePart(writer, record, text(last), last, true)
}

/** The segments of content, in the order in which they began. */
export function contentRecords({ state }: A2aWriter): readonly ArtifactRecord[] {
  return [...boundedValues(state.artifacts)]
    .filter(({ type }) => type === 'content')
    .sort((a, b) => a.order - b.order)
}

/** Writes a text that is complete. */
export function writeWholeText(writer: A2aWriter, content: string): void {
  const open = openText(writer, undefined)
  completeText(writer, open === undefined ? beginText(writer, undefined) : copyRecord(open), content, true)
}

function openText(writer: A2aWriter, contentId: string | undefined): ArtifactRecord | undefined {
  const latest = textRecord(writer, contentId)
  return latest?.isComplete === false ? latest : undefined
}

/** Reports the id of a text that is not that of its artifact: only the first segment has it. */
function reportTextId(writer: A2aWriter, contentId: string | undefined, { id }: ArtifactRecord): void {
  if (contentId === undefined || contentId === id || writer.hasExtension) return
  writer.lossy('contentId', `Another artifact has the id ${contentId}; sent as ${id}.`)
}

function wellFormed(writer: A2aWriter, field: string, value: string): string {
  const fixed = toWellFormed(value)
  if (fixed !== value && !writer.hasExtension)
    writer.lossy(field, `Replaced unpaired surrogates in ${field} with U+FFFD.`)
  return fixed
}

function text(value: string): Part {
  return { type: 'text', text: value }
}
