/** Rules of legal streams, as data. */

/** How severe a violation is. With `off`, the rule is not checked. */
export type RuleSeverity = 'error' | 'warn' | 'off'

/**
 * How much a verifier checks:
 *
 * - `strict`: everything, for a producer's own tests
 * - `standard`: what a consumer relies on
 * - `lenient`: also accepts older producers
 */
export type VerifyMode = 'strict' | 'standard' | 'lenient'

/** All modes, for messages. */
export const verifyModes: readonly VerifyMode[] = ['strict', 'standard', 'lenient']

/** A rule without its name. */
export interface RuleMeta {
  /** Short id, such as `K05`. Related rules share it. */
  readonly id: string
  /** The severity in each mode of the verifier. */
  readonly severity: Readonly<Record<VerifyMode, RuleSeverity>>
  /** Where the rule comes from: `stated` in the protocol's documents, `inferred` from them, or `added`. */
  readonly source: 'stated' | 'inferred' | 'added'
  /**
   * What is needed to detect a violation: the events of the `stream`, an `option` together with the events,
   * or `none` if no verifier can detect it.
   */
  readonly checkedBy: 'stream' | 'option' | 'none'
  /** The rule in one sentence. */
  readonly summary: string
}

/** A rule that legal streams follow. */
export interface Rule<Name extends string = string> extends RuleMeta {
  /** Stable, for programs. */
  readonly rule: Name
}

/** Rules by name. */
export type Rules<Name extends string> = Readonly<Record<Name, RuleMeta>>

type Severities = readonly [strict: RuleSeverity, standard: RuleSeverity, lenient: RuleSeverity]

export const ERROR: Severities = ['error', 'error', 'error']
export const ERROR_LENIENT_WARN: Severities = ['error', 'error', 'warn']
export const ERROR_LENIENT_OFF: Severities = ['error', 'error', 'off']
export const ERROR_WARN_WARN: Severities = ['error', 'warn', 'warn']
export const ERROR_WARN_OFF: Severities = ['error', 'warn', 'off']
export const WARN: Severities = ['warn', 'warn', 'warn']
export const WARN_LENIENT_OFF: Severities = ['warn', 'warn', 'off']
export const WARN_STRICT_ONLY: Severities = ['warn', 'off', 'off']
export const OFF: Severities = ['off', 'off', 'off']

export function defineRule(
  id: string,
  source: RuleMeta['source'],
  [strict, standard, lenient]: Severities,
  summary: string,
  checkedBy: RuleMeta['checkedBy'] = 'stream',
): RuleMeta {
  return { id, severity: { strict, standard, lenient }, source, checkedBy, summary }
}

/** The rules as a list, in the order of their ids. */
export function rulesOf<Name extends string>(rules: Rules<Name>): readonly Rule<Name>[] {
  return (Object.keys(rules) as Name[])
    .map((rule) => ({ rule, ...rules[rule] }))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}
