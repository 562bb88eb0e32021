/** Rules of thoughts. */

import { describeValue } from '../../../../core/require.ts'
import { expectEqual } from '../../../../rules/expect.ts'
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
import { emptySeries } from '../../state/task-state.ts'
import type { ThoughtLabels } from '../../state/verifier-state.ts'
import { enterItem } from '../item.ts'
import { iterationOf } from '../iteration.ts'
import { appendToSeries, checkWhole } from '../series.ts'

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
    const entered = enterItem(context, 'thoughts', event.kind, event.thoughtId)
    if (entered === undefined) return
    const { key, known, state } = entered
    const iteration = iterationOf(context, known, event.iteration, ['thoughts', key])
    const series = appendToSeries(context, known?.series ?? null, event, 'delta-index')
    const labels = checkLabels(context, known?.labels ?? noLabels, event)
    context.set('thoughts', key, { state, iteration, series, labels })
  },

  'thought-stream'(context, event) {
    const { thoughtId, content, index, metadata } = event
    const key = context.itemKey(thoughtId)
    const known = context.get('thoughts', key)
    if (enterItem(context, 'thoughts', event.kind, thoughtId) !== undefined && known !== undefined) {
      checkWhole(context, known.series, content)
      checkLabels(context, known.labels, event)
    }
    const iteration = iterationOf(context, known, event.iteration, ['thoughts', key])
    const { task } = context
    const next = task.nextThought ?? index
    expectEqual(context, 'thought-index', '/index', next, index, { name: 'thought index' })
    task.nextThought = index + 1
    if (iteration !== task.iteration) task.remaining = { ...task.remaining, nextThought: task.nextThought }
    context.set('thoughts', key, { state: 'complete', iteration, series: emptySeries, labels: noLabels })
    checkReference(context, metadata?.relatedTo)
  },
}

/** Reports labels that differ from those of earlier deltas of the thought. Returns the labels known so far. */
function checkLabels(context: CheckContext, known: ThoughtLabels, event: ThoughtLabels): ThoughtLabels {
  let labels = known
  for (const field of ['thoughtType', 'verbosity'] as const) {
    const { [field]: actual } = event
    if (actual === undefined) continue
    const details = { name: `the ${field}`, of: 'the deltas' }
    expectEqual(context, 'thought-labels', `/${field}`, known[field] ?? actual, actual, details)
    labels = { ...labels, [field]: actual }
  }
  return labels
}

/** Stores a reference to a thought or tool call that has not been seen yet. */
function checkReference(context: CheckContext, relatedTo: string | undefined): void {
  if (relatedTo === undefined || !context.isEnabled('related-known')) return
  const key = ` ${context.contextKey(relatedTo)}`
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
