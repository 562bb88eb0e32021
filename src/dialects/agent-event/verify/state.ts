/** The state of `agentEventVerifier`, and the names of its rules, by the file of `rules/` that checks them. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import { noOpenCalls, type OpenCall, type OpenCalls } from '../wire/open-calls.ts'

/** The names of the rules of an agent. */
export type AgentEventRuleName = EventRuleName | EndRuleName | CallRuleName

export type EventRuleName = 'well-formed' | 'known-type'

export type EndRuleName =
  | 'ends-with-terminal'
  | 'one-terminal'
  | 'no-final-after-error'
  | 'nothing-after-terminal'

export type CallRuleName =
  | 'progress-within-call'
  | 'result-matches-call'
  | 'unambiguous-call'
  | 'unique-call-id'
  | 'call-has-result'
  | 'arguments-are-object'

export interface AgentEventVerifierState {
  readonly nextIndex: number
  /** The event that ended the stream; `null` before the end. */
  readonly terminal: 'final' | 'error' | null
  readonly openCalls: OpenCalls<VerifiedCall>
  /** The number of open calls without an id, by tool. */
  readonly withoutId: BoundedMap<number>
  /** Whether the stream was joined late. */
  readonly isLate: boolean
}

/** A call without a result. */
export interface VerifiedCall extends OpenCall {
  /** The position of its `tool_call`. */
  readonly index: number
}

export function initialState(startIndex: number): AgentEventVerifierState {
  return {
    nextIndex: startIndex,
    terminal: null,
    openCalls: noOpenCalls,
    withoutId: emptyBoundedMap,
    isLate: startIndex > 0,
  }
}
