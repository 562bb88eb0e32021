/** Checking tool calls. */
import { isEqualJson } from '../../json/value.ts'
import { listed, unlisted } from '../collections/generational-map.ts'
import { reportSpeech } from './check-text.ts'
import type { CheckContext, Checks } from './context.ts'
import type { VerifiedCall } from './state.ts'

/** Streamed arguments are remembered up to this many characters. */
const LONGEST_ARGUMENTS = 65_536

const newCall: Omit<VerifiedCall, 'taskId'> = {
  toolName: null,
  state: 'writing',
  isAlone: false,
  progress: 0,
  next: 0,
  text: '',
}

export const toolChecks: Checks<'tool-arguments-delta' | 'tool-start' | 'tool-progress' | 'tool-complete'> = {
  'tool-arguments-delta'(scope, { toolCallId, toolName, delta, index, indexEnd = index }) {
    const key = scope.key(toolCallId)
    const known = scope.get('calls', key)
    if (known !== undefined && known.state !== 'writing') {
      scope.report('arguments-before-start', 'The call has started.', {
        path: '/toolCallId',
        actual: toolCallId,
      })
      return
    }
    if (known !== undefined && known.taskId !== scope.task.taskId) {
      scope.report('arguments-before-start', 'The call is of another task.', {
        path: '/toolCallId',
        actual: toolCallId,
      })
      return
    }
    const call: VerifiedCall = known ?? { ...newCall, taskId: scope.task.taskId }
    reportName(scope, call, toolName)
    const isNext = index === call.next && indexEnd >= index
    const mayBeLater = known === undefined && scope.mayKnowMore && indexEnd >= index
    if (!isNext && !mayBeLater) {
      scope.report('delta-index', 'Not the next delta.', {
        path: '/index',
        expected: call.next,
        actual: index,
      })
    }
    const text = isNext && call.text !== null ? call.text + delta : null
    const kept = text !== null && text.length > LONGEST_ARGUMENTS ? null : text
    scope.set('calls', key, { ...call, toolName, next: Math.max(index, indexEnd) + 1, text: kept })
    open(scope, key)
  },

  'tool-start'(scope, event) {
    const { toolCallId, toolName, metadata } = event
    const key = scope.key(toolCallId)
    const known = scope.get('calls', key)
    if (known !== undefined && known.state !== 'writing') {
      scope.report('tool-call-once', 'There is such a call already.', {
        path: '/toolCallId',
        actual: toolCallId,
      })
      return
    }
    reportSpeech(scope)
    if (known !== undefined && known.taskId !== scope.task.taskId) {
      scope.report('arguments-before-start', 'The arguments were those of another task.', {
        path: '/toolCallId',
        actual: toolCallId,
      })
      scope.changeOther(scope.key(known.taskId), (task) => ({
        ...task,
        open: { ...task.open, tools: unlisted(task.open.tools, key) },
      }))
    } else if (known !== undefined) {
      reportName(scope, known, toolName)
      if (known.text !== null && !isTextOf(known.text, event.arguments)) {
        const message = 'The arguments are not the deltas joined.'
        scope.report('whole-repeats-deltas', message, { path: '/arguments' })
      }
    }
    const isAlone = metadata?.concurrent === false
    const others = scope.task.open.tools.map((other) => scope.get('calls', other))
    if (others.some((call) => call?.state === 'running' && (isAlone || call.isAlone))) {
      const path = isAlone ? '/metadata/concurrent' : '/kind'
      scope.report('tool-alone', 'Another call of the task runs.', { path })
    }
    const { taskId } = scope.task
    scope.set('calls', key, { ...newCall, taskId, toolName, state: 'running', isAlone, text: null })
    open(scope, key)
  },

  'tool-progress'(scope, { toolCallId, progress, metadata }) {
    const call = runningCall(scope, toolCallId)
    if (call === undefined) return
    if (progress < call.progress) {
      const more = { path: '/progress', expected: call.progress, actual: progress }
      scope.report('progress-order', 'The progress falls.', more)
    }
    const { stepsCompleted = 0, stepsTotal = stepsCompleted } = metadata ?? {}
    if (stepsCompleted > stepsTotal) {
      const more = { path: '/metadata/stepsCompleted', expected: stepsTotal, actual: stepsCompleted }
      scope.report('progress-order', 'More steps are done than there are.', more)
    }
    scope.set('calls', scope.key(toolCallId), { ...call, progress: Math.max(progress, call.progress) })
  },

  'tool-complete'(scope, { toolCallId, toolName, success, result, error }) {
    const key = scope.key(toolCallId)
    const call = runningCall(scope, toolCallId)
    if (success && error !== undefined) {
      scope.report('tool-outcome', 'A call that succeeded has an error.', { path: '/error' })
    } else if (!success && error === undefined) {
      scope.report('tool-outcome', 'A call that failed has no error.', { path: '/success' })
    } else if (!success && result !== undefined && result !== null) {
      scope.report('tool-outcome', 'A call that failed has a result.', { path: '/result' })
    }
    if (call === undefined) return
    reportName(scope, call, toolName)
    scope.set('calls', key, { ...call, toolName, state: 'ended' })
    scope.changeTask('open', { tools: unlisted(scope.task.open.tools, key) })
  },
}

/** The running call an event belongs to; `undefined` when there is none, which is reported. */
function runningCall(scope: CheckContext, toolCallId: string): VerifiedCall | undefined {
  const call = scope.get('calls', scope.key(toolCallId))
  if (call?.state === 'running' && call.taskId === scope.task.taskId) return call
  const { taskId } = scope.task
  if (call === undefined && scope.mayKnowMore) return { ...newCall, taskId, state: 'running', text: null }
  if (call?.state === 'writing' && scope.mayKnowMore) return { ...call, state: 'running', text: null }
  const state = call === undefined ? 'unknown' : call.taskId === taskId ? call.state : 'of another task'
  scope.report('tool-call-open', `The call is ${state}.`, { path: '/toolCallId', actual: toolCallId })
  return undefined
}

function reportName(scope: CheckContext, call: VerifiedCall, toolName: string): void {
  if (call.toolName === null || call.toolName === toolName) return
  const more = { path: '/toolName', expected: call.toolName, actual: toolName }
  scope.report('tool-name', 'The call is one of another tool.', more)
}

function open(scope: CheckContext, key: string): void {
  const { tools } = scope.task.open
  if (!tools.includes(key)) scope.changeTask('open', { tools: listed(tools, key) })
}

/** Whether a text is the JSON of a value. */
function isTextOf(text: string, value: Record<string, unknown>): boolean {
  // Providers write nothing where there are no arguments.
  if (text.trim() === '') return Object.keys(value).length === 0
  try {
    return isEqualJson(JSON.parse(text), value)
  } catch {
    return false
  }
}
