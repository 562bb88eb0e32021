/** Rules of tool calls. */

import { describeValue } from '../../core/require.ts'
import { isEqualJson } from '../../json/value.ts'
import { pushBounded, without } from '../collections/generational-map.ts'
import type { CheckContext, Checks } from './context.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  ERROR_WARN_OFF,
  type Rules,
  WARN_STRICT_ONLY,
} from './rule.ts'
import type { ToolRuleName } from './rule-names.ts'
import { indexMessage } from './series.ts'
import type { CallState } from './state.ts'
import { checkNotWaiting } from './text.ts'

export const toolRules: Rules<ToolRuleName> = {
  'tool-call-once': defineRule(
    'K22',
    'stated',
    ERROR,
    'Each `toolCallId` of a context has one `tool-start`.',
  ),
  'tool-call-open': defineRule(
    'K22',
    'stated',
    ERROR_LENIENT_WARN,
    '`tool-progress` and `tool-complete` belong to a running call of the same task; a failed `tool-complete` may also end a call whose arguments were cut off.',
  ),
  'tool-name': defineRule('K22', 'inferred', ERROR_LENIENT_WARN, 'All events of a call name the same tool.'),
  'arguments-before-start': defineRule(
    'K22',
    'added',
    ERROR_LENIENT_WARN,
    'The deltas of a call’s arguments come before its `tool-start` and from the same task.',
  ),
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

/** Longer streamed arguments are not compared with those of `tool-start`. */
const MAX_ARGUMENTS_LENGTH = 65_536

const initialCall: Omit<CallState, 'taskId'> = {
  toolName: null,
  state: 'writing',
  isExclusive: false,
  progress: 0,
  nextIndex: 0,
  argumentsText: '',
}

export const toolChecks: Checks<'tool-arguments-delta' | 'tool-start' | 'tool-progress' | 'tool-complete'> = {
  'tool-arguments-delta'(context, { toolCallId, toolName, delta, index, indexEnd = index }) {
    const { taskId } = context.task
    const key = context.contextKey(toolCallId)
    const known = context.get('calls', key)
    if (known !== undefined && known.state !== 'writing') {
      const message = `tool-arguments-delta after the start of toolCallId ${describeValue(toolCallId)}.`
      context.report('arguments-before-start', message, { path: '/toolCallId', actual: toolCallId })
      return
    }
    if (known !== undefined && known.taskId !== taskId) {
      reportOtherTask(context, toolCallId, known)
      return
    }
    const call: CallState = known ?? { ...initialCall, taskId }
    checkToolName(context, call, toolName)
    const isNext = index === call.nextIndex && indexEnd >= index
    const isJoinedLate = known === undefined && context.isTaskPartial && indexEnd >= index
    if (!isNext && !isJoinedLate) {
      const details = { path: '/index', expected: call.nextIndex, actual: index }
      context.report('delta-index', indexMessage(call.nextIndex, index, indexEnd), details)
    }
    const text = isNext && call.argumentsText !== null ? call.argumentsText + delta : null
    const argumentsText = text !== null && text.length > MAX_ARGUMENTS_LENGTH ? null : text
    const nextIndex = Math.max(index, indexEnd) + 1
    context.set('calls', key, { ...call, toolName, nextIndex, argumentsText })
    addOpenCall(context, key)
  },

  'tool-start'(context, { kind, toolCallId, toolName, arguments: args, metadata }) {
    const { taskId } = context.task
    const key = context.contextKey(toolCallId)
    const known = context.get('calls', key)
    if (known !== undefined && known.state !== 'writing') {
      const message = `Duplicate tool-start for toolCallId ${describeValue(toolCallId)}.`
      context.report('tool-call-once', message, { path: '/toolCallId', actual: toolCallId })
      return
    }
    checkNotWaiting(context, kind)
    if (known !== undefined && known.taskId !== taskId) {
      reportOtherTask(context, toolCallId, known)
      context.changeTaskByKey(context.contextKey(known.taskId), (task) => ({
        ...task,
        open: { ...task.open, tools: without(task.open.tools, key) },
      }))
    } else if (known !== undefined) {
      checkToolName(context, known, toolName)
      if (known.argumentsText !== null && !isJsonOf(known.argumentsText, args)) {
        const message = `The arguments of toolCallId ${describeValue(toolCallId)} differ from the joined deltas.`
        context.report('whole-repeats-deltas', message, { path: '/arguments' })
      }
    }
    const isExclusive = metadata?.concurrent === false
    checkConcurrency(context, isExclusive)
    context.set('calls', key, {
      ...initialCall,
      taskId,
      toolName,
      state: 'running',
      isExclusive,
      argumentsText: null,
    })
    addOpenCall(context, key)
  },

  'tool-progress'(context, { toolCallId, progress, metadata }) {
    const call = runningCall(context, toolCallId)
    if (call === undefined) return
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
    context.set('calls', context.contextKey(toolCallId), { ...call, progress: latest })
  },

  'tool-complete'(context, { toolCallId, toolName, success, result, error }) {
    const key = context.contextKey(toolCallId)
    const call = runningCall(context, toolCallId, !success)
    if (success && error !== undefined) {
      context.report('tool-outcome', 'A successful tool-complete has an error.', { path: '/error' })
    } else if (!success && error === undefined) {
      context.report('tool-outcome', 'A failed tool-complete has no error.', {
        path: '/success',
      })
    } else if (!success && result !== undefined && result !== null) {
      context.report('tool-outcome', 'A failed tool-complete has a result.', { path: '/result' })
    }
    if (call === undefined) return
    checkToolName(context, call, toolName)
    context.set('calls', key, { ...call, toolName, state: 'ended', argumentsText: null })
    context.changeTask('open', { tools: without(context.task.open.tools, key) })
  },
}

/**
 * The running call of an event; with `orWriting` also one that has not started. `undefined` if there is none,
 * which is reported.
 */
function runningCall(context: CheckContext, toolCallId: string, orWriting = false): CallState | undefined {
  const { taskId } = context.task
  const call = context.get('calls', context.contextKey(toolCallId))
  const isOpen = call?.state === 'running' || (orWriting && call?.state === 'writing')
  if (isOpen && call.taskId === taskId) return call
  if (context.isTaskPartial) {
    if (call === undefined) return { ...initialCall, taskId, state: 'running', argumentsText: null }
    if (call.state === 'writing') return { ...call, state: 'running', argumentsText: null }
  }
  const id = describeValue(toolCallId)
  let message = `toolCallId ${id} has already ended.`
  if (call === undefined) message = `Unknown toolCallId ${id}.`
  else if (call.taskId !== taskId) message = otherTaskMessage(toolCallId, call)
  else if (call.state === 'writing') message = `toolCallId ${id} has not started.`
  context.report('tool-call-open', message, { path: '/toolCallId', actual: toolCallId })
  return undefined
}

function reportOtherTask(context: CheckContext, toolCallId: string, call: CallState): void {
  const details = { path: '/toolCallId', actual: toolCallId }
  context.report('arguments-before-start', otherTaskMessage(toolCallId, call), details)
}

function otherTaskMessage(toolCallId: string, { taskId }: CallState): string {
  return `toolCallId ${describeValue(toolCallId)} belongs to task ${describeValue(taskId)}.`
}

function checkToolName(context: CheckContext, { toolName: expected }: CallState, actual: string): void {
  if (expected === null || expected === actual) return
  const message = `Expected toolName ${describeValue(expected)}, got ${describeValue(actual)}.`
  context.report('tool-name', message, { path: '/toolName', expected, actual })
}

/** Reports a call that starts while another one runs, if one of them is exclusive. */
function checkConcurrency(context: CheckContext, isExclusive: boolean): void {
  const others = context.task.open.tools.map((key) => context.get('calls', key))
  if (!others.some((call) => call?.state === 'running' && (isExclusive || call.isExclusive))) return
  const path = isExclusive ? '/metadata/concurrent' : '/kind'
  const message = isExclusive
    ? 'A call with metadata.concurrent false starts while another call of the task runs.'
    : 'A call starts while a call of the task with metadata.concurrent false runs.'
  context.report('tool-alone', message, { path })
}

function addOpenCall(context: CheckContext, key: string): void {
  const { tools } = context.task.open
  if (!tools.includes(key)) context.changeTask('open', { tools: pushBounded(tools, key) })
}

/** Whether a text is the JSON of a value. */
function isJsonOf(text: string, value: Record<string, unknown>): boolean {
  // Providers stream no text where there are no arguments.
  if (text.trim() === '') return Object.keys(value).length === 0
  try {
    return isEqualJson(JSON.parse(text), value)
  } catch {
    return false
  }
}
