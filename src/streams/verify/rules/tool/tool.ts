/** Rules of tool calls. */

import { describeValue } from '../../../../core/require.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  ERROR_WARN_OFF,
  type Rules,
  WARN_STRICT_ONLY,
} from '../../../../rules/rule.ts'
import type { CheckContext, Checks } from '../../context.ts'
import type { ToolRuleName } from '../../rule-names.ts'
import { without } from '../../state/bounded-list.ts'
import type { CallState } from '../../state/verifier-state.ts'
import { checkSameIteration } from '../iteration.ts'
import { checkNotWaiting } from '../request/waiting.ts'
import { addOpenCall, checkCallIteration, checkToolName, newCall } from './call.ts'
import { checkArguments } from './tool-arguments.ts'

export const toolRules: Rules<ToolRuleName> = {
  'tool-call-once': defineRule('K22', 'stated', ERROR, 'Each `toolCallId` of a task has one `tool-start`.'),
  'tool-call-open': defineRule(
    'K22',
    'stated',
    ERROR_LENIENT_WARN,
    '`tool-progress` and `tool-complete` belong to a running call of the same task; a failed `tool-complete` may also end a call whose arguments were cut off.',
  ),
  'tool-name': defineRule('K22', 'inferred', ERROR_LENIENT_WARN, 'All events of a call name the same tool.'),
  'progress-range': defineRule('K23', 'stated', ERROR, '`progress` is between 0 and 1.'),
  'progress-order': defineRule(
    'K23',
    'inferred',
    ERROR_WARN_OFF,
    '`progress` never decreases within a call, and `stepsCompleted` is at most `stepsTotal`.',
  ),
  'tool-outcome': defineRule(
    'K24',
    'inferred',
    ERROR_WARN_OFF,
    'A successful call has no `error`; a failed one has an `error` and no `result`.',
  ),
  'tool-open-at-success': defineRule(
    'K25',
    'inferred',
    ERROR_LENIENT_WARN,
    'A task ends its tool calls with `tool-complete` before it completes.',
  ),
  'tool-open-at-failure': defineRule(
    'K25',
    'inferred',
    WARN_STRICT_ONLY,
    'A task ends its tool calls with `tool-complete` before it fails or is canceled.',
  ),
  'tool-alone': defineRule(
    'K26',
    'inferred',
    ERROR_WARN_OFF,
    'While a call with `metadata.concurrent: false` runs, no other call of its task does.',
  ),
}

export const toolChecks: Checks<'tool-start' | 'tool-progress' | 'tool-complete'> = {
  'tool-start'(context, { kind, toolCallId, toolName, arguments: args, iteration: stated, metadata }) {
    const key = context.itemKey(toolCallId)
    const known = context.get('calls', key)
    if (known !== undefined && known.state !== 'writing') {
      const message = `Duplicate tool-start for toolCallId ${describeValue(toolCallId)}.`
      context.report('tool-call-once', message, { path: '/toolCallId', actual: toolCallId })
      return
    }
    checkNotWaiting(context, kind)
    if (known === undefined) context.own(context.contextKey(toolCallId))
    else {
      checkToolName(context, known, toolName)
      checkArguments(context, toolCallId, known, args)
    }
    const iteration = checkCallIteration(context, key, known, stated)
    if (iteration !== null) context.task.startedIteration = iteration
    const isExclusive = metadata?.concurrent === false
    checkConcurrency(context, kind, isExclusive)
    context.set('calls', key, { ...newCall('running'), iteration, toolName, isExclusive })
    addOpenCall(context.task, key)
  },

  'tool-progress'(context, { toolCallId, progress, iteration, metadata }) {
    const call = runningCall(context, toolCallId)
    if (call === undefined) return
    checkSameIteration(context, call.iteration, iteration)
    if (progress < call.progress) {
      const details = { path: '/progress', expected: call.progress, actual: progress }
      context.report('progress-order', `Expected progress >= ${call.progress}, got ${progress}.`, details)
    }
    const { stepsCompleted = 0, stepsTotal = stepsCompleted } = metadata ?? {}
    if (stepsCompleted > stepsTotal) {
      const message = `Expected stepsCompleted <= ${stepsTotal}, got ${stepsCompleted}.`
      const details = { path: '/metadata/stepsCompleted', expected: stepsTotal, actual: stepsCompleted }
      context.report('progress-order', message, details)
    }
    const latest = Math.max(progress, call.progress)
    context.set('calls', context.itemKey(toolCallId), { ...call, progress: latest })
  },

  'tool-complete'(context, { toolCallId, toolName, success, iteration, result, error }) {
    const call = runningCall(context, toolCallId, !success)
    if (success && error !== undefined) {
      const message = `Expected no error with success true, got ${describeValue(error)}.`
      context.report('tool-outcome', message, { path: '/error', actual: error })
    } else if (!success && error === undefined) {
      context.report('tool-outcome', 'Expected an error with success false, got none.', { path: '/error' })
    } else if (!success && result !== undefined && result !== null) {
      const message = `Expected no result with success false, got ${describeValue(result)}.`
      context.report('tool-outcome', message, { path: '/result', actual: result })
    }
    if (call === undefined) return
    checkToolName(context, call, toolName)
    checkSameIteration(context, call.iteration, iteration)
    const { task } = context
    const key = context.itemKey(toolCallId)
    context.set('calls', key, { ...call, toolName, state: 'ended', argumentsText: null })
    task.openCalls = without(task.openCalls, key)
  },
}

/** Reports and closes the calls of a task that ends. */
export function endCalls(context: CheckContext, isSuccess: boolean): void {
  const { task } = context
  for (const key of task.openCalls) {
    const call = context.get('calls', key)
    if (call === undefined) continue
    if (call.state === 'running') {
      const rule = isSuccess ? 'tool-open-at-success' : 'tool-open-at-failure'
      const name = describeValue(call.toolName ?? 'unknown')
      context.report(
        rule,
        `Expected a tool-complete for a call of tool ${name} before the task ends, got none.`,
      )
    }
    context.set('calls', key, { ...call, state: 'ended', argumentsText: null })
  }
  task.openCalls = []
}

/**
 * The running call of an event; with `orWriting` also one that has not started. `undefined` if there is none,
 * which is reported.
 */
function runningCall(context: CheckContext, toolCallId: string, orWriting = false): CallState | undefined {
  const call = context.get('calls', context.itemKey(toolCallId))
  if (call?.state === 'running' || (orWriting && call?.state === 'writing')) return call
  if (context.isTaskPartial) {
    if (call === undefined) return newCall('running')
    if (call.state === 'writing') return { ...call, state: 'running', hasStarted: true, argumentsText: null }
  }
  const shownId = `toolCallId ${describeValue(toolCallId)}`
  let message = `${shownId} has already ended.`
  if (call === undefined) message = context.unknownId(shownId, context.contextKey(toolCallId))
  else if (call.state === 'writing') message = `${shownId} has not started.`
  context.report('tool-call-open', message, { path: '/toolCallId', actual: toolCallId })
  return undefined
}

/** Reports a call that starts while another one runs, if one of them is exclusive. */
function checkConcurrency(context: CheckContext, kind: string, isExclusive: boolean): void {
  const others = context.task.openCalls.map((key) => context.get('calls', key))
  if (!others.some((call) => call?.state === 'running' && (isExclusive || call.isExclusive))) return
  if (isExclusive) {
    const message = 'Expected no other running call at a tool-start with metadata.concurrent false, got one.'
    context.report('tool-alone', message, { path: '/metadata/concurrent', actual: false })
    return
  }
  const message = `Expected no ${kind} while a call with metadata.concurrent false runs.`
  context.report('tool-alone', message, { path: '/kind', actual: kind })
}
