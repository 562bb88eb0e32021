/** The texts of a round: partial answers and the final answer. */

import {
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedSet,
} from '../../../core/bounded-map/bounded-map.ts'
import { markOf } from '../../../encoding/text-mark.ts'
import { type Fields, isCount } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { REST } from '../wire/carried.ts'
import { numberOf, textOf } from '../wire/coerce.ts'
import { type RoundWriter, without } from './round-writer.ts'
import type { OpenText } from './state.ts'

/** The preserved id of a text; `null` for the text without one. */
export function contentIdOf(core: Fields | undefined): string | null {
  const id = core?.contentId
  return typeof id === 'string' && id !== '' ? id : null
}

/** The preserved index of a delta or thought; the next one if it is not stated. */
export function preservedIndex({ core }: RoundWriter, next: number): number {
  const index = core?.index
  return isCount(index) ? (index as number) : next
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
  const stepId = openText(writer, contentId)?.stepId ?? ''
  const ownStep = textOf(writer.event.step_id)
  const isCarried = stepId !== '' && ownStep === ''
  const metadata = { ...fieldsOf(core.metadata), [REST]: { event: 'agent.partial_answer', step_id: stepId } }
  if (!writer.emitEvent('content-complete', { content }, {}, isCarried ? { ...core, metadata } : core)) return
  if (!isCarried) reportStep(writer, stepId, ownStep)
  const texts = boundedDelete(writer.state.texts, contentId ?? '')
  writer.update({ texts, lastText: markOf(content).hash })
}

/** Reports the step of a part of a text that is not that of the text. */
function reportStep(writer: RoundWriter, stepId: string, expected: string): void {
  if (stepId !== '' && stepId !== expected) writer.lossy('step_id', 'Expected one step of a text.', stepId)
}

/**
 * Appends to an open text, or opens one.
 *
 * @param step - The step of the delta, if it states one.
 */
export function appendText(writer: RoundWriter, delta: string, step = ''): void {
  const contentId = contentIdOf(writer.core)
  const { openedCount } = writer.state
  const known = openText(writer, contentId)
  const { nextIndex, text, order } = known ?? { nextIndex: 0, text: '', order: openedCount }
  const index = preservedIndex(writer, nextIndex)
  const preservedEnd = numberOf(writer.core?.indexEnd)
  const indexEnd = isCount(preservedEnd) && preservedEnd > index ? preservedEnd : index
  const fields: Record<string, unknown> = { delta, index }
  if (contentId !== null) fields.contentId = contentId
  if (indexEnd > index) fields.indexEnd = indexEnd
  const core = writer.core === undefined ? undefined : without(writer.core, 'indexEnd')
  if (!writer.emitEvent('content-delta', fields, {}, core)) return
  const stepId = known?.stepId || step
  reportStep(writer, step, stepId)
  const next = { contentId, nextIndex: indexEnd + 1, text: text + delta, stepId, order }
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
    const message = `Expected the ${open.text.length} characters of the partial answers, got ${answer.length}.`
    writer.inferredAt('/content', 'content-delta', message)
    if (answer.startsWith(open.text)) appendText(writer, answer.slice(open.text.length))
    else emitComplete(writer, null, open.text)
  }
  emitComplete(writer, null, answer)
}

/** Completes the result of a task as a text once more, if other texts followed. */
export function repeatResult(writer: RoundWriter, content: unknown): void {
  const { lastText } = writer.state
  if (typeof content !== 'string' || lastText === null || lastText === markOf(content).hash) return
  writer.inferred('content-complete', 'Expected the result to equal the last text.')
  emitComplete(writer, null, content)
}
