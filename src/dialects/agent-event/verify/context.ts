/** The workspace in which the checks of one event report violations and change the state. */

import type { Diagnostic, Step } from '../../../core/machine.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { Rules, VerifyMode } from '../../../rules/rule.ts'
import { type Violation, ViolationReporter } from '../../../rules/violation.ts'
import { type OpenCalls, reportEvictions } from '../wire/open-calls.ts'
import type { AgentEventRuleName, AgentEventVerifierState, VerifiedCall } from './state.ts'

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
    super(rules, mode, { eventIndex: nextIndex }, input)
    this.state = { nextIndex, terminal, openCalls, withoutId, isLate }
  }

  /** Whether calls are unknown: the stream was joined late, or calls were evicted. */
  get isPartial(): boolean {
    return this.state.isLate || this.state.openCalls.evictions > 0
  }

  /** The step. `before`: the open calls at its beginning. */
  done(before: OpenCalls<VerifiedCall>): Step<AgentEventVerifierState, AgentEventViolation> {
    const { state, violations: out } = this
    const diagnostics: Diagnostic[] = []
    reportEvictions(before, state.openCalls, (code, message) => diagnostics.push({ code, message }))
    return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
  }
}
