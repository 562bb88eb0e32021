/** The text segments of a task, several of which may be open at the same time. */

import { pushBounded } from '../../state/bounded-list.ts'
import type { SegmentState, TaskDraft, TaskState } from '../../state/task-state.ts'
import { hashEquals, hashText } from '../../state/text-hash.ts'

/** More segments that are open together are not stored. */
const MAX_SEGMENTS = 256

/** The open segment of a text; `undefined` if it has none. */
export function openSegment({ segments }: TaskState, contentId: string | null): SegmentState | undefined {
  for (let at = segments.length - 1; at >= 0; at--) {
    const segment = segments[at]
    if (segment !== undefined && segment.contentId === contentId && isOpen(segment)) return segment
  }
  return undefined
}

/** Whether a text is known to have a complete segment. */
export function hasCompleted({ segments, hasEarlierSegment }: TaskState, contentId: string | null): boolean {
  if (contentId === null) return hasEarlierSegment
  return segments.some((segment) => segment.contentId === contentId && !isOpen(segment))
}

/** Replaces a segment or, if there is none to replace, adds it. */
export function putSegment(task: TaskDraft, known: SegmentState | undefined, next: SegmentState): void {
  if (known !== undefined) {
    const segments = task.segments.slice()
    segments[segments.indexOf(known)] = next
    task.segments = segments
    return
  }
  const others = task.segments.some(isOpen) ? task.segments : []
  if (others.length >= MAX_SEGMENTS) task.hasEvictedSegment = true
  task.segments = pushBounded(others, next, MAX_SEGMENTS)
}

export function isOpen({ series }: SegmentState): boolean {
  return series !== null
}

/** Whether a text consists of the segments that were open together, in the order in which they began. */
export function isJoinOf(segments: readonly SegmentState[], text: string): boolean {
  let position = 0
  for (const { content } of segments) {
    if (content === null) continue
    const end = position + content.length
    if (!hashEquals(content, hashText(text.slice(position, end)))) return false
    position = end
  }
  return position === text.length
}
