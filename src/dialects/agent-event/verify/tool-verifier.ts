/** Rules and verification of the ToolEvents of one tool run. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { expectEqual } from '../../../rules/expect.ts'
import { readVerifierOptions } from '../../../rules/options.ts'
import { defineRule, ERROR, ERROR_LENIENT_WARN, type Rule, type Rules, rulesOf } from '../../../rules/rule.ts'
import { ViolationReporter, valuesOf } from '../../../rules/violation.ts'
import { decodeToolEvent } from '../wire/decode.ts'
import type { ToolEvent } from '../wire/types.generated.ts'
import type { UnknownAgentEvent } from '../wire/types.ts'
import type { AgentEventVerifierOptions, AgentEventViolation } from './context.ts'
import { checkDecoded, eventRules } from './rules/event.ts'
import type { EventRuleName } from './state.ts'

/** The names of the rules of a tool. */
export type ToolEventRuleName =
  | EventRuleName
  | 'ends-with-result'
  | 'one-result'
  | 'nothing-after-result'
  | 'same-tool'

const ruleMeta: Rules<ToolEventRuleName> = {
  ...eventRules('T01'),
  'ends-with-result': defineRule('T02', 'stated', ERROR_LENIENT_WARN, 'A tool ends with a result.'),
  'one-result': defineRule('T02', 'stated', ERROR, 'There is only one result.'),
  'nothing-after-result': defineRule('T02', 'inferred', ERROR, 'Nothing follows the result.'),
  'same-tool': defineRule('T03', 'inferred', ERROR, 'All events of a run have the same toolName.'),
}

/** The rules of {@link toolEventVerifier}, in the order of their ids. */
export const toolEventRules: readonly Rule<ToolEventRuleName>[] = rulesOf(ruleMeta)

interface ToolEventVerifierState {
  readonly nextIndex: number
  /** The tool of the first event; `null` before it. */
  readonly toolName: string | null
  readonly hasResult: boolean
}

/**
 * Checks the events of one tool run against {@link toolEventRules}: any progress, then one result. Never throws
 * on data and never stops.
 *
 * @throws TypeError if an option is invalid.
 */
export function toolEventVerifier(
  options: AgentEventVerifierOptions = {},
): Machine<
  MachineState<'toolEventVerifier'>,
  ToolEvent | UnknownAgentEvent,
  AgentEventViolation<ToolEventRuleName>
> {
  const { mode, startIndex } = readVerifierOptions(options)
  const machine: Machine<
    ToolEventVerifierState,
    ToolEvent | UnknownAgentEvent,
    AgentEventViolation<ToolEventRuleName>
  > = {
    initial: { nextIndex: startIndex, toolName: null, hasResult: false },
    step({ nextIndex, toolName, hasResult }, input) {
      const reporter = new ViolationReporter(ruleMeta, mode, { eventIndex: nextIndex }, valuesOf(input))
      const decoded = decodeToolEvent(input)
      const next = { nextIndex: nextIndex + 1, toolName, hasResult }
      if (decoded.status !== 'known') checkDecoded(reporter, decoded)
      else {
        const { event } = decoded
        checkEvent(reporter, event, toolName ?? event.toolName, hasResult)
        next.toolName ??= event.toolName
        next.hasResult ||= event.type === 'result'
      }
      return reporter.stepTo(next)
    },
    end(state) {
      const reporter = new ViolationReporter(ruleMeta, mode, { eventIndex: state.nextIndex })
      if (!state.hasResult)
        reporter.report('ends-with-result', 'Expected result as the last event, got none.')
      return reporter.stepTo(state)
    },
  }
  return opaque(machine)
}

function checkEvent(
  reporter: ViolationReporter<ToolEventRuleName>,
  { type, toolName }: ToolEvent,
  expected: string,
  hasResult: boolean,
): void {
  if (hasResult) {
    const rule = type === 'result' ? 'one-result' : 'nothing-after-result'
    reporter.report(rule, `Expected no event after the result, got ${type}.`, { path: '/type' })
  }
  expectEqual(reporter, 'same-tool', '/toolName', expected, toolName)
}
