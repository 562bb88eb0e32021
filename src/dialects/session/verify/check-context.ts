/** One event under verification, and how checks report violations. */

import { StepBuilder } from '../../../core/step-builder.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { asFields } from '../wire/coerce.ts'
import { type SessionRule, type SessionRuleName, type SessionViolation, sessionRules } from './rules.ts'
import { type SessionVerifierState, withOpen, withoutOpen } from './state.ts'

/** The place and values of a violation; undefined ones are omitted. */
interface Details {
  readonly path?: string | undefined
  readonly actual?: unknown
  readonly expected?: unknown
}

/** Collects the violations of one event. */
export class CheckContext extends StepBuilder<SessionVerifierState, SessionViolation> {
  readonly event: Fields & { readonly event: string }
  /** The name of the event. */
  readonly name: string
  /** The content as an object; empty if it is not one. */
  readonly content: Fields
  /** The metadata as an object; empty if it is not one. */
  readonly metadata: Fields
  readonly isLenient: boolean
  /** Whether earlier events of the session are unknown. */
  readonly isLateJoin: boolean
  readonly #eventIndex: number

  constructor(
    state: SessionVerifierState,
    event: { readonly event: string },
    options: { readonly mode?: string; readonly startIndex?: number },
  ) {
    super({ ...state, eventIndex: state.eventIndex + 1 })
    const fields = event as Fields & { readonly event: string }
    this.event = fields
    this.name = event.event
    this.content = asFields(fields.content)
    this.metadata = asFields(fields.metadata)
    this.isLenient = options.mode === 'lenient'
    this.isLateJoin = (options.startIndex ?? 0) > 0
    this.#eventIndex = state.eventIndex
  }

  /** Reports a violation, unless the mode skips the rule. */
  violation(rule: SessionRuleName, message: string, details: Details = {}): void {
    const { strictOnly }: SessionRule = sessionRules[rule]
    if (strictOnly === true && this.isLenient) return
    const known = Object.entries(details).filter(([, value]) => value !== undefined)
    const place = { eventIndex: this.#eventIndex, event: this.name, ...Object.fromEntries(known) }
    this.emit(violationOf(rule, message, place))
  }

  /** Opens an item or sets a counter. Reports `state-evicted` if this evicts another. */
  open(key: string, value: number): void {
    const { open, evicted } = withOpen(this.state.open, key, value)
    this.update({ open })
    if (evicted === undefined) return
    const message = `Too many open items; ${JSON.stringify(evicted)} is no longer tracked.`
    this.diagnostic('state-evicted', message, { detail: evicted })
  }

  /** Closes an item. */
  close(key: string): void {
    this.update({ open: withoutOpen(this.state.open, key) })
  }

  /** Whether an item is open. */
  isOpen(key: string): boolean {
    return Object.hasOwn(this.state.open, key)
  }

  /** A number in the metadata. */
  numberIn(field: string): number | undefined {
    const value = this.metadata[field]
    return typeof value === 'number' ? value : undefined
  }
}

/** A violation with the severity of its rule. */
export function violationOf(
  rule: SessionRuleName,
  message: string,
  place: Omit<SessionViolation, 'rule' | 'severity' | 'message'>,
): SessionViolation {
  return { rule, severity: sessionRules[rule].severity, message, ...place }
}
