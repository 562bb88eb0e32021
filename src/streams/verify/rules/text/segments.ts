/** The text segments of a task, several of which may be open at the same time. */

import { isSameMark, markOf } from '../../../../encoding/text-mark.ts'
import { pushBounded } from '../../../../rules/bounded-list.ts'
import type { CompletedText, SegmentState, TaskDraft, TaskState } from '../../state/task-state.ts'

/** More segments that are open together are not stored. */
const MAX_SEGMENTS = 256

/** The open segment of a text; `undefined` if it has none. */
export function openSegment({ segments }: TaskState, contentId: string | null): SegmentState | undefined {
  return segments.findLast((segment) => segment.contentId === contentId && isOpen(segment))
}

/** The latest complete text with an id; `undefined` if there is none. */
export function completedText(
  { completedTexts }: TaskState,
  contentId: string | null,
): CompletedText | undefined {
  return completedTexts.findLast((text) => text.contentId === contentId)
}

/** Remembers a text that is complete. One that was complete before in the same iteration is the latest again. */
export function putCompleted(task: TaskDraft, { contentId, iteration }: CompletedText): void {
  const others = task.completedTexts.filter(
    (text) => text.contentId !== contentId || text.iteration !== iteration,
  )
  if (others.length >= MAX_SEGMENTS) task.hasEvictedSegment = true
  task.completedTexts = pushBounded(others, { contentId, iteration }, MAX_SEGMENTS)
}

/** The complete segment of a text that is still stored; `undefined` if there is none. */
export function completeSegment({ segments }: TaskState, contentId: string | null): SegmentState | undefined {
  return segments.findLast((segment) => segment.contentId === contentId && !isOpen(segment))
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
    if (!isSameMark(content, markOf(text.slice(position, end)))) return false
    position = end
  }
  return position === text.length
}
