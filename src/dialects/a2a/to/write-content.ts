/** Writing the content of a task: each segment of text, as an artifact. */

import { splitHalf, toWellFormed } from '../../../encoding/surrogates.ts'
import type { ContentCompleteEvent, ContentDeltaEvent } from '../../../events/content.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { Part } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import type { ArtifactRecord } from './artifact-record.ts'
import { createArtifact, latestArtifact, openArtifact, updateArtifact, writeParts } from './write-artifact.ts'

/** The key of the artifacts with the content of the task, which has no `artifactId` in events. */
const CONTENT = ''

export function writeContentDelta(writer: A2aWriter, event: ContextEvent<ContentDeltaEvent>): void {
  const open = openContent(writer, event.contentId)
  const expected = open?.nextIndex ?? 0
  const end = event.indexEnd ?? event.index
  if (end < expected) {
    writer.dropped(event.kind, 'repeated', `Expected index ${expected}, got ${event.index}.`)
    return
  }
  if (event.index > expected) writer.diagnostic('gap', `Expected index ${expected}, got ${event.index}.`)
  const [whole, pendingSurrogate] = splitHalf((open?.pendingSurrogate ?? '') + event.delta)
  const delta = wellFormed(writer, whole)
  const changes = { nextIndex: end + 1, pendingSurrogate }
  const record = open ?? createContent(writer, event.contentId)
  if (delta !== '') {
    writer.ensureOpen(event)
    writeParts(writer, record, [text(delta)], changes, writer.extensionEvent(event, { delta: undefined }))
    return
  }
  updateArtifact(writer, record, changes)
  // Without the extension an empty delta is skipped: nothing is lost.
  if (writer.settings.extension) writer.emitExtensionOnly(event, writer.extensionEvent(event, { delta: '' }))
}

export function writeContentComplete(writer: A2aWriter, event: ContextEvent<ContentCompleteEvent>): void {
  const open = openContent(writer, event.contentId)
  const content = wellFormed(writer, event.content)
  const completedAt = event.timestamp
  const latest = latestArtifact(writer, CONTENT, event.contentId)
  if (latest?.isComplete === true && latest.completedAt === completedAt && latest.body === content) {
    writer.dropped(event.kind, 'repeated', 'Duplicate content-complete.')
    return
  }
  const rest = toWellFormed(open?.pendingSurrogate ?? '')
  if (open?.isWritten !== true && content + rest === '') {
    // Empty content is not written, but the next delta starts at index 0 again.
    if (open !== undefined) updateArtifact(writer, open, { nextIndex: 0 })
    if (writer.settings.extension) writer.emitExtensionOnly(event)
    return
  }
  writer.ensureOpen(event)
  const record = open ?? createContent(writer, event.contentId)
  const extensionEvent = writer.extensionEvent(event, { content: undefined })
  const streamed = record.body === undefined ? content : record.body + rest
  const differs = record.nextIndex > 0 && streamed !== content
  if (differs) {
    const message = 'The content differs from the text of its deltas; the content replaces it.'
    writer.diagnostic('content-mismatch', message)
  }
  const replace = !record.isWritten || differs || writer.settings.closeText === 'snapshot'
  const parts = [text(replace ? content : rest)]
  const options = { isComplete: true, pendingSurrogate: '', completedAt, replace }
  writeParts(writer, record, parts, options, extensionEvent)
}

/** Completes content that is still open when the task succeeds. */
export function closeContent(writer: A2aWriter): void {
  for (const record of writer.state.openArtifacts) if (record.type === 'content') closeSegment(writer, record)
}

function closeSegment(writer: A2aWriter, open: ArtifactRecord): void {
  const rest = toWellFormed(open.pendingSurrogate)
  if (!open.isWritten && rest === '') return
  const replace = writer.settings.closeText === 'snapshot' && open.body !== undefined
  const parts = [text(replace ? open.body + rest : rest)]
  writeParts(writer, open, parts, { isComplete: true, pendingSurrogate: '', replace })
}

/** The segments of content, in the order in which they began. */
export function contentRecords({ state }: A2aWriter): readonly ArtifactRecord[] {
  return [...state.completeArtifacts, ...state.openArtifacts]
    .filter(({ type }) => type === 'content')
    .sort((a, b) => a.order - b.order)
}

/** Creates the artifact of a segment. */
export function createContent(writer: A2aWriter, contentId?: string): ArtifactRecord {
  const id = contentId === undefined ? {} : { contentId }
  return createArtifact(writer, { key: CONTENT, type: 'content', ...id })
}

function openContent(writer: A2aWriter, contentId: string | undefined): ArtifactRecord | undefined {
  return openArtifact(writer, CONTENT, 'content', contentId)
}

function wellFormed(writer: A2aWriter, value: string): string {
  const fixed = toWellFormed(value)
  if (fixed !== value) writer.diagnostic('lossy:text', 'Replaced unpaired surrogates with U+FFFD.')
  return fixed
}

function text(value: string): Part {
  return { type: 'text', text: value }
}
