/** The rules of a legal stream, and the verifier that checks them. */

export type { VerifierOptions } from './context.ts'
export type { RuleMeta, RuleSeverity } from './rule.ts'
export {
  type EventRule,
  type EventRuleName,
  eventRules,
  type VerifyMode,
  type Violation,
} from './rules.ts'
export type { VerifierState } from './state.ts'
export { verifier } from './verifier.ts'
