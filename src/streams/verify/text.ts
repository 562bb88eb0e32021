/** Rules of content and thoughts. */

import { describeValue } from '../../core/require.ts'
import type { CheckContext, Checks } from './context.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  ERROR_WARN_OFF,
  ERROR_WARN_WARN,
  type Rules,
  WARN_LENIENT_OFF,
  WARN_STRICT_ONLY,
} from './rule.ts'
import type { TextRuleName } from './rule-names.ts'
import { hasCompleted, openSegment, withSegment } from './segments.ts'
import { indexMessage } from './series.ts'
import type { SeriesState, ThoughtLabels, ThoughtState } from './state.ts'
import { emptyHash, hashAppend, hashEquals, type TextHash } from './text-hash.ts'

export const textRules: Rules<TextRuleName> = {
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
  'thought-once': defineRule(
    'K40',
    'stated',
    ERROR_WARN_OFF,
    'Each `thoughtId` has one `thought-stream`, and no deltas after it.',
  ),
  'thought-labels': defineRule(
    'K51',
    'added',
    ERROR_LENIENT_WARN,
    'The `thoughtType` and `verbosity` of the deltas of a thought are those of its `thought-stream`: they decide who sees it.',
  ),
  'thought-index': defineRule(
    'K40',
    'stated',
    ERROR_WARN_OFF,
    'The thoughts of a task have the indexes 0, 1, 2 and so on.',
  ),
  'confidence-range': defineRule('K41', 'stated', ERROR, '`metadata.confidence` is between 0 and 1.'),
  'related-known': defineRule(
    'K41',
    'inferred',
    WARN_LENIENT_OFF,
    '`metadata.relatedTo` is the id of an earlier or later thought or tool call of the stream.',
  ),
  'silent-while-waiting': defineRule(
    'K44',
    'inferred',
    ERROR_WARN_OFF,
    'A task that waits for an input or an authentication sends no content and starts no tools.',
  ),
}

const emptySeries: SeriesState = { nextIndex: 0, hash: emptyHash }

export const textChecks: Checks<'content-delta' | 'content-complete' | 'thought-delta' | 'thought-stream'> = {
  'content-delta'(context, event) {
    checkNotWaiting(context, event.kind)
    const { text, lifecycle } = context.task
    const { contentId = null } = event
    const open = openSegment(text, contentId)
    const isRestart = open === undefined && hasCompleted(text, contentId)
    const rule = isRestart ? 'segment-restarts' : 'delta-index'
    const series = appendToSeries(context, open?.series ?? null, event, rule)
    context.setLifecycleAndText(lifecycle, withSegment(text, open, { contentId, series, content: null }))
  },

  'content-complete'(context, { content, contentId = null }) {
    const { text, lifecycle } = context.task
    const open = openSegment(text, contentId)
    const lastContent = hashAppend(emptyHash, content)
    checkWhole(context, open?.series ?? null, lastContent)
    const { segments, hasEvicted, hasEarlierSegment } = withSegment(text, open, {
      contentId,
      series: null,
      content: lastContent,
    })
    context.setLifecycleAndText(lifecycle, {
      segments,
      hasEvicted,
      hasEarlierSegment: hasEarlierSegment || contentId === null,
      lastContent,
    })
  },

  'thought-delta'(context, event) {
    const { thoughtId } = event
    const key = context.contextKey(thoughtId)
    const thought = context.get('thoughts', key)
    if (thought?.state === 'complete') {
      const message = `thought-delta after the thought-stream of thoughtId ${describeValue(thoughtId)}.`
      context.report('thought-once', message, { path: '/thoughtId', actual: thoughtId })
      return
    }
    const series = appendToSeries(context, thought?.series ?? null, event, 'delta-index')
    context.set('thoughts', key, { state: 'open', series, labels: checkLabels(context, thought, event) })
  },

  'thought-stream'(context, event) {
    const { thoughtId, content, index, metadata } = event
    const key = context.contextKey(thoughtId)
    const thought = context.get('thoughts', key)
    if (thought?.state === 'complete') {
      const message = `Duplicate thought-stream for thoughtId ${describeValue(thoughtId)}.`
      context.report('thought-once', message, { path: '/thoughtId', actual: thoughtId })
    } else if (thought !== undefined) {
      checkWhole(context, thought.series, hashAppend(emptyHash, content))
      checkLabels(context, thought, event)
    }
    const { nextThought } = context.task
    if (nextThought !== null && index !== nextThought) {
      const details = { path: '/index', expected: nextThought, actual: index }
      context.report('thought-index', `Expected thought index ${nextThought}, got ${index}.`, details)
    }
    context.task = { ...context.task, nextThought: index + 1 }
    context.set('thoughts', key, { state: 'complete', series: emptySeries, labels: {} })
    checkReference(context, metadata?.relatedTo)
  },
}

/** Reports labels that differ from those of earlier deltas of the thought. Returns the labels known so far. */
function checkLabels(
  context: CheckContext,
  thought: ThoughtState | undefined,
  { thoughtType, verbosity }: ThoughtLabels,
): ThoughtLabels {
  const known = thought?.labels ?? {}
  for (const [field, actual] of Object.entries({ thoughtType, verbosity })) {
    const expected = known[field as keyof ThoughtLabels]
    if (actual === undefined || expected === undefined || actual === expected) continue
    const message = `Expected the ${field} ${describeValue(expected)} of the deltas, got ${describeValue(actual)}.`
    context.report('thought-labels', message, { path: `/${field}`, expected, actual })
  }
  return {
    ...known,
    ...(thoughtType !== undefined && { thoughtType }),
    ...(verbosity !== undefined && { verbosity }),
  }
}

/** Reports content that differs from its joined deltas. */
function checkWhole(context: CheckContext, series: SeriesState | null, content: TextHash): void {
  if (series?.hash == null || hashEquals(series.hash, content)) return
  const { length: expected } = series.hash
  const { length: actual } = content
  const message = `The content (length ${actual}) differs from the joined deltas (length ${expected}).`
  context.report('whole-repeats-deltas', message, { path: '/content', expected, actual })
}

/** Reports an event that a task must not send while it waits for a person. */
export function checkNotWaiting(context: CheckContext, kind: string): void {
  const { status } = context.task.lifecycle
  if (status !== 'waiting-input' && status !== 'waiting-auth') return
  context.report('silent-while-waiting', `Expected no ${kind} while the task has status ${status}.`, {
    path: '/kind',
  })
}

interface Delta {
  readonly delta: string
  readonly index: number
  readonly indexEnd?: number
}

/** Appends a delta to a series, and reports an index that is not the next one. */
function appendToSeries(
  context: CheckContext,
  known: SeriesState | null,
  { delta, index, indexEnd = index }: Delta,
  rule: 'delta-index' | 'segment-restarts',
): SeriesState {
  const series = known ?? emptySeries
  const nextIndex = Math.max(index, indexEnd) + 1
  if (index === series.nextIndex && indexEnd >= index) {
    return { nextIndex, hash: series.hash && hashAppend(series.hash, delta) }
  }
  const isPartial = context.isTaskPartial || context.task.text.hasEvicted
  const isJoinedLate = known === null && isPartial && rule === 'delta-index' && indexEnd >= index
  if (!isJoinedLate) {
    const details = { path: '/index', expected: series.nextIndex, actual: index }
    context.report(rule, indexMessage(series.nextIndex, index, indexEnd), details)
  }
  return { nextIndex, hash: null }
}

/** Stores a reference to a thought or tool call that has not been seen yet. */
function checkReference(context: CheckContext, relatedTo: string | undefined): void {
  if (relatedTo === undefined || !context.isEnabled('related-known')) return
  const key = context.contextKey(relatedTo)
  if (context.get('thoughts', key) !== undefined || context.get('calls', key) !== undefined) return
  context.addUnresolved(key, relatedTo)
}

/** Reports, at the end of the stream, the references to thoughts and tool calls that never came. */
export function reportUnresolved(context: CheckContext): void {
  if (context.isPartial) return
  for (const { key, relatedTo, ...location } of context.state.unresolved) {
    if (context.get('thoughts', key) !== undefined || context.get('calls', key) !== undefined) continue
    const message = `No thought or tool call has the id ${describeValue(relatedTo)} of metadata.relatedTo.`
    const details = { ...location, path: '/metadata/relatedTo', actual: relatedTo }
    context.report('related-known', message, details)
  }
}
