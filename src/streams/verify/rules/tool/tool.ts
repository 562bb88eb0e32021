/** Rules of tool calls. */

import { describeValue } from '../../../../core/require.ts'
import { expectBound, expectEqual } from '../../../../rules/expect.ts'
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
import { newCall } from '../../state/verifier-state.ts'
import { enterItem } from '../item.ts'
import { checkSameIteration, iterationOf } from '../iteration.ts'
import { checkNotWaiting } from '../request/waiting.ts'
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
    const entered = enterItem(context, 'calls', kind, toolCallId)
    if (entered === undefined) return
    const { key, known, state } = entered
    const { task } = context
    checkNotWaiting(context, kind)
    if (known !== undefined) {
      expectEqual(context, 'tool-name', '/toolName', known.toolName ?? toolName, toolName)
      checkArguments(context, toolCallId, known, args)
    }
    const iteration = iterationOf(context, known, stated, ['calls', key])
    if (iteration !== null) task.startedIteration = iteration
    const isExclusive = metadata?.concurrent === false
    checkConcurrency(context, kind, isExclusive)
    context.set('calls', key, { ...newCall(state), iteration, toolName, isExclusive })
    context.setOpen('calls', key, true)
  },

  'tool-progress'(context, { kind, toolCallId, progress, iteration, metadata }) {
    const entered = enterItem(context, 'calls', kind, toolCallId)
    if (entered === undefined) return
    const { key, known: call = newCall('running'), state } = entered
    checkSameIteration(context, call.iteration, iteration)
    expectBound(context, 'progress-order', '/progress', '>=', call.progress, progress)
    const { stepsCompleted = 0, stepsTotal = stepsCompleted } = metadata ?? {}
    expectBound(context, 'progress-order', '/metadata/stepsCompleted', '<=', stepsTotal, stepsCompleted)
    const latest = Math.max(progress, call.progress)
    context.set('calls', key, { ...call, state, hasStarted: true, argumentsText: null, progress: latest })
  },

  'tool-complete'(context, { kind, toolCallId, toolName, success, iteration, result, error }) {
    const entered = enterItem(context, 'calls', success ? kind : `${kind} failed`, toolCallId)
    if (success && error !== undefined) {
      const message = `Expected no error with success true, got ${describeValue(error)}.`
      context.report('tool-outcome', message, { path: '/error', actual: error })
    } else if (!success && error === undefined) {
      context.report('tool-outcome', 'Expected an error with success false, got none.', { path: '/error' })
    } else if (!success && result !== undefined && result !== null) {
      const message = `Expected no result with success false, got ${describeValue(result)}.`
      context.report('tool-outcome', message, { path: '/result', actual: result })
    }
    if (entered === undefined) return
    const { key, known: call = newCall('running'), state } = entered
    expectEqual(context, 'tool-name', '/toolName', call.toolName ?? toolName, toolName)
    checkSameIteration(context, call.iteration, iteration)
    const hasStarted = call.hasStarted || success
    context.set('calls', key, { ...call, state, hasStarted, toolName, argumentsText: null })
    context.setOpen('calls', key, false)
  },
}

/** Reports and closes the calls of a task that ends. */
export function endCalls(context: CheckContext, isSuccess: boolean): void {
  for (const key of context.takeOpen('calls')) {
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
}

/** Reports a call that starts while another one runs, if one of them is exclusive. */
function checkConcurrency(context: CheckContext, kind: string, isExclusive: boolean): void {
  const others = context.task.open.calls.map((key) => context.get('calls', key))
  if (!others.some((call) => call?.state === 'running' && (isExclusive || call.isExclusive))) return
  if (isExclusive) {
    const message = 'Expected no other running call at a tool-start with metadata.concurrent false, got one.'
    context.report('tool-alone', message, { path: '/metadata/concurrent', actual: false })
    return
  }
  const message = `Expected no ${kind} while a call with metadata.concurrent false runs.`
  context.report('tool-alone', message, { path: '/kind', actual: kind })
}
