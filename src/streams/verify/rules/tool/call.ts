/** The calls of tools, as the rules of tools and of their arguments know them. */

import { describeValue } from '../../../../core/require.ts'
import type { CheckContext } from '../../context.ts'
import { pushBounded } from '../../state/bounded-list.ts'
import type { TaskDraft } from '../../state/task-state.ts'
import type { CallState } from '../../state/verifier-state.ts'
import { beginItem, checkSameIteration } from '../iteration.ts'

/** A call before its first event. */
export function newCall(state: CallState['state'], argumentsText: string | null = null): CallState {
  const hasStarted = state === 'running'
  const fresh = { toolName: null, isExclusive: false, progress: 0, nextIndex: 0, approved: null }
  return { state, hasStarted, iteration: null, argumentsText, ...fresh }
}

export function addOpenCall(task: TaskDraft, key: string): void {
  if (!task.openCalls.includes(key)) task.openCalls = pushBounded(task.openCalls, key)
}

/** Reports a tool name that differs from that of earlier events of the call. */
export function checkToolName(
  context: CheckContext,
  { toolName: expected }: CallState,
  actual: string,
): void {
  if (expected === null || expected === actual) return
  const message = `Expected toolName ${describeValue(expected)}, got ${describeValue(actual)}.`
  context.report('tool-name', message, { path: '/toolName', expected, actual })
}

/** The iteration of a call. Reports that of an event which begins or continues it. */
export function checkCallIteration(
  context: CheckContext,
  key: string,
  known: CallState | undefined,
  stated: number | undefined,
): number | null {
  if (known === undefined) beginItem(context, 'calls', key, stated)
  else checkSameIteration(context, known.iteration, stated)
  return known === undefined ? (stated ?? null) : known.iteration
}
