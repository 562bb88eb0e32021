/** The texts of a round: partial answers and the final answer. */

import {
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedSet,
} from '../../../core/bounded-map/bounded-map.ts'
import { FNV_OFFSET_BASIS, fnv1a } from '../../../encoding/fnv1a.ts'
import { type Fields, isCount } from '../../../validation/predicates.ts'
import { numberOf } from '../wire/coerce.ts'
import { type RoundWriter, without } from './round-writer.ts'
import type { OpenText } from './state.ts'

/** The preserved id of a text; `null` for the text without one. */
export function contentIdOf(core: Fields | undefined): string | null {
  const id = core?.contentId
  return typeof id === 'string' && id !== '' ? id : null
}

function openText({ state }: RoundWriter, contentId: string | null): OpenText | undefined {
  return boundedGet(state.texts, contentId ?? '')
}

/** Emits a complete text, and removes it from the open ones. */
function emitComplete(
  writer: RoundWriter,
  contentId: string | null,
  content: string,
  core: Fields = contentId === null ? {} : { contentId },
): void {
  if (!writer.emitEvent('content-complete', { content }, {}, core)) return
  const texts = boundedDelete(writer.state.texts, contentId ?? '')
  writer.update({ texts, lastText: hashOfText(content) })
}

/** Appends to an open text, or opens one. */
export function appendText(writer: RoundWriter, delta: string): void {
  const contentId = contentIdOf(writer.core)
  const { openedCount } = writer.state
  const known = openText(writer, contentId)
  const { nextIndex: index, text, order } = known ?? { nextIndex: 0, text: '', order: openedCount }
  const preservedEnd = numberOf(writer.core?.indexEnd)
  const indexEnd = isCount(preservedEnd) && preservedEnd > index ? preservedEnd : index
  const fields: Record<string, unknown> = { delta, index }
  if (contentId !== null) fields.contentId = contentId
  if (indexEnd > index) fields.indexEnd = indexEnd
  const core = writer.core === undefined ? undefined : without(writer.core, 'indexEnd')
  if (!writer.emitEvent('content-delta', fields, {}, core)) return
  const next = { contentId, nextIndex: indexEnd + 1, text: text + delta, order }
  const { map: texts, hasEvicted } = boundedSet(writer.state.texts, contentId ?? '', next)
  if (hasEvicted) writer.evicted('texts')
  writer.update({ texts, openedCount: known === undefined ? openedCount + 1 : openedCount })
}

/** Completes all open texts, each with the text of its deltas. */
export function closeTexts(writer: RoundWriter): void {
  const texts = [...boundedEntries(writer.state.texts)].map(([, text]) => text)
  for (const { contentId, text } of texts.sort((a, b) => a.order - b.order)) {
    emitComplete(writer, contentId, text)
  }
}

/** Completes the text with the preserved id. A content that differs from its deltas follows as a text of its own. */
export function completePreserved(writer: RoundWriter, content: string): void {
  const contentId = contentIdOf(writer.core)
  const open = openText(writer, contentId)
  if (open !== undefined && open.text !== content) emitComplete(writer, contentId, open.text)
  emitComplete(writer, contentId, content, writer.core)
}

/** Completes the text with the final answer. An answer that differs follows as a text of its own. */
export function completeAnswer(writer: RoundWriter, answer: string): void {
  const open = openText(writer, null)
  if (open !== undefined && answer !== open.text) {
    const message = `Expected the final answer to equal the ${open.text.length} characters of its partial answers, got ${answer.length}; the difference was inferred.`
    writer.inferredAt('/content', 'content-delta', message)
    if (answer.startsWith(open.text)) appendText(writer, answer.slice(open.text.length))
    else emitComplete(writer, null, open.text)
  }
  emitComplete(writer, null, answer)
}

/** Completes the result of a task as a text once more, if other texts followed. */
export function repeatResult(writer: RoundWriter, content: unknown): void {
  const { lastText } = writer.state
  if (typeof content !== 'string' || lastText === null || lastText === hashOfText(content)) return
  writer.inferred(
    'content-complete',
    'Expected the result to equal the last text, got another one; a text was inferred.',
  )
  emitComplete(writer, null, content)
}

/** The hash of an answer. */
export function hashOfText(text: string): number {
  return fnv1a(FNV_OFFSET_BASIS, text)
}
