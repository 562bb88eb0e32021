/** Checks runs. */

import { boundedEntries, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { expectEqual } from '../../../rules/expect.ts'
import { endCallChunk, itemTypes } from './check-item.ts'
import { type AgUiContext, textOf } from './context.ts'

/** Checks where in a run an event is. Returns whether it is checked further. */
export function checkPlace(context: AgUiContext, type: string, event: object): boolean {
  const { state } = context
  if (type === 'RUN_STARTED') {
    startRun(context, event)
    return false
  }
  const isEnd = type === 'RUN_FINISHED' || type === 'RUN_ERROR'
  if (state.phase === 'ended' && state.end !== null) {
    const rule = isEnd ? 'one-end' : 'nothing-after-end'
    const message = `Expected RUN_STARTED after ${state.end.type}, got ${type}.`
    context.report(rule, message, { relatedEventIndex: state.end.index })
    return false
  }
  if (state.phase === 'none') {
    if (type !== 'RUN_ERROR') {
      context.report(
        'run-started-first',
        `Expected RUN_STARTED as the first event of the run, got ${type}.`,
        {
          path: '/type',
          expected: 'RUN_STARTED',
        },
      )
    }
    state.phase = 'active'
    state.run++
  }
  if (isEnd) endRun(context, type, event)
  return !isEnd
}

function startRun(context: AgUiContext, event: object): void {
  const { state, index } = context
  const runId = textOf(event, 'runId') ?? ''
  if (state.phase === 'active' && !(state.isPartial && state.ids === null)) {
    const message = `Expected the end of the active run before RUN_STARTED of run ${describeValue(runId)}.`
    context.report(
      'run-started-once',
      message,
      state.ids === null ? {} : { relatedEventIndex: state.ids.index },
    )
    return
  }
  state.phase = 'active'
  state.run++
  state.ids = { threadId: textOf(event, 'threadId') ?? '', runId, index }
  state.end = null
  state.open = emptyBoundedMap
  state.shared = null
  state.deltas = 0
  state.hasReportedDelta = false
  state.hasSnapshot = false
  state.chunks = { text: null, call: null, reasoning: null }
}

function endRun(context: AgUiContext, type: string, event: object): void {
  const { state, index } = context
  if (type === 'RUN_FINISHED') {
    for (const field of ['threadId', 'runId'] as const) {
      const actual = textOf(event, field)
      if (state.ids === null || actual === undefined) continue
      const details = { relatedEventIndex: state.ids.index }
      expectEqual(context, 'run-ids', `/${field}`, state.ids[field], actual, details)
    }
    endCallChunk(context)
    reportOpen(context)
  }
  state.phase = 'ended'
  state.end = { type, index }
  state.open = emptyBoundedMap
}

/** Reports what a run leaves open. */
function reportOpen(context: AgUiContext): void {
  const open = [...boundedEntries(context.state.open)]
    .flatMap(([key]) => {
      const item = context.item(key)
      return item?.phase === 'open' ? [{ key, item }] : []
    })
    .sort((a, b) => a.item.index - b.item.index)
  for (const { key, item } of open) {
    const { endRule } = itemTypes[key.slice(0, key.indexOf(':')) as keyof typeof itemTypes]
    const id = describeValue(key.slice(key.indexOf(' ') + 1))
    const message = `Expected the end of ${item.by} ${id} before the run ends, got none.`
    context.report(endRule, message, { relatedEventIndex: item.index })
  }
}

/** Checks that the last run has ended. */
export function checkStreamEnd(context: AgUiContext): void {
  const { state } = context
  if (state.phase === 'active') {
    const name = state.ids === null ? '' : ` ${describeValue(state.ids.runId)}`
    context.report(
      'run-ends',
      `Expected RUN_FINISHED or RUN_ERROR of run${name} before the stream ends, got none.`,
    )
  }
}
