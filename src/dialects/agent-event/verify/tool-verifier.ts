/** Whether what a tool yields is legal. */
import type { Machine } from '../../../core/machine.ts'
import { decodeToolEvent } from '../wire/decode.ts'
import type { ToolEvent, UnknownAgentEvent } from '../wire/types.ts'
import { type AgentEventViolation, addNotKnown, type ToolEventRuleName, toolViolations } from './rules.ts'

/** Where {@link toolEventVerifier} stands between two events. */
export interface ToolEventVerifierState {
  /** How many events there were. */
  readonly index: number
  /** The tool, as its first event names it. Absent until then. */
  readonly toolName?: string
  /** Whether the result was there. */
  readonly hasResult: boolean
}

/**
 * Checks what one run of a tool yields against {@link toolEventRules}: any progress, then one result.
 * Never throws on data and never stops.
 */
export function toolEventVerifier(): Machine<
  ToolEventVerifierState,
  ToolEvent | UnknownAgentEvent,
  AgentEventViolation<ToolEventRuleName>
> {
  return {
    initial: { index: 0, hasResult: false },
    step(state, input) {
      const found = toolViolations(state.index)
      const decoded = decodeToolEvent(input)
      const next = { ...state, index: state.index + 1 }
      if (decoded.status !== 'known') {
        addNotKnown(decoded, found)
        return { state: next, out: found.list }
      }
      const { type, toolName } = decoded.event
      if (state.hasResult && type === 'result') found.add('one-result', 'A second result.')
      else if (state.hasResult) found.add('nothing-after-result', `${type} follows the result.`)
      const { toolName: expected = toolName } = state
      if (toolName !== expected) {
        const message = `The run is one of ${expected}.`
        found.add('same-tool', message, { path: '/toolName', expected, actual: toolName })
      }
      const hasResult = state.hasResult || type === 'result'
      return { state: { ...next, toolName: expected, hasResult }, out: found.list }
    },
    end(state) {
      const found = toolViolations(state.index)
      if (!state.hasResult) found.add('ends-with-result', 'The tool ended without a result.')
      return { state, out: found.list }
    },
  }
}
