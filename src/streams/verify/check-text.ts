/** Checking content and thoughts. */
import type { CheckContext, Checks } from './context.ts'
import type { VerifiedSeries } from './state.ts'
import { emptySum, isSameSum, summed } from './text-hash.ts'

const newSeries: VerifiedSeries = { next: 0, sum: emptySum }

export const textChecks: Checks<'content-delta' | 'content-complete' | 'thought-delta' | 'thought-stream'> = {
  'content-delta'(scope, event) {
    reportSpeech(scope)
    const { segment, isLater } = scope.task.text
    const rule = segment === null && isLater ? 'segment-restarts' : 'delta-index'
    const { last } = scope.task.text
    const next = nextOf(scope, segment, event, rule)
    scope.setParts(scope.task.life, { segment: next, isLater, last })
  },

  'content-complete'(scope, { content }) {
    const { segment } = scope.task.text
    const last = summed(emptySum, content)
    if (segment?.sum != null && !isSameSum(segment.sum, last)) {
      scope.report('whole-repeats-deltas', 'The content is not the deltas joined.', {
        path: '/content',
        expected: segment.sum.length,
        actual: last.length,
      })
    }
    scope.changeTask('text', { segment: null, isLater: true, last })
  },

  'thought-delta'(scope, event) {
    const key = scope.key(event.thoughtId)
    const known = scope.get('thoughts', key)
    if (known?.state === 'complete') {
      scope.report('thought-once', 'The thought is complete.', {
        path: '/thoughtId',
        actual: event.thoughtId,
      })
      return
    }
    const series = nextOf(scope, known?.series ?? null, event, 'delta-index')
    scope.set('thoughts', key, { state: 'open', series })
  },

  'thought-stream'(scope, event) {
    const { thoughtId, content, index, metadata } = event
    const key = scope.key(thoughtId)
    const known = scope.get('thoughts', key)
    if (known?.state === 'complete') {
      scope.report('thought-once', 'There is such a thought already.', {
        path: '/thoughtId',
        actual: thoughtId,
      })
    } else if (known?.series.sum != null && !isSameSum(known.series.sum, summed(emptySum, content))) {
      const more = { path: '/content', expected: known.series.sum.length, actual: content.length }
      scope.report('whole-repeats-deltas', 'The thought is not its deltas joined.', more)
    }
    const { nextThought } = scope.task
    if (nextThought !== null && index !== nextThought) {
      scope.report('thought-index', 'Not the next thought.', {
        path: '/index',
        expected: nextThought,
        actual: index,
      })
    }
    scope.task = { ...scope.task, nextThought: index + 1 }
    scope.set('thoughts', key, { state: 'complete', series: newSeries })
    relate(scope, metadata?.relatedTo)
  },
}

/** Reports that a task goes on although it waits for somebody. */
export function reportSpeech(scope: CheckContext): void {
  const { status } = scope.task.life
  if (status !== 'waiting-input' && status !== 'waiting-auth') return
  scope.report('silent-while-waiting', `The task is ${status}.`, { path: '/kind' })
}

interface Delta {
  readonly delta: string
  readonly index: number
  readonly indexEnd?: number
}

/** A series with one more delta. */
function nextOf(
  scope: CheckContext,
  series: VerifiedSeries | null,
  { delta, index, indexEnd = index }: Delta,
  rule: 'delta-index' | 'segment-restarts',
): VerifiedSeries {
  const known = series ?? newSeries
  const isNext = index === known.next && indexEnd >= index
  const next = Math.max(index, indexEnd) + 1
  if (isNext) return { next, sum: known.sum && summed(known.sum, delta) }
  const mayBeLater = series === null && scope.mayKnowMore && rule === 'delta-index' && indexEnd >= index
  if (!mayBeLater) {
    const more = { path: '/index', expected: known.next, actual: index }
    scope.report(rule, 'Not the next delta.', more)
  }
  return { next, sum: null }
}

/** Remembers what a thought relates to, unless it is known. At most 64 are remembered. */
function relate(scope: CheckContext, relatedTo: string | undefined): void {
  if (relatedTo === undefined || !scope.asksFor('related-known')) return
  const key = scope.key(relatedTo)
  if (scope.get('thoughts', key) !== undefined || scope.get('calls', key) !== undefined) return
  const { contextId, taskId } = scope.task
  const { related, index: eventIndex } = scope.state
  const relation = { key, relatedTo, eventIndex, contextId, taskId }
  scope.change({ related: [...related.slice(-63), relation] })
}
