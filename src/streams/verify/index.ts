/** The rules of legal streams, and the verifier that checks them. */

export type { RuleMeta, VerifyMode, Violation } from './rule.ts'
export type { EventRuleName } from './rule-names.ts'
export { type EventRule, eventRules } from './rules/index.ts'
export { type VerifierOptions, verifier } from './verifier.ts'
