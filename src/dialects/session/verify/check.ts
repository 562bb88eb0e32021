/** One event being checked, and how a check reports. */

import type { Diagnostic } from '../../../core/machine.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { asFields } from '../wire/coerce.ts'
import { change } from '../wire/step.ts'
import { type SessionRule, type SessionRuleName, type SessionViolation, sessionRules } from './rules.ts'
import { opened, type SessionVerifierState } from './state.ts'

/** What a check sees and changes. */
export interface Check {
  /** The state as far as the event has changed it. */
  state: SessionVerifierState
  readonly out: SessionViolation[]
  readonly diagnostics: Diagnostic[]
  readonly event: Fields & { readonly event: string }
  readonly name: string
  /** Content as an object; empty where it is none. */
  readonly content: Fields
  readonly metadata: Fields
  readonly isLenient: boolean
  readonly isJoined: boolean
}

export function checkOf(
  state: SessionVerifierState,
  event: { readonly event: string },
  options: { readonly mode?: string; readonly startIndex?: number },
): Check {
  const fields = event as Fields & { readonly event: string }
  return {
    state,
    out: [],
    diagnostics: [],
    event: fields,
    name: event.event,
    content: asFields(fields.content),
    metadata: asFields(fields.metadata),
    isLenient: options.mode === 'lenient',
    isJoined: (options.startIndex ?? 0) > 0,
  }
}

/** Reports a rule unless it holds. */
export function must(
  check: Check,
  rule: SessionRuleName,
  holds: boolean,
  path?: string,
  actual?: unknown,
  expected?: unknown,
): void {
  const { strictOnly }: SessionRule = sessionRules[rule]
  if (holds || (strictOnly === true && check.isLenient)) return
  const where = { event: check.name, path, actual, expected }
  const told = Object.entries(where).filter(([, value]) => value !== undefined)
  check.out.push(violation(rule, Object.fromEntries(told)))
}

/** A rule that does not hold. */
export function violation(
  rule: SessionRuleName,
  where: Omit<SessionViolation, 'rule' | 'severity' | 'message'>,
): SessionViolation {
  const { severity, summary } = sessionRules[rule]
  return { rule, severity, message: summary, ...where }
}

/** Remembers a number under a key, until it is closed. */
export function remember(check: Check, key: string, value: number): void {
  const { open, forgotten } = opened(check.state.open, key, value)
  change(check, { open })
  if (forgotten === undefined) return
  check.diagnostics.push({ code: 'forgotten', message: 'Too much is open at once.', detail: forgotten })
}

/** A number of the event's metadata. */
export function numberIn(check: Check, field: string): number | undefined {
  const value = check.metadata[field]
  return typeof value === 'number' ? value : undefined
}
