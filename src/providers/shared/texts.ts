/**
 * The text segments of a response. The `content-complete` of a text that has ended waits until another text or the end
 * of the response follows: the last one states why the model stopped, and the usage.
 */

import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ContentCompleteMetadata } from '../../events/content.ts'
import type { CitedSource } from '../../events/source.ts'
import { isEqualJson } from '../../json/value.ts'
import type { ThoughtEventDraft } from '../../thoughts/thought-event-draft.ts'
import { isName } from './errors.ts'
import { contentOf, grow, type ModelText, noText, settle } from './growing.ts'
import { hasRoom, hasRoomFor, hasSpace, keep, sizeOf } from './limits.ts'
import type { ModelWriter } from './model-writer.ts'
import { findOpen, type TextState, withItem } from './state.ts'
import { addThought, describeThought, endThought } from './thoughts.ts'

/** Appends text to the open text with a key, or to a new one. An empty piece opens it. */
export function addText(writer: ModelWriter, key: string, piece: string): void {
  const at = openText(writer, key, piece.length)
  const kept = at === -1 ? '' : keep(writer, piece)
  if (kept === '') return
  const { extractor } = writer.settings
  if (extractor === null) {
    write(writer, at, kept)
    return
  }
  const {
    state,
    out,
    diagnostics = [],
  } = extractor.step(textAt(writer, at).extractor ?? extractor.initial, kept)
  change(writer, at, { extractor: state })
  writer.diagnostics.push(...diagnostics)
  writeDrafts(writer, at, out)
}

/**
 * Adds what the text with a key cites, also if it has ended and is not complete. A source that the text already has is
 * left out.
 */
export function addSource(writer: ModelWriter, key: string, source: CitedSource): void {
  const ended = findOpen(writer.state.texts, key, 'ended')
  const at = ended === -1 ? openText(writer, key) : ended
  if (at === -1) return
  const { sources } = textAt(writer, at)
  const isKnown = sources.some((known) => known.url === source.url && isEqualJson(known, source))
  if (isKnown || !hasRoomFor(writer, sources, source)) return
  change(writer, at, { sources: [...sources, source] })
}

/** Adds metadata to the `content-complete` of the text with a key, which it opens. */
export function describeText(
  writer: ModelWriter,
  key: string,
  metadata: Readonly<Record<string, string>>,
): void {
  describe(writer, openText(writer, key), metadata)
}

/** Adds metadata to the `content-complete` of the last text that is not complete. Returns whether there is one. */
export function describeLastText(writer: ModelWriter, metadata: Readonly<Record<string, string>>): boolean {
  const at = writer.state.texts.findLastIndex(({ status }) => status !== 'complete')
  describe(writer, at, metadata)
  return at !== -1
}

function describe(writer: ModelWriter, at: number, metadata: TextState['metadata']): void {
  if (at === -1 || !hasSpace(writer, sizeOf(metadata))) return
  change(writer, at, { metadata: { ...textAt(writer, at).metadata, ...metadata } })
}

/** The text with a key so far, if it is open. */
export function openTextOf(writer: ModelWriter, key: string): string {
  const at = findOpen(writer.state.texts, key, 'open')
  return at === -1 ? '' : contentOf(textAt(writer, at).text)
}

/** Ends the open text with a key, if there is one. */
export function endText(writer: ModelWriter, key: string): void {
  const at = findOpen(writer.state.texts, key, 'open')
  if (at !== -1) end(writer, at)
}

/** Ends all open texts. */
export function endTexts(writer: ModelWriter): void {
  for (const [at, { status }] of writer.state.texts.entries()) if (status === 'open') end(writer, at)
}

/** Completes the texts that have ended, the last one with what is known at the end of the response. */
export function completeTexts(writer: ModelWriter, isEnd = false): void {
  const { texts, finishReason, usage } = writer.state
  const ended: number[] = []
  for (let at = 0; at < texts.length; at++) if (texts[at]?.status === 'ended') ended.push(at)
  const written = ended.filter((at) => {
    const { text, sources } = textAt(writer, at)
    return contentOf(text) !== '' || sources.length > 0
  })
  for (const at of ended) change(writer, at, { status: 'complete' })
  for (const at of written) complete(writer, textAt(writer, at), isEnd && at === written.at(-1))
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

function openText(writer: ModelWriter, key: string, length = 0): number {
  const open = findOpen(writer.state.texts, key, 'open')
  if (open !== -1) return open
  completeTexts(writer)
  const { texts } = writer.state
  if (!hasRoom(writer, texts, 'text', length)) return -1
  const contentId = texts.some(({ status }) => status === 'open') ? `text-${texts.length}` : null
  const text: TextState = {
    key,
    contentId,
    text: noText,
    extractor: null,
    sources: [],
    metadata: {},
    status: 'open',
  }
  writer.state.texts = [...texts, text]
  return texts.length
}

function write(writer: ModelWriter, at: number, piece: string): void {
  emitDelta(writer, at, grow(textAt(writer, at).text, piece))
}

function emitDelta(writer: ModelWriter, at: number, [text, added]: [next: ModelText, added: string]): void {
  change(writer, at, { text })
  if (added === '') return
  const { contentId } = textAt(writer, at)
  const draft: EventDraft & { kind: 'content-delta' } = { kind: 'content-delta', delta: added }
  if (contentId !== null) draft.contentId = contentId
  writer.emit(draft)
}

function end(writer: ModelWriter, at: number): void {
  const { extractor } = writer.settings
  const { extractor: state } = textAt(writer, at)
  if (extractor !== null && state !== null) {
    const { out, diagnostics = [] } = extractor.end(state)
    writer.diagnostics.push(...diagnostics)
    writeDrafts(writer, at, out)
  }
  emitDelta(writer, at, settle(textAt(writer, at).text))
  change(writer, at, { status: 'ended', extractor: null })
}

/** Writes what was separated: text, and thoughts that take their turn among those of the provider. */
function writeDrafts(writer: ModelWriter, at: number, drafts: readonly ThoughtEventDraft[]): void {
  const key = `text ${at}`
  for (const draft of drafts) {
    if (draft.kind === 'content-delta') write(writer, at, draft.delta)
    else if (draft.kind === 'thought-delta') addThought(writer, key, draft.delta, draft)
    else if (draft.kind === 'thought-stream') {
      const isStreamed = findOpen(writer.state.thoughts, key, 'open') !== -1
      addThought(writer, key, isStreamed ? '' : draft.content, draft)
      if (draft.metadata !== undefined) describeThought(writer, key, draft.metadata)
      endThought(writer, key)
    }
  }
}

function textAt(writer: ModelWriter, at: number): TextState {
  return writer.state.texts[at] as TextState
}

function change(writer: ModelWriter, at: number, changes: Partial<TextState>): void {
  writer.state.texts = withItem(writer.state.texts, at, { ...textAt(writer, at), ...changes })
}
