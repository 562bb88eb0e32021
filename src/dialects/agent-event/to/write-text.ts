/** Writing the text of the answer. AgentEvents do not state where a segment ends: a tool call and the end do. */

import type { ContentCompleteEvent, ContentDeltaEvent } from '../../../events/content.ts'
import { reportLosses } from '../../shared/losses.ts'
import { dropOtherText, isOfOpenText } from '../../shared/one-text.ts'
import { ownLosses } from './losses.ts'
import type { RunWriter, ToAgentEventsState } from './state.ts'

/** Longer text is not stored. */
const MAX_TEXT = 16 * 1024 * 1024

export function writeContentDelta(writer: RunWriter, event: ContentDeltaEvent): void {
  const isContinued = isOpen(writer)
  if (dropOtherText(writer, isContinued, event)) return
  const { segment, text, nextIndex } = writer.state
  const { delta, index, indexEnd = index } = event
  const isOther = segment === 'split' || segment === 'complete'
  if (isOther || index !== (isContinued ? nextIndex : 0)) reportSegment(writer, 'index')
  const after = isOther || segment === 'merged' ? 'merged' : 'open'
  writeText(writer, delta, after, isContinued ? text : '', indexEnd + 1)
  reportLosses(writer, event, ownLosses)
}

export function writeContentComplete(writer: RunWriter, event: ContentCompleteEvent): void {
  const { segment, text } = writer.state
  const { content } = event
  if (isOfOpenText(writer.state, isOpen(writer), event)) {
    const isBegun = segment !== 'merged' && text !== null && content.startsWith(text)
    const rest = isBegun ? content.slice(text.length) : ''
    if (!isBegun || (rest !== '' && segment === 'split')) reportSegment(writer)
    if (rest !== '') writeText(writer, rest, 'complete', text)
    else writer.update({ segment: 'complete' })
  } else if (isOpen(writer)) {
    // Within the open segment, which a receiver does not see end.
    reportSegment(writer)
    writer.emit({ type: 'stream', content })
    writer.update({ segment: 'merged' })
  } else {
    if (segment === 'complete') reportSegment(writer)
    writeText(writer, content, 'complete', '')
  }
  reportLosses(writer, event, ownLosses)
}

/** Writes text, to be appended to that of the segment. */
export function writeText(
  writer: RunWriter,
  content: string,
  segment: ToAgentEventsState['segment'],
  before: string | null,
  nextIndex = 0,
): void {
  writer.emit({ type: 'stream', content })
  const text = before === null || before.length + content.length > MAX_TEXT ? null : before + content
  writer.update({ hasText: true, segment, text, nextIndex })
}

/** The segment after a tool call, which ends it for a receiver. */
export function segmentAfterCall({ segment }: ToAgentEventsState): ToAgentEventsState['segment'] {
  return segment === 'complete' ? 'none' : segment === 'open' ? 'split' : segment
}

function isOpen({ state }: RunWriter): boolean {
  return state.segment !== 'none' && state.segment !== 'complete'
}

function reportSegment(writer: RunWriter, field = 'content'): void {
  writer.lossy(field, 'A receiver cannot see the segment as it is.')
}
