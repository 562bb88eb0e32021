/** Rules of the content of tasks: text segments. */

import { describeValue } from '../../../../core/require.ts'
import { isSameMark, markOf } from '../../../../encoding/text-mark.ts'
import {
  defineRule,
  ERROR_LENIENT_WARN,
  ERROR_WARN_WARN,
  type Rules,
  WARN_STRICT_ONLY,
} from '../../../../rules/rule.ts'
import type { CheckContext, Checks } from '../../context.ts'
import type { ContentRuleName } from '../../rule-names.ts'
import type { SegmentState } from '../../state/task-state.ts'
import { iterationOf } from '../iteration.ts'
import { checkNotWaiting } from '../request/waiting.ts'
import { appendToSeries, checkWhole } from '../series.ts'
import {
  completedText,
  completeSegment,
  isJoinOf,
  isOpen,
  openSegment,
  putCompleted,
  putSegment,
} from './segments.ts'

export const contentRules: Rules<ContentRuleName> = {
  'segment-open-at-success': defineRule(
    'K19',
    'inferred',
    ERROR_WARN_WARN,
    'A task ends its open text segments with `content-complete` before it completes, or its `task-complete` repeats their text as `content`.',
  ),
  'segment-open-at-failure': defineRule(
    'K19',
    'inferred',
    WARN_STRICT_ONLY,
    'A task ends its open text segments with `content-complete` before it fails or is canceled.',
  ),
  'replaced-known': defineRule(
    'K53',
    'added',
    ERROR_LENIENT_WARN,
    'A `content-replace` replaces a text of its task that is open, or has been completed and not been reset.',
  ),
}

export const contentChecks: Checks<'content-delta' | 'content-replace' | 'content-complete'> = {
  'content-delta'(context, event) {
    checkNotWaiting(context, event.kind)
    const { task } = context
    const { contentId = null } = event
    const open = openSegment(task, contentId)
    const isRestart = open === undefined && completedText(task, contentId) !== undefined
    const iteration = iterationOf(context, open, event.iteration)
    const rule = isRestart ? 'segment-restarts' : 'delta-index'
    const series = appendToSeries(context, open?.series ?? null, event, rule)
    putSegment(task, open, {
      contentId,
      iteration,
      isReopened: open?.isReopened ?? false,
      series,
      content: null,
    })
  },

  'content-replace'(context, { content, contentId = null, iteration: stated }) {
    const { task } = context
    const open = openSegment(task, contentId)
    const known = open ?? completedText(task, contentId)
    if (known === undefined && !context.isTaskPartial && !task.hasEvictedSegment) {
      const message =
        contentId === null
          ? 'Expected a text without an id before content-replace, got none.'
          : `Expected a text of contentId ${describeValue(contentId)} of the task to replace, got none.`
      context.report('replaced-known', message, {
        path: contentId === null ? '/kind' : '/contentId',
        actual: contentId ?? 'content-replace',
      })
    }
    const iteration = iterationOf(context, known, stated)
    const isReopened = open?.isReopened ?? known !== undefined
    if (isReopened) task.lastContent = null
    const series = { nextIndex: 1, hash: markOf(content) }
    const segment = { contentId, iteration, isReopened, series, content: null }
    putSegment(task, open ?? completeSegment(task, contentId), segment)
  },

  'content-complete'(context, { content, contentId = null, iteration: stated }) {
    const { task } = context
    const open = openSegment(task, contentId)
    if (open?.series != null) checkWhole(context, open.series, content)
    const iteration = iterationOf(context, open, stated)
    const isReopened = open?.isReopened ?? false
    const hash = markOf(content)
    putSegment(task, open, { contentId, iteration, isReopened, series: null, content: hash })
    putCompleted(task, { contentId, iteration })
    task.lastContent = isReopened ? null : hash
    if (iteration !== task.iteration) task.remaining = { ...task.remaining, lastContent: task.lastContent }
  },
}

/**
 * Reports and ends the open text segments of a task that ends.
 *
 * @param content - The text of the `task-complete` that ends it. If it repeats that of the segments, it ends them as
 * a `content-complete` does. Omitted if the task ends otherwise, or without text.
 */
export function endSegments(context: CheckContext, isSuccess: boolean, content?: string): void {
  const { task } = context
  const open = task.segments.filter(isOpen)
  if (open.length === 0) return
  const ended = task.segments.map(endOf)
  // A text with missing deltas may be what the result repeats.
  const isUnknown = task.hasEvictedSegment || ended.some((segment) => segment.content === null)
  if (
    content !== undefined &&
    (isUnknown || isJoinOf(open.map(endOf), content) || isJoinOf(ended, content))
  ) {
    task.lastContent = markOf(content)
    return
  }
  for (const { contentId } of open) {
    const rule = isSuccess ? 'segment-open-at-success' : 'segment-open-at-failure'
    const name = contentId === null ? '' : ` of contentId ${describeValue(contentId)}`
    context.report(
      rule,
      `Expected a content-complete for the open text${name} before the task ends, got none.`,
    )
  }
  // Whether a result repeats the open texts is part of what was reported.
  task.lastContent = null
}

/** A segment, complete with what its deltas joined. */
function endOf(segment: SegmentState): SegmentState {
  const { series, content } = segment
  return series === null ? segment : { ...segment, series: null, content: series.hash ?? content }
}

/** Whether a text is the last content of the task, or joins it with the texts that were open together with it. */
export function isResult({ task, isTaskPartial }: CheckContext, content: string): boolean {
  const { lastContent, segments, hasEvictedSegment } = task
  if (lastContent === null || isSameMark(lastContent, markOf(content))) return true
  // Some of the texts may be unknown.
  return hasEvictedSegment || isTaskPartial || isJoinOf(segments, content)
}
