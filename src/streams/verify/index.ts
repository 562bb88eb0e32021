/** The rules of legal streams, and the verifier that checks them. */

export type { Rule, VerifyMode } from '../../rules/rule.ts'
export type { Violation } from '../../rules/violation.ts'
export { eventRules } from './rules/index.ts'
export { verifier } from './verifier.ts'
