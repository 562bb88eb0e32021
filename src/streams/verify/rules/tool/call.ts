/** The calls of tools, as the rules of tools and of their arguments know them. */

import { describeValue } from '../../../../core/require.ts'
import type { CheckContext } from '../../context.ts'
import { pushBounded } from '../../state/bounded-list.ts'
import type { TaskDraft } from '../../state/task-state.ts'
import type { CallState } from '../../state/verifier-state.ts'

/** A call before its first event. */
export function newCall(state: CallState['state'], argumentsText: string | null = null): CallState {
  const fresh = { toolName: null, isExclusive: false, progress: 0, nextIndex: 0, approved: null }
  return { state, argumentsText, ...fresh }
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
