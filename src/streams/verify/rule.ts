/** Types of rules and violations. */

import type { EventRuleName } from './rule-names.ts'

/** How severe a violation is. With `off`, the rule is not checked. */
export type RuleSeverity = 'error' | 'warn' | 'off'

/** Rule metadata. */
export interface RuleMeta {
  /** Short id, such as `K05`. Related rules share it. */
  readonly id: string
  /** The severity in each mode of the verifier. */
  readonly severity: {
    readonly strict: RuleSeverity
    readonly standard: RuleSeverity
    readonly lenient: RuleSeverity
  }
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

/**
 * How much a verifier checks:
 *
 * - `strict`: everything, for a producer's own tests
 * - `standard`: what a consumer relies on
 * - `lenient`: also accepts older producers that begin tasks without `task-created` and count indexes
 *   differently
 */
export type VerifyMode = 'strict' | 'standard' | 'lenient'

/** One event, or the end of a stream, that breaks a rule. */
export interface Violation {
  /** The rule that is broken. */
  rule: EventRuleName
  /** The severity in the verifier's mode. */
  severity: 'error' | 'warn'
  /** Human-readable, in English. May change in any release. */
  message: string
  /**
   * Position of the event in the stream, counted from `startIndex`. For a violation found at the end of the
   * stream, the position after the last event.
   */
  eventIndex: number
  /** Omitted if the event has no valid `contextId`, or the violation concerns the whole stream. */
  contextId?: string
  /** Omitted if the event has no valid `taskId`, or the violation concerns the whole stream. */
  taskId?: string
  /** JSON Pointer to the field that breaks the rule. Omitted for the whole event and the end of the stream. */
  path?: string
  /** The expected value. Omitted if more than one value would be right. */
  expected?: unknown
  /** The value found. Omitted if there is none. */
  actual?: unknown
}

/** Rules by name. */
export type Rules<Name extends EventRuleName> = Readonly<Record<Name, RuleMeta>>

type Severities = readonly [strict: RuleSeverity, standard: RuleSeverity, lenient: RuleSeverity]

export const ERROR: Severities = ['error', 'error', 'error']
export const ERROR_LENIENT_WARN: Severities = ['error', 'error', 'warn']
export const ERROR_LENIENT_OFF: Severities = ['error', 'error', 'off']
export const ERROR_WARN_WARN: Severities = ['error', 'warn', 'warn']
export const ERROR_WARN_OFF: Severities = ['error', 'warn', 'off']
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
