/** The workspace in which the checks of one event report violations and change the state. */

import type { Step } from '../../../core/machine.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { Rules, VerifyMode } from '../../../rules/rule.ts'
import { type Violation, ViolationReporter, valuesOf } from '../../../rules/violation.ts'
import { type OpenCalls, reportEvictions } from '../wire/open-calls.ts'
import type { AgentEventRuleName, AgentEventVerifierState, VerifiedCall } from './state.ts'

/** Options of {@link agentEventVerifier} and {@link toolEventVerifier}. */
export interface AgentEventVerifierOptions {
  /**
   * How much is checked: the rules have their severity by mode.
   * @defaultValue `'standard'`
   */
  readonly mode?: VerifyMode
  /**
   * The `eventIndex` of the first event. Above 0, the stream was joined late: earlier events are unknown.
   * @defaultValue 0
   */
  readonly startIndex?: number
}

/** A violation of a rule of the stream of an agent, or of a tool. */
export type AgentEventViolation<Name extends string = AgentEventRuleName> = Violation<Name>

/** Collects the violations of one event, or of the end. */
export class AgentContext extends ViolationReporter<AgentEventRuleName> {
  /** The state, to be changed. */
  readonly state: Mutable<AgentEventVerifierState>

  constructor(
    rules: Rules<AgentEventRuleName>,
    mode: VerifyMode,
    { nextIndex, terminal, openCalls, withoutId, isLate }: AgentEventVerifierState,
    input?: unknown,
  ) {
    super(rules, mode, { eventIndex: nextIndex }, valuesOf(input))
    this.state = { nextIndex, terminal, openCalls, withoutId, isLate }
  }

  /** Whether calls are unknown: the stream was joined late, or calls were evicted. */
  get isPartial(): boolean {
    return this.state.isLate || this.state.openCalls.evictions > 0
  }

  /** The step. `before`: the open calls at its beginning. */
  done(before: OpenCalls<VerifiedCall>): Step<AgentEventVerifierState, AgentEventViolation> {
    reportEvictions(before, this.state.openCalls, (...args) => this.diagnostic(...args))
    return this.stepTo(this.state)
  }
}
