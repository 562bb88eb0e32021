/**
 * The text segments of a response. The `content-complete` of a text that has ended waits until another text or the end
 * of the response follows: the last one states why the model stopped, and the usage.
 */

import type { Mutable } from '../../core/mutable.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ContentCompleteMetadata } from '../../events/content.ts'
import type { CitedSource } from '../../events/source.ts'
import { isEqualJson } from '../../json/value.ts'
import { isName } from './errors.ts'
import { contentOf, grow, type ModelText, noText, settle } from './growing.ts'
import { hasRoom, hasRoomFor, hasSpace, keep, sizeOf } from './limits.ts'
import type { ModelWriter } from './model-writer.ts'
import type { Extractor } from './options.ts'
import { edit, findOpen, type TextState } from './state.ts'
import { addThought, describeThought, endThought } from './thoughts.ts'

/** A text, to be changed in the step that is running. */
type Text = Mutable<TextState>

/** Appends text to the open text with a key, or to a new one. An empty piece opens it. */
export function addText(writer: ModelWriter, key: string, piece: string): void {
  const text = openText(writer, key, piece.length)
  if (text === undefined) return
  const kept = keep(writer, piece)
  const { extractor } = writer.settings
  if (kept === '') return
  if (extractor === null) write(writer, text, kept)
  else writeExtracted(writer, text, extractor.step(text.extractor ?? extractor.initial, kept))
}

/**
 * Adds what the text with a key cites, also if it has ended and is not complete. A source that the text already has is
 * left out.
 */
export function addSource(writer: ModelWriter, key: string, source: CitedSource): void {
  const ended = findOpen(writer.state.texts, key, 'ended')
  const text = ended === undefined ? openText(writer, key) : edit(writer.state, 'texts', ended)
  if (text === undefined) return
  const isKnown = text.sources.some((known) => known.url === source.url && isEqualJson(known, source))
  if (!isKnown && hasRoomFor(writer, text.sources, source)) text.sources = [...text.sources, source]
}

/** Adds metadata to the `content-complete` of the text with a key, which it opens. */
export function describeText(writer: ModelWriter, key: string, metadata: TextState['metadata']): void {
  describe(writer, openText(writer, key), metadata)
}

/** Adds metadata to the `content-complete` of the last text that is not complete. Returns whether there is one. */
export function describeLastText(writer: ModelWriter, metadata: TextState['metadata']): boolean {
  const last = writer.state.texts.findLast(({ status }) => status !== 'complete')
  describe(writer, last && edit(writer.state, 'texts', last), metadata)
  return last !== undefined
}

function describe(writer: ModelWriter, text: Text | undefined, metadata: TextState['metadata']): void {
  if (text !== undefined && hasSpace(writer, sizeOf(metadata)))
    text.metadata = { ...text.metadata, ...metadata }
}

/** The text with a key so far, if it is open. */
export function openTextOf(writer: ModelWriter, key: string): string {
  return contentOf(findOpen(writer.state.texts, key, 'open')?.text ?? noText)
}

/** Ends the open text with a key, if there is one. */
export function endText(writer: ModelWriter, key: string): void {
  const text = findOpen(writer.state.texts, key, 'open')
  if (text !== undefined) end(writer, text)
}

/** Ends all open texts. */
export function endTexts(writer: ModelWriter): void {
  for (const text of writer.state.texts) if (text.status === 'open') end(writer, text)
}

/** Completes the texts that have ended, the last one with what is known at the end of the response. */
export function completeTexts(writer: ModelWriter, isEnd = false): void {
  const { texts, finishReason, usage } = writer.state
  const ended = texts.filter(({ status }) => status === 'ended')
  const written = ended.filter(({ text, sources }) => contentOf(text) !== '' || sources.length > 0)
  for (const text of ended) edit(writer.state, 'texts', text, { status: 'complete' })
  for (const text of written) complete(writer, text, isEnd && text === written.at(-1))
  // A response without text states its end in an empty one.
  const isUnstated = isEnd && written.length === 0 && (finishReason !== null || usage !== null)
  if (isUnstated && writer.state.stage === 'streaming') complete(writer, undefined, true)
}

function complete(writer: ModelWriter, text: TextState | undefined, isLast: boolean): void {
  const { finishReason, usage } = writer.state
  const draft: EventDraft & { kind: 'content-complete' } = { kind: 'content-complete', content: '' }
  const metadata: ContentCompleteMetadata = { ...text?.metadata }
  if (text !== undefined) {
    draft.content = contentOf(text.text)
    if (text.contentId !== null) draft.contentId = text.contentId
    if (text.sources.length > 0) metadata.sources = text.sources.map((source) => ({ ...source }))
  }
  if (isLast && finishReason !== null) {
    // A sentence may hold what users are not to see.
    if (isName(finishReason)) draft.finishReason = finishReason
    else {
      const detail = finishReason.slice(0, 1000)
      writer.diagnostic('lossy:finishReason', 'Expected a finish reason of one word, got other text.', {
        detail,
      })
    }
  }
  if (isLast && usage !== null) metadata.usage = [{ ...usage }]
  if (Object.keys(metadata).length > 0) draft.metadata = metadata
  writer.emit(draft)
}

function openText(writer: ModelWriter, key: string, length = 0): Text | undefined {
  const open = findOpen(writer.state.texts, key, 'open')
  if (open !== undefined) return edit(writer.state, 'texts', open)
  completeTexts(writer)
  const { texts } = writer.state
  if (!hasRoom(writer, texts, 'text', length)) return undefined
  const contentId = texts.some(({ status }) => status === 'open') ? `text-${texts.length}` : null
  const text: Text = {
    key,
    contentId,
    text: noText,
    extractor: null,
    sources: [],
    metadata: {},
    status: 'open',
  }
  writer.state.texts = [...texts, text]
  return text
}

function write(writer: ModelWriter, text: Text, piece: string): void {
  emitDelta(writer, text, grow(text.text, piece))
}

function emitDelta(writer: ModelWriter, text: Text, [next, added]: [next: ModelText, added: string]): void {
  text.text = next
  if (added === '') return
  const draft: EventDraft & { kind: 'content-delta' } = { kind: 'content-delta', delta: added }
  if (text.contentId !== null) draft.contentId = text.contentId
  writer.emit(draft)
}

function end(writer: ModelWriter, open: TextState): void {
  const text = edit(writer.state, 'texts', open)
  const { extractor } = writer.settings
  if (extractor !== null && text.extractor !== null)
    writeExtracted(writer, text, extractor.end(text.extractor))
  emitDelta(writer, text, settle(text.text))
  text.status = 'ended'
  text.extractor = null
}

/** Writes what was separated: text, and thoughts that take their turn among those of the provider. */
function writeExtracted(
  writer: ModelWriter,
  text: Text,
  { state, out, diagnostics = [] }: ReturnType<Extractor['step']>,
): void {
  text.extractor = state
  writer.diagnostics.push(...diagnostics)
  const key = `text ${text.key}`
  for (const draft of out) {
    if (draft.kind === 'content-delta') write(writer, text, draft.delta)
    else if (draft.kind === 'thought-delta') addThought(writer, key, draft.delta, draft)
    else if (draft.kind === 'thought-stream') {
      const isStreamed = findOpen(writer.state.thoughts, key, 'open') !== undefined
      addThought(writer, key, isStreamed ? '' : draft.content, draft)
      if (draft.metadata !== undefined) describeThought(writer, key, draft.metadata)
      endThought(writer, key)
    }
  }
}
