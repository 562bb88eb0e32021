/** What `turnstream validate` has found. */
import type { Finding, Severity } from '../../inspect/check/finding.ts'
import type { Dialect } from '../../inspect/dialects.ts'

/** All severities, from the worst. */
export const severities: readonly Severity[] = ['error', 'warn', 'info']

/** What was found. */
export interface Findings {
  /** The name of the recording. */
  readonly name: string
  /** Its format. `null` if it was not recognized. */
  dialect: Dialect | null
  /** Up to a number. Empty for text, which is written as it is found. */
  readonly listed: Finding[]
  readonly counts: Record<Severity, number>
}

/** How many findings are counted and not listed. */
export function omittedOf({ listed, counts }: Findings): number {
  return counts.error + counts.warn + counts.info - listed.length
}
