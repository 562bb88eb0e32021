/** What the commands that need the format of a recording require of it. */

import type { Finding } from '../../inspect/check/finding.ts'
import type { Report } from '../../inspect/report/report.ts'
import { UsageError } from '../usage-error.ts'
import { placeText } from './words.ts'

/**
 * Requires that the format of a recording is known.
 *
 * @param hint - Added if values were read, such as an option that names the format.
 * @throws UsageError that states what was found instead, and the first line that no recording can have.
 */
export function requireKnown(name: string, { dialect, diagnostics, totals }: Report, hint = ''): void {
  if (dialect !== null) return
  const [first] = diagnostics
  const last = diagnostics.at(-1)
  const fault = first === last ? undefined : first
  const isUnknown = last?.code === 'unknown-dialect'
  const more = isUnknown && totals.values === 0 ? NO_VALUES : isUnknown ? hint : ''
  throw new UsageError(`${name}: ${last?.message ?? 'Expected a recording.'}${faultText(fault)}${more}`)
}

/** A fault and its line, after a space. Empty without one. */
export function faultText(
  fault: Pick<Finding, 'line' | 'message' | 'entry' | 'bodyLine'> | undefined,
): string {
  return fault === undefined ? '' : ` Line ${placeText(fault)}: ${fault.message}`
}

/** What to try with a file that holds no values. */
export const NO_VALUES = ' Record the stream of a server with turnstream record.'

/** For commands with the option. */
export const NAME_FORMAT = ' Name its format with --from.'
