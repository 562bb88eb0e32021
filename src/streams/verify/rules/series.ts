/** Rules of series of deltas: their indexes, and the whole that repeats them. */

import { isSameMark, markOf } from '../../../encoding/text-mark.ts'
import { defineRule, ERROR_LENIENT_WARN, type Rules } from '../../../rules/rule.ts'
import type { CheckContext } from '../context.ts'
import type { SeriesRuleName } from '../rule-names.ts'
import { emptySeries, type SeriesState } from '../state/task-state.ts'

export const seriesRules: Rules<SeriesRuleName> = {
  'delta-index': defineRule(
    'K16',
    'stated',
    ERROR_LENIENT_WARN,
    'The deltas of a segment, of a thought and of a call’s arguments have the indexes 0, 1, 2 and so on; a merged delta covers all of its indexes.',
  ),
  'whole-repeats-deltas': defineRule(
    'K17',
    'stated',
    ERROR_LENIENT_WARN,
    'The `content-complete`, `thought-stream` or `tool-start` after deltas repeats their joined text.',
  ),
  'segment-restarts': defineRule(
    'K18',
    'inferred',
    ERROR_LENIENT_WARN,
    'The first delta after the `content-complete` of its text has index 0.',
  ),
}

interface Delta {
  readonly delta: string
  readonly index: number
  readonly indexEnd?: number
}

/** Appends a delta to a series, and reports an index that is not the next one. */
export function appendToSeries(
  context: CheckContext,
  known: SeriesState | null,
  { delta, index, indexEnd = index }: Delta,
  rule: 'delta-index' | 'segment-restarts',
): SeriesState {
  const series = known ?? emptySeries
  const nextIndex = Math.max(index, indexEnd) + 1
  if (index === series.nextIndex && indexEnd >= index) {
    return { nextIndex, hash: series.hash && markOf(delta, series.hash) }
  }
  const isPartial = context.isTaskPartial || context.task.hasEvictedSegment
  const isJoinedLate = known === null && isPartial && rule === 'delta-index' && indexEnd >= index
  if (!isJoinedLate) reportIndex(context, rule, series.nextIndex, index, indexEnd)
  return { nextIndex, hash: null }
}

/** Reports an index, or a range of indexes, that is not the next one. */
export function reportIndex(
  context: CheckContext,
  rule: 'delta-index' | 'segment-restarts' | 'chunk-index',
  expected: number,
  actual: number,
  indexEnd: number,
): void {
  const message =
    indexEnd < actual
      ? `Expected index ${expected} with indexEnd >= index, got index ${actual} with indexEnd ${indexEnd}.`
      : `Expected index ${expected}, got ${actual}.`
  context.report(rule, message, { path: '/index', expected, actual })
}

/** Reports content that differs from its joined deltas. */
export function checkWhole(context: CheckContext, { hash }: SeriesState, content: string): void {
  if (hash === null || isSameMark(hash, markOf(content))) return
  const message = `Expected the joined deltas (length ${hash.length}) as content, got another text (length ${content.length}).`
  context.report('whole-repeats-deltas', message, { path: '/content' })
}
