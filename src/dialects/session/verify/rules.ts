/** The rules of a legal session, as data. */

import { type Rule, type Rules, rulesOf } from '../../../rules/rule.ts'
import { connectionRules } from './connection.ts'
import { pairRules } from './pair.ts'
import { roundRules } from './round.ts'
import type { SessionRuleName } from './rule-names.ts'

/** One rule. */
export interface SessionRule extends Rule<SessionRuleName> {
  /** Whether the rule is about extensions: events that the specification does not define. */
  readonly extension?: true
}

/** The rules by name. */
export const ruleMeta: Rules<SessionRuleName> = { ...connectionRules, ...roundRules, ...pairRules }

/**
 * The rules, in the order of their ids. Names are stable; summaries may change in any release.
 *
 * @see docs/spec/event-payloads.md
 */
export const sessionRules: readonly SessionRule[] = rulesOf(ruleMeta).map((rule) =>
  rule.rule === 'extension-event' ? { ...rule, extension: true } : rule,
)
