/** Options of the verifiers. */

import { requireInteger, requireOneOf, requireOnly } from '../../../core/require.ts'
import { type VerifyMode, verifyModes } from '../../../rules/rule.ts'

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

/** The options with their defaults. */
export function readOptions(options: AgentEventVerifierOptions): Required<AgentEventVerifierOptions> {
  requireOnly('options', options, ['mode', 'startIndex'])
  const { mode = 'standard', startIndex = 0 } = options
  requireOneOf('mode', mode, verifyModes)
  requireInteger('startIndex', startIndex, 0)
  return { mode, startIndex }
}
