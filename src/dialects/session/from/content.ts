/** The text of a round: partial answers and the final answer. */
import { isCount, isTimestamp } from '../../../validation/predicates.ts'
import { numberOf } from '../wire/coerce.ts'
import type { RoundWriter } from './round-writer.ts'

/** Appends text to the open segment, or opens one. */
export function appendText(writer: RoundWriter, delta: string): void {
  const { nextIndex: index, text } = writer.state.segment ?? { nextIndex: 0, text: '' }
  const { indexEnd: preservedEnd, timestampEnd } = writer.core ?? {}
  const end = numberOf(preservedEnd)
  const indexEnd = isCount(end) && end > index ? end : index
  const fields = {
    delta,
    index,
    ...(indexEnd > index && { indexEnd }),
    ...(isTimestamp(timestampEnd) && { timestampEnd }),
  }
  writer.emitEvent('content-delta', fields, {})
  writer.update({ segment: { nextIndex: indexEnd + 1, text: text + delta } })
}

/** Completes the open segment, if any, with the text of its deltas. */
export function closeSegment(writer: RoundWriter): void {
  const { segment } = writer.state
  if (segment === null) return
  writer.emitEvent('content-complete', {}, { content: segment.text })
  writer.update({ segment: null })
}

/** Completes the segment with the final answer. An answer that differs follows as a segment of its own. */
export function completeAnswer(writer: RoundWriter, answer: string): void {
  const { segment } = writer.state
  if (segment !== null && answer !== segment.text) {
    const message = `Expected the final answer to equal the ${segment.text.length} characters of its partial answers, got ${answer.length}; the difference was inferred.`
    writer.inferredAt('/content', 'content-delta', message)
    if (answer.startsWith(segment.text)) appendText(writer, answer.slice(segment.text.length))
    else closeSegment(writer)
  }
  const isRepeated = segment === null && writer.state.answer?.content === answer
  if (writer.state.segment !== null) closeSegment(writer)
  else if (isRepeated) writer.diagnostic('duplicate', 'Repeated final answer.', { path: '/content' })
  else writer.emitEvent('content-complete', { content: answer }, {})
}
