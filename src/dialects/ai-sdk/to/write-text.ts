/** Maps texts and thoughts to chunks. */

import { boundedDelete, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { FNV_OFFSET_BASIS, fnv1a } from '../../../encoding/fnv1a.ts'
import { isUnicode } from '../../../encoding/unicode.ts'
import type { ContentCompleteEvent, ContentDeltaEvent, ContentReplaceEvent } from '../../../events/content.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { CitedSource } from '../../../events/source.ts'
import type { ThoughtDeltaEvent, ThoughtStreamEvent } from '../../../events/thought.ts'
import { toProviderMetadata } from '../wire/provider-metadata.ts'
import { NUMBERED_TEXT, numberedText } from '../wire/text-id.ts'
import type { ProviderMetadata, SourceDocumentChunk, SourceUrlChunk, UiCitation } from '../wire/types.ts'
import { addUsage, toUiUsage } from '../wire/usage.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import type { OpenText } from './state.ts'

type Delta = ContextEvent<ContentDeltaEvent>
type Complete = ContextEvent<ContentCompleteEvent>
type Replace = ContextEvent<ContentReplaceEvent>

/** The text of an event; begins it if it is not open. */
function openText(writer: ChunkWriter, event: Delta | Complete): OpenText {
  return boundedGet(writer.state.texts, event.contentId ?? '') ?? beginText(writer, event)
}

/** Begins the text of an event. */
export function beginText(writer: ChunkWriter, event: Delta | Complete | Replace): OpenText {
  const { state } = writer
  const { contentId } = event
  writer.beginItem(event)
  const isNumbered = contentId === undefined || NUMBERED_TEXT.test(contentId)
  const id = isNumbered ? numberedText(state.nextText++) : contentId
  state.hasText = true
  writer.send({ type: 'text-start', id }, contentId)
  return { id, order: state.nextItem++, length: 0, nextIndex: 0, hash: FNV_OFFSET_BASIS }
}

/** Reports a `contentId` that another text might have in the stream. */
function reportId(writer: ChunkWriter, { contentId }: Delta | Complete): void {
  if (contentId !== undefined && NUMBERED_TEXT.test(contentId)) {
    writer.changed('contentId', 'The text gets another id.')
  }
}

/** Emits `text-delta`. */
export function writeContentDelta(writer: ChunkWriter, event: Delta): void {
  const { contentId, delta } = event
  const text = openText(writer, event)
  if (isRepeated(writer, text, event)) return
  writer.send({ type: 'text-delta', id: text.id, delta })
  writer.state.texts = writer.store(writer.state.texts, contentId ?? '', afterDelta(text, event))
  reportId(writer, event)
}

/** An open text or thought after a delta. */
function afterDelta(
  { id, order, length, nextIndex, hash }: OpenText,
  event: { delta: string; index: number; indexEnd?: number },
): OpenText {
  const { delta, index, indexEnd = index } = event
  const isKnown = index === nextIndex && hash !== null
  return {
    id,
    order,
    length: length + delta.length,
    nextIndex: indexEnd + 1,
    hash: isKnown ? fnv1a(hash, delta) : null,
  }
}

/** Whether the deltas up to this one have been sent: it is sent again. Reports it, and deltas that are missing. */
export function isRepeated(
  writer: ChunkWriter,
  { nextIndex }: { readonly nextIndex: number },
  { kind, index, indexEnd = index }: { kind: string; index: number; indexEnd?: number },
): boolean {
  if (indexEnd >= nextIndex) {
    if (index > nextIndex) {
      writer.diagnostic('gap', `Expected index ${nextIndex}, got ${index}.`, { path: '/index' })
    }
    return false
  }
  writer.dropped(kind, 'repeated', `Expected index ${nextIndex}, got ${index}.`)
  return true
}

/** What of a whole text has not been sent. Reports a text that differs from what was sent. */
function restOf(writer: ChunkWriter, { length, hash }: OpenText, content: string): string {
  const isSame = content.length >= length && fnv1a(FNV_OFFSET_BASIS, content, 0, length) === hash
  const rest = content.slice(length)
  if (!isSame || (length > 0 && !isUnicode(rest))) {
    const message = 'Expected the text of the deltas, got another.'
    writer.changed('content', message)
    return ''
  }
  return rest
}

/** Emits `text-end`, with what the deltas lacked before it. */
export function writeContentComplete(writer: ChunkWriter, event: Complete): void {
  const { state } = writer
  const { contentId, content, finishReason, metadata } = event
  const text = openText(writer, event)
  const rest = restOf(writer, text, content)
  if (rest !== '') writer.send({ type: 'text-delta', id: text.id, delta: rest })
  const citations = writeSources(writer, metadata?.sources ?? [])
  const providerMetadata = textMetadata(finishReason, metadata)
  writer.send({
    type: 'text-end',
    id: text.id,
    ...(citations.length > 0 && writer.version === 7 && { citations }),
    ...(providerMetadata !== undefined && { providerMetadata }),
  })
  writer.endItem()
  state.texts = boundedDelete(state.texts, contentId ?? '')
  state.finishReason = finishReason ?? state.finishReason
  if (metadata?.usage !== undefined && metadata.usage.length > 0) {
    state.usage = addUsage(state.usage, metadata.usage)
    writer.send({ type: 'message-metadata', messageMetadata: { usage: toUiUsage(state.usage) } })
  }
  reportId(writer, event)
}

/** What `text-end` has no fields for. */
export function textMetadata(
  finishReason: string | undefined,
  metadata: ContentCompleteEvent['metadata'],
): ProviderMetadata | undefined {
  const { aiSdk, ...rest } = metadata ?? {}
  const own =
    finishReason === undefined && Object.keys(rest).length === 0
      ? undefined
      : {
          ...(finishReason !== undefined && { finishReason }),
          ...(metadata !== undefined && { metadata: rest }),
        }
  return toProviderMetadata(own, aiSdk)
}

/** Emits the sources of a text. Returns the passages that cite them. */
function writeSources(writer: ChunkWriter, sources: readonly CitedSource[]): UiCitation[] {
  const citations: UiCitation[] = []
  const sent = new Set<string>()
  for (const source of sources) {
    const sourceId = `turnstream:source:${writer.state.sources}`
    const chunk = toSourceChunk(source, sourceId)
    if (chunk === undefined) continue
    const key = chunk.type === 'source-url' ? chunk.url : `document ${source.documentId}`
    if (!sent.has(key)) {
      sent.add(key)
      writer.state.sources++
      writer.send(chunk)
    }
    const { start, end, quote } = source
    const { type: _, sourceId: id, providerMetadata: __, ...fields } = chunk
    const sourceType = chunk.type === 'source-url' ? 'url' : 'document'
    citations.push({
      source: { type: 'source', sourceType, id, ...fields } as UiCitation['source'],
      ...(start !== undefined && { startIndex: start }),
      ...(end !== undefined && { endIndex: end }),
      ...(quote !== undefined && { citedText: quote }),
    })
  }
  return citations
}

/** The chunk of a source; `undefined` if it has neither address nor id. */
export function toSourceChunk(
  { url, title, documentId }: CitedSource,
  sourceId: string,
): SourceUrlChunk | SourceDocumentChunk | undefined {
  // The `text-end` has all fields.
  const providerMetadata: ProviderMetadata = { turnstream: {} }
  const named = title === undefined ? {} : { title }
  if (url !== undefined) return { type: 'source-url', sourceId, url, ...named, providerMetadata }
  if (documentId === undefined) return undefined
  const mediaType = 'application/octet-stream'
  return {
    type: 'source-document',
    sourceId,
    mediaType,
    title: title ?? documentId,
    providerMetadata,
  }
}

/** The thought of an event; begins it if it is not open. */
function openThought(
  writer: ChunkWriter,
  thoughtId: string,
  event: ContextEvent<ThoughtDeltaEvent | ThoughtStreamEvent>,
): OpenText {
  const known = boundedGet(writer.state.thoughts, thoughtId)
  if (known !== undefined) return known
  writer.beginItem(event)
  writer.send({ type: 'reasoning-start', id: thoughtId, providerMetadata: labelMetadata(event) })
  return { id: thoughtId, order: writer.state.nextItem++, length: 0, nextIndex: 0, hash: FNV_OFFSET_BASIS }
}

type ThoughtLabels = Pick<ThoughtDeltaEvent, 'thoughtType' | 'verbosity'>

/** The type and level of detail of a thought. */
export function labelMetadata({ thoughtType, verbosity }: ThoughtLabels): ProviderMetadata {
  return {
    turnstream: {
      ...(thoughtType !== undefined && { thoughtType }),
      ...(verbosity !== undefined && { verbosity }),
    },
  }
}

/** Emits `reasoning-delta`. */
export function writeThoughtDelta(writer: ChunkWriter, event: ContextEvent<ThoughtDeltaEvent>): void {
  const { thoughtId, delta } = event
  const thought = openThought(writer, thoughtId, event)
  if (isRepeated(writer, thought, event)) return
  writer.send({ type: 'reasoning-delta', id: thoughtId, delta })
  writer.state.thoughts = writer.store(writer.state.thoughts, thoughtId, afterDelta(thought, event))
}

/** Emits `reasoning-end`, with what the deltas lacked before it. */
export function writeThoughtStream(writer: ChunkWriter, event: ContextEvent<ThoughtStreamEvent>): void {
  const { thoughtId, content } = event
  const thought = openThought(writer, thoughtId, event)
  const rest = restOf(writer, thought, content)
  if (rest !== '') writer.send({ type: 'reasoning-delta', id: thoughtId, delta: rest })
  writer.send({ type: 'reasoning-end', id: thoughtId, providerMetadata: thoughtMetadata(event) })
  writer.endItem()
  writer.state.thoughts = boundedDelete(writer.state.thoughts, thoughtId)
}

/** What `reasoning-end` has no fields for. */
export function thoughtMetadata({
  thoughtType,
  verbosity,
  metadata,
}: ThoughtLabels & Pick<ThoughtStreamEvent, 'metadata'>): ProviderMetadata {
  const { aiSdk, signature, ...rest } = metadata ?? {}
  const labels = labelMetadata({ thoughtType, verbosity } as ThoughtLabels).turnstream
  const own = { ...labels, ...(metadata !== undefined && { metadata: rest }) }
  return toProviderMetadata(own, aiSdk, signature) ?? {}
}
