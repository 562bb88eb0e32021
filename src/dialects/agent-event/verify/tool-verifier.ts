/** Verification of the ToolEvents of one tool run. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { decodeToolEvent } from '../wire/decode.ts'
import type { ToolEvent, UnknownAgentEvent } from '../wire/types.ts'
import { type AgentEventViolation, type ToolEventRuleName, toolRules } from './rules.ts'
import { reportUndecodedViolations, ViolationBuilder } from './violation-builder.ts'

interface ToolEventVerifierState {
  /** Position of the next event, from 0. */
  readonly eventIndex: number
  /** The tool of the first event. Omitted before it. */
  readonly toolName?: string
  readonly hasResult: boolean
}

/**
 * Checks the events of one tool run against {@link toolEventRules}: any progress, then one result. Never throws
 * on data and never stops.
 */
export function toolEventVerifier(): Machine<
  MachineState<'toolEventVerifier'>,
  ToolEvent | UnknownAgentEvent,
  AgentEventViolation<ToolEventRuleName>
> {
  const machine: Machine<
    ToolEventVerifierState,
    ToolEvent | UnknownAgentEvent,
    AgentEventViolation<ToolEventRuleName>
  > = {
    initial: { eventIndex: 0, hasResult: false },
    step(state, input) {
      const builder = new ViolationBuilder<ToolEventVerifierState, ToolEventRuleName>(state, toolRules)
      builder.update({ eventIndex: state.eventIndex + 1 })
      const decoded = decodeToolEvent(input)
      if (decoded.status === 'known') checkEvent(builder, decoded.event)
      else reportUndecodedViolations(builder, decoded)
      return builder.done()
    },
    end(state) {
      const builder = new ViolationBuilder<ToolEventVerifierState, ToolEventRuleName>(state, toolRules)
      if (!state.hasResult) builder.violation('ends-with-result', 'The tool ended without a result.')
      return builder.done()
    },
  }
  return opaque(machine)
}

function checkEvent(
  builder: ViolationBuilder<ToolEventVerifierState, ToolEventRuleName>,
  { type, toolName }: ToolEvent,
): void {
  const { hasResult, toolName: expected = toolName } = builder.state
  if (hasResult && type === 'result') builder.violation('one-result', 'Second result in one run.')
  else if (hasResult) builder.violation('nothing-after-result', `${type} after the result.`)
  if (toolName !== expected) {
    const message = `Expected toolName "${expected}", got "${toolName}".`
    builder.violation('same-tool', message, { path: '/toolName', expected, actual: toolName })
  }
  builder.update({ toolName: expected, hasResult: hasResult || type === 'result' })
}
