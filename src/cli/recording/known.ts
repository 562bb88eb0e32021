/** What the commands that need the format of a recording require of it. */

import type { Report } from '../../inspect/report/report.ts'
import { UsageError } from '../usage-error.ts'
import { placeText } from './place.ts'

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
  const place = (finding: typeof first): string =>
    finding === undefined || finding === last ? '' : ` Line ${placeText(finding)}: ${finding.message}`
  const more = last?.code === 'unknown-dialect' && totals.values > 0 ? hint : ''
  throw new UsageError(`${name}: ${last?.message ?? 'Expected a recording.'}${place(first)}${more}`)
}

/** For commands with the option. */
export const NAME_FORMAT = ' Name its format with --from.'
