/** One step of a verifier: the violations it emits, its diagnostics, and its next state. */

import type { DecodeResult } from '../../../core/decode-result.ts'
import { describeValue } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { AgentEventRule, AgentEventViolation, Rules } from './rules.ts'

/** The state of a verifier: it counts the events. */
interface Counting {
  readonly eventIndex: number
}

/** Emits the violations of one event. */
export class ViolationBuilder<
  State extends Counting,
  Rule extends AgentEventRule['rule'],
> extends StepBuilder<State, AgentEventViolation<Rule>> {
  readonly #rules: Rules<Rule>
  readonly #eventIndex: number

  constructor(state: State, rules: Rules<Rule>) {
    super(state)
    this.#rules = rules
    this.#eventIndex = state.eventIndex
  }

  violation(
    rule: Rule,
    message: string,
    more: Pick<AgentEventViolation, 'path' | 'expected' | 'actual'> = {},
  ): void {
    const { severity } = this.#rules[rule]
    this.emit({ rule, severity, message, eventIndex: this.#eventIndex, ...more })
  }
}

/** Emits the violations of a value that is not a known event. */
export function reportUndecodedViolations(
  builder: Pick<ViolationBuilder<Counting, 'well-formed' | 'known-type'>, 'violation'>,
  decoded: Exclude<DecodeResult<unknown, unknown>, { status: 'known' }>,
): void {
  if (decoded.status === 'unknown') {
    const { kind } = decoded
    builder.violation('known-type', `Unknown type ${describeValue(kind)}.`, { path: '/type', actual: kind })
    return
  }
  for (const { path, message } of decoded.issues) builder.violation('well-formed', message, { path })
}
