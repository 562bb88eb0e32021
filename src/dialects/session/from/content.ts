/** The text of a round: partial answers and the final answer. */
import { type Fields, isCount, isTimestamp } from '../../../validation/predicates.ts'
import { numberOf } from '../wire/coerce.ts'
import type { RoundWriter } from './round-writer.ts'
import type { OpenSegment } from './state.ts'

/** More open segments are not stored: the oldest is completed. */
const MAX_SEGMENTS = 256

/** The preserved id of a text; `null` for the text without one. */
export function contentIdOf(core: Fields | undefined): string | null {
  const id = core?.contentId
  return typeof id === 'string' && id !== '' ? id : null
}

function openSegment({ state }: RoundWriter, contentId: string | null): OpenSegment | undefined {
  return state.segments.find((segment) => segment.contentId === contentId)
}

/** Removes an open segment that was completed. */
export function removeSegment(writer: RoundWriter, contentId: string | null): void {
  writer.update({ segments: writer.state.segments.filter((segment) => segment.contentId !== contentId) })
}

/** Appends text to the open segment of its text, or opens one. */
export function appendText(writer: RoundWriter, delta: string): void {
  const contentId = contentIdOf(writer.core)
  const known = openSegment(writer, contentId)
  const { nextIndex: index, text } = known ?? { nextIndex: 0, text: '' }
  const { indexEnd: preservedEnd, timestampEnd } = writer.core ?? {}
  const end = numberOf(preservedEnd)
  const indexEnd = isCount(end) && end > index ? end : index
  const fields = {
    ...(contentId !== null && { contentId }),
    delta,
    index,
    ...(indexEnd > index && { indexEnd }),
    ...(isTimestamp(timestampEnd) && { timestampEnd }),
  }
  const [oldest] = writer.state.segments
  if (known === undefined && oldest !== undefined && writer.state.segments.length >= MAX_SEGMENTS) {
    completeSegment(writer, oldest)
  }
  writer.emitEvent('content-delta', fields, {})
  const next = { contentId, nextIndex: indexEnd + 1, text: text + delta }
  const { segments } = writer.state
  writer.update({
    segments:
      known === undefined
        ? [...segments, next]
        : segments.map((segment) => (segment === known ? next : segment)),
  })
}

/** Completes all open segments, each with the text of its deltas. */
export function closeSegments(writer: RoundWriter): void {
  for (const segment of writer.state.segments) completeSegment(writer, segment)
}

function completeSegment(writer: RoundWriter, { contentId, text: content }: OpenSegment): void {
  writer.emitEvent('content-complete', contentId === null ? {} : { contentId }, { content })
  removeSegment(writer, contentId)
}

/** Completes the segment with the final answer. An answer that differs follows as a segment of its own. */
export function completeAnswer(writer: RoundWriter, answer: string): void {
  const segment = openSegment(writer, null)
  if (segment !== undefined && answer !== segment.text) {
    const message = `Expected the final answer to equal the ${segment.text.length} characters of its partial answers, got ${answer.length}; the difference was inferred.`
    writer.inferredAt('/content', 'content-delta', message)
    if (answer.startsWith(segment.text)) appendText(writer, answer.slice(segment.text.length))
    else completeSegment(writer, segment)
  }
  const isRepeated = segment === undefined && writer.state.answer?.content === answer
  const rest = openSegment(writer, null)
  if (rest !== undefined) completeSegment(writer, rest)
  else if (isRepeated) writer.diagnostic('duplicate', 'Repeated final answer.', { path: '/content' })
  else writer.emitEvent('content-complete', { content: answer }, {})
}
