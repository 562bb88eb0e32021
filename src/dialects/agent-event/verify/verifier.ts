/** Verification of the AgentEvents of one run. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { readVerifierOptions } from '../../../rules/options.ts'
import { type Rule, type Rules, rulesOf } from '../../../rules/rule.ts'
import { decodeAgentEvent } from '../wire/decode.ts'
import { noOpenCalls } from '../wire/open-calls.ts'
import type { AgentEvent } from '../wire/types.generated.ts'
import type { UnknownAgentEvent } from '../wire/types.ts'
import { AgentContext, type AgentEventVerifierOptions, type AgentEventViolation } from './context.ts'
import { callRules, checkCall, checkOpen, checkOpenCalls, checkResult } from './rules/call.ts'
import { checkAfterEnd, checkStreamEnd, endRules } from './rules/end.ts'
import { checkDecoded, eventRules } from './rules/event.ts'
import { type AgentEventRuleName, type AgentEventVerifierState, initialState } from './state.ts'

const ruleMeta: Rules<AgentEventRuleName> = { ...eventRules('A01'), ...endRules, ...callRules }

/** The rules of {@link agentEventVerifier}, in the order of their ids. */
export const agentEventRules: readonly Rule<AgentEventRuleName>[] = rulesOf(ruleMeta)

/**
 * Checks the stream of an agent against {@link agentEventRules}. Never throws on data and never stops: the host
 * decides what to do about a violation. Checks the version of the document, not the later ones.
 *
 * Diagnostics: `state-evicted` if more than 1024 calls have no result; from then on, unknown ones are not violations.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const { push, end } = run(agentEventVerifier())
 * const violations = [...events.flatMap((event) => [...push(event)]), ...end()]
 * ```
 */
export function agentEventVerifier(
  options: AgentEventVerifierOptions = {},
): Machine<MachineState<'agentEventVerifier'>, AgentEvent | UnknownAgentEvent, AgentEventViolation> {
  const { mode, startIndex } = readVerifierOptions(options)
  const machine: Machine<AgentEventVerifierState, AgentEvent | UnknownAgentEvent, AgentEventViolation> = {
    initial: initialState(startIndex),
    step(state, input) {
      const context = new AgentContext(ruleMeta, mode, state, input)
      const decoded = decodeAgentEvent(input)
      if (decoded.status !== 'known') checkDecoded(context, decoded)
      else if (!checkAfterEnd(context, decoded.event)) checkEvent(context, decoded.event)
      context.state.nextIndex++
      return context.done(state.openCalls)
    },
    end(state) {
      const context = new AgentContext(ruleMeta, mode, state)
      checkStreamEnd(context)
      return context.done(state.openCalls)
    },
  }
  return opaque(machine)
}

function checkEvent(context: AgentContext, event: AgentEvent): void {
  switch (event.type) {
    case 'tool_call':
      checkCall(context, event)
      break
    case 'tool_progress':
      checkOpen(context, 'progress-within-call', event)
      break
    case 'tool_result':
      checkResult(context, event)
      break
    case 'final':
    case 'error':
      if (event.type === 'final') checkOpenCalls(context)
      context.state.terminal = event.type
      context.state.openCalls = { ...noOpenCalls, evictions: context.state.openCalls.evictions }
      break
    default:
  }
}
