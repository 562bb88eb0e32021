/** What there is to say about a rule. */

/** How bad it is to break a rule: the stream is wrong, or suspicious, or nothing is said. */
export type RuleSeverity = 'error' | 'warn' | 'off'

/** What there is to say about a rule besides its name. */
export interface RuleMeta {
  /** Short for the same, as in `K05`. Rules that belong together share it. */
  readonly id: string
  /** How bad it is to break it, by mode. */
  readonly severity: {
    readonly strict: RuleSeverity
    readonly standard: RuleSeverity
    readonly lenient: RuleSeverity
  }
  /** Whether the protocol's documents say it, it follows from what they say, or it is an addition. */
  readonly source: 'stated' | 'inferred' | 'added'
  /**
   * What shows that it is broken: `events` alone; an `option` together with them; `nothing` a verifier
   * gets to see.
   */
  readonly checkedBy: 'stream' | 'option' | 'none'
  /** What the rule asks for. */
  readonly summary: string
}

type Severities = readonly [strict: RuleSeverity, standard: RuleSeverity, lenient: RuleSeverity]

/** Wrong in every mode. */
export const always: Severities = ['error', 'error', 'error']
/** Wrong, but for producers that follow the older document. */
export const mostly: Severities = ['error', 'error', 'warn']
/** Suspicious; wrong for who wants it strict. */
export const strictly: Severities = ['error', 'warn', 'off']
/** Never more than suspicious. */
export const hint: Severities = ['warn', 'off', 'off']

export function defineRule(
  id: string,
  source: RuleMeta['source'],
  [strict, standard, lenient]: Severities,
  summary: string,
  checkedBy: RuleMeta['checkedBy'] = 'stream',
): RuleMeta {
  return { id, severity: { strict, standard, lenient }, source, checkedBy, summary }
}
