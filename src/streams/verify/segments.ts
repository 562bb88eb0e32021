/** The text segments of a task, several of which may be open at the same time. */

import { pushBounded } from '../collections/generational-map.ts'
import type { SegmentState, TextState } from './state.ts'
import { emptyHash, hashAppend, hashEquals } from './text-hash.ts'

/** More segments that are open together are not stored. */
const MAX_SEGMENTS = 256

/** The open segment of a text; `undefined` if it has none. */
export function openSegment({ segments }: TextState, contentId: string | null): SegmentState | undefined {
  return segments.findLast((segment) => segment.contentId === contentId && segment.series !== null)
}

/** Whether a text is known to have a complete segment. */
export function hasCompleted({ segments, hasEarlierSegment }: TextState, contentId: string | null): boolean {
  if (contentId === null) return hasEarlierSegment
  return segments.some((segment) => segment.contentId === contentId && segment.series === null)
}

/** The text with a segment changed or, if there is none to change, added. */
export function withSegment(
  { segments, hasEvicted, hasEarlierSegment, lastContent }: TextState,
  known: SegmentState | undefined,
  next: SegmentState,
): TextState {
  if (known !== undefined) {
    const changed = segments.map((segment) => (segment === known ? next : segment))
    return { segments: changed, hasEvicted, hasEarlierSegment, lastContent }
  }
  const others = segments.some(({ series }) => series !== null) ? segments : []
  return {
    segments: pushBounded(others, next, MAX_SEGMENTS),
    hasEvicted: hasEvicted || others.length >= MAX_SEGMENTS,
    hasEarlierSegment,
    lastContent,
  }
}

/** Whether a text consists of the segments that were open together, in the order in which they began. */
export function isJoinOf(segments: readonly SegmentState[], text: string): boolean {
  let position = 0
  for (const { content } of segments) {
    if (content === null) continue
    const end = position + content.length
    if (!hashEquals(content, hashAppend(emptyHash, text.slice(position, end)))) return false
    position = end
  }
  return position === text.length
}
