/** Rules of thoughts. */

import { describeValue } from '../../../../core/require.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  ERROR_WARN_OFF,
  type Rules,
  WARN_LENIENT_OFF,
} from '../../../../rules/rule.ts'
import type { CheckContext, Checks } from '../../context.ts'
import type { ThoughtRuleName } from '../../rule-names.ts'
import type { ThoughtLabels, ThoughtState } from '../../state/verifier-state.ts'
import { beginItem, checkSameIteration } from '../iteration.ts'
import { appendToSeries, checkWhole, emptySeries } from '../series.ts'

export const thoughtRules: Rules<ThoughtRuleName> = {
  'thought-once': defineRule(
    'K40',
    'stated',
    ERROR_WARN_OFF,
    'Each `thoughtId` of a task has one `thought-stream`, and no deltas after it.',
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
}

const noLabels: ThoughtLabels = {}

export const thoughtChecks: Checks<'thought-delta' | 'thought-stream'> = {
  'thought-delta'(context, event) {
    const { thoughtId } = event
    const key = context.itemKey(thoughtId)
    const thought = context.get('thoughts', key)
    if (thought?.state === 'complete') {
      const message = `Expected no thought-delta after the thought-stream of thoughtId ${describeValue(thoughtId)}.`
      context.report('thought-once', message, { path: '/thoughtId', actual: thoughtId })
      return
    }
    const iteration = checkThoughtIteration(context, key, thought, event.iteration)
    const series = appendToSeries(context, thought?.series ?? null, event, 'delta-index')
    const labels = checkLabels(context, thought?.labels ?? noLabels, event)
    if (thought === undefined) context.own(context.contextKey(thoughtId))
    context.set('thoughts', key, { state: 'open', iteration, series, labels })
  },

  'thought-stream'(context, event) {
    const { thoughtId, content, index, metadata } = event
    const key = context.itemKey(thoughtId)
    const thought = context.get('thoughts', key)
    if (thought?.state === 'complete') {
      const message = `Duplicate thought-stream for thoughtId ${describeValue(thoughtId)}.`
      context.report('thought-once', message, { path: '/thoughtId', actual: thoughtId })
    } else if (thought !== undefined) {
      checkWhole(context, thought.series, content)
      checkLabels(context, thought.labels, event)
    }
    const iteration = checkThoughtIteration(context, key, thought, event.iteration)
    const { task } = context
    if (task.nextThought !== null && index !== task.nextThought) {
      const details = { path: '/index', expected: task.nextThought, actual: index }
      context.report('thought-index', `Expected thought index ${task.nextThought}, got ${index}.`, details)
    }
    task.nextThought = index + 1
    if (iteration !== task.iteration) task.remaining = { ...task.remaining, nextThought: task.nextThought }
    if (thought === undefined) context.own(context.contextKey(thoughtId))
    context.set('thoughts', key, { state: 'complete', iteration, series: emptySeries, labels: noLabels })
    checkReference(context, metadata?.relatedTo)
  },
}

/** The iteration of a thought. Reports that of an event which begins or continues it. */
function checkThoughtIteration(
  context: CheckContext,
  key: string,
  known: ThoughtState | undefined,
  stated: number | undefined,
): number | null {
  if (known === undefined) beginItem(context, 'thoughts', key, stated)
  else checkSameIteration(context, known.iteration, stated)
  return known === undefined ? (stated ?? null) : known.iteration
}

/** Reports labels that differ from those of earlier deltas of the thought. Returns the labels known so far. */
function checkLabels(context: CheckContext, known: ThoughtLabels, event: ThoughtLabels): ThoughtLabels {
  const { thoughtType, verbosity } = event
  checkLabel(context, 'thoughtType', known.thoughtType, thoughtType)
  checkLabel(context, 'verbosity', known.verbosity, verbosity)
  if (thoughtType === undefined && verbosity === undefined) return known
  return {
    ...known,
    ...(thoughtType !== undefined && { thoughtType }),
    ...(verbosity !== undefined && { verbosity }),
  }
}

function checkLabel(
  context: CheckContext,
  field: keyof ThoughtLabels,
  expected: string | undefined,
  actual: string | undefined,
): void {
  if (actual === undefined || expected === undefined || actual === expected) return
  const message = `Expected the ${field} ${describeValue(expected)} of the deltas, got ${describeValue(actual)}.`
  context.report('thought-labels', message, { path: `/${field}`, expected, actual })
}

/** Stores a reference to a thought or tool call that has not been seen yet. */
function checkReference(context: CheckContext, relatedTo: string | undefined): void {
  if (relatedTo === undefined || !context.isEnabled('related-known')) return
  const key = context.contextKey(relatedTo)
  if (!context.isOwned(key)) context.addUnresolved(key, relatedTo)
}

/** Reports, at the end of the stream, the references to thoughts and tool calls that never came. */
export function reportUnresolved(context: CheckContext): void {
  if (context.isPartial) return
  for (const { key, relatedTo, ...location } of context.unresolved) {
    if (context.isOwned(key)) continue
    const message = `No thought or tool call has the id ${describeValue(relatedTo)} of metadata.relatedTo.`
    const details = { ...location, path: '/metadata/relatedTo', actual: relatedTo }
    context.report('related-known', message, details)
  }
}
