/** Rules of the end of a run. */

import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  type Rules,
  WARN_LENIENT_OFF,
} from '../../../../rules/rule.ts'
import type { AgentEvent } from '../../wire/types.generated.ts'
import type { AgentContext } from '../context.ts'
import type { EndRuleName } from '../state.ts'

export const endRules: Rules<EndRuleName> = {
  'ends-with-terminal': defineRule('A02', 'stated', ERROR_LENIENT_WARN, 'A stream ends with final or error.'),
  'one-terminal': defineRule('A02', 'stated', ERROR, 'There is only one final or error.'),
  'no-final-after-error': defineRule('A02', 'inferred', WARN_LENIENT_OFF, 'No final follows error.'),
  'nothing-after-terminal': defineRule('A06', 'inferred', ERROR, 'Nothing follows final or error.'),
}

/** Checks an event after the end. Returns `false` before it. */
export function checkAfterEnd(context: AgentContext, { type }: AgentEvent): boolean {
  const { terminal } = context.state
  if (terminal === null) return false
  const isTerminal = type === 'final' || type === 'error'
  const rule = isTerminal
    ? terminal === 'error' && type === 'final'
      ? 'no-final-after-error'
      : 'one-terminal'
    : 'nothing-after-terminal'
  context.report(rule, `Expected no event after ${terminal}, got ${type}.`, { path: '/type' })
  return true
}

/** Checks the end of the stream. */
export function checkStreamEnd(context: AgentContext): void {
  if (context.state.terminal !== null) return
  context.report('ends-with-terminal', 'Expected final or error as the last event, got none.')
}
