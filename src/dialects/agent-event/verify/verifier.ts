/** Whether the stream of an agent is legal. */
import type { Diagnostic, Machine } from '../../../core/machine.ts'
import { decodeAgentEvent } from '../wire/decode.ts'
import { stepTo } from '../wire/diagnostics.ts'
import { parseObject } from '../wire/json-text.ts'
import { callOf, type OpenCall, withCall, withoutCall } from '../wire/open-calls.ts'
import type { AgentEvent, AgentToolCallEvent, UnknownAgentEvent } from '../wire/types.ts'
import {
  type AgentEventRuleName,
  type AgentEventViolation,
  addNotKnown,
  agentViolations,
  type Violations,
} from './rules.ts'

/** Where {@link agentEventVerifier} stands between two events. */
export interface AgentEventVerifierState {
  /** How many events there were. */
  readonly index: number
  /** The first end. Absent until then. */
  readonly terminal?: 'final' | 'error'
  /** The calls without a result, in order. At most 1024. */
  readonly open: readonly VerifiedCall[]
}

/** A call without a result. */
export interface VerifiedCall extends OpenCall {
  /** Whether the id is the agent's own and not just a number. */
  readonly hasId: boolean
}

/**
 * Checks the stream of an agent against {@link agentEventRules}. Never throws on data and never stops:
 * what a violation means is up to the host.
 *
 * Diagnostics: `too-many-open-calls` when more than 1024 calls have no result; the oldest is forgotten.
 *
 * @example
 * ```ts
 * const { push, end } = run(agentEventVerifier())
 * const violations = [...events.flatMap((event) => [...push(event)]), ...end()]
 * ```
 */
export function agentEventVerifier(): Machine<
  AgentEventVerifierState,
  AgentEvent | UnknownAgentEvent,
  AgentEventViolation
> {
  return {
    initial: { index: 0, open: [] },
    step(state, input) {
      const found = agentViolations(state.index)
      const diagnostics: Diagnostic[] = []
      const decoded = decodeAgentEvent(input)
      const next = { ...state, index: state.index + 1 }
      if (decoded.status !== 'known') {
        addNotKnown(decoded, found)
        return { state: next, out: found.list }
      }
      return stepTo(takeAgentEvent(next, decoded.event, found, diagnostics), found.list, diagnostics)
    },
    end(state) {
      const found = agentViolations(state.index)
      if (state.terminal === undefined) {
        found.add('ends-with-terminal', 'The stream ended without final or error.')
      }
      return { state, out: found.list }
    },
  }
}

function takeAgentEvent(
  state: AgentEventVerifierState,
  event: AgentEvent,
  found: Violations<AgentEventRuleName>,
  diagnostics: Diagnostic[],
): AgentEventVerifierState {
  const { terminal, open } = state
  if (terminal !== undefined) {
    if (event.type !== 'final' && event.type !== 'error') {
      found.add('nothing-after-terminal', `${event.type} follows ${terminal}.`, { path: '/type' })
    } else if (terminal === 'error' && event.type === 'final') {
      found.add('no-final-after-error', 'final follows error.', { path: '/type' })
    } else found.add('one-terminal', `${event.type} follows ${terminal}.`, { path: '/type' })
    return state
  }
  switch (event.type) {
    case 'tool_call': {
      addCallViolations(open, event, found)
      const { toolName, toolCallId } = event
      const call = { id: toolCallId ?? `${state.index}`, toolName, hasId: toolCallId !== undefined }
      return { ...state, open: withCall(open, call, diagnostics) }
    }
    case 'tool_progress':
      if (callOf(open, event) === undefined) {
        found.add('progress-within-call', `No call of ${event.toolName} is open.`, { path: '/toolName' })
      }
      return state
    case 'tool_result': {
      const call = callOf(open, event)
      if (call !== undefined) return { ...state, open: withoutCall(open, call) }
      found.add('result-matches-call', `No call of ${event.toolName} is open.`, { path: '/toolName' })
      return state
    }
    case 'final':
      for (const { toolName } of open) {
        found.add('call-has-result', `A call of ${toolName} has no result.`, { actual: toolName })
      }
      return { ...state, terminal: 'final', open: [] }
    case 'error':
      return { ...state, terminal: 'error', open: [] }
    default:
      return state
  }
}

function addCallViolations(
  open: readonly VerifiedCall[],
  { toolName, toolArgs, toolCallId }: AgentToolCallEvent,
  found: Violations<AgentEventRuleName>,
): void {
  const twins = open.filter((call) => call.toolName === toolName)
  if (twins.some((call) => toolCallId === undefined || !call.hasId)) {
    const message = `Another call of ${toolName} is open, and not both have ids.`
    found.add('unambiguous-call', message, { path: '/toolName' })
  }
  if (toolCallId !== undefined && open.some((call) => call.hasId && call.id === toolCallId)) {
    found.add('unique-call-id', 'Another open call has this id.', { path: '/toolCallId', actual: toolCallId })
  }
  if (parseObject(toolArgs) === undefined) {
    found.add('arguments-are-object', 'Not the text of a JSON object.', { path: '/toolArgs' })
  }
}
