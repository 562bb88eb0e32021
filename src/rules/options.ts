/** The options that all verifiers have. */

import { requireInteger, requireOneOf, requireOnly } from '../core/require.ts'
import { type VerifyMode, verifyModes } from './rule.ts'

/**
 * The mode and the position of the first event, with their defaults.
 *
 * @param others - The names of the other options of the verifier.
 *
 * @throws TypeError if one of them is invalid, or an option is unknown.
 */
export function readVerifierOptions(
  options: { readonly mode?: VerifyMode; readonly startIndex?: number },
  others: readonly string[] = [],
): { readonly mode: VerifyMode; readonly startIndex: number } {
  requireOnly('options', options, ['mode', 'startIndex', ...others])
  const { mode = 'standard', startIndex = 0 } = options
  requireOneOf('mode', mode, verifyModes)
  requireInteger('startIndex', startIndex, 0)
  return { mode, startIndex }
}
