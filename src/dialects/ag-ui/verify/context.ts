/** The workspace in which the checks of one event report violations and change the state. */

import { boundedDelete, boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import type { Diagnostic, Step } from '../../../core/machine.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { VerifyMode } from '../../../rules/rule.ts'
import { type Violation, ViolationReporter } from '../../../rules/violation.ts'
import { type AgUiRuleName, agUiRuleMeta } from './rules.ts'
import type { AgUiVerifierState, SeenItem } from './state.ts'

/** A violation of a rule of `agUiRules`. `eventIndex` counts all events. */
export interface AgUiViolation extends Violation<AgUiRuleName> {
  /** The type of the event. Omitted if it has none, and at the end. */
  type?: string
}

/** At least this many open items are stored, and at most twice as many. */
const MAX_OPEN = 1024

export class AgUiContext extends ViolationReporter<AgUiRuleName, AgUiViolation> {
  readonly state: Mutable<AgUiVerifierState>
  readonly #diagnostics: Diagnostic[] = []

  constructor(mode: VerifyMode, state: AgUiVerifierState, input?: unknown, type?: string) {
    const place = { eventIndex: state.nextIndex, ...(type !== undefined && { type }) }
    super(agUiRuleMeta, mode, place, input)
    this.state = { ...state }
  }

  get index(): number {
    return this.state.nextIndex
  }

  /** An item of the run, or of the conversation. What has ended before a snapshot of all messages may begin again. */
  item(key: string): SeenItem | undefined {
    const { items, run, messagesAt } = this.state
    const item = boundedGet(items, key)
    if (item === undefined) return undefined
    if (item.phase === 'closed' && item.index < messagesAt) return { ...item, phase: 'known', by: 'snapshot' }
    return item.run === run ? item : { ...item, phase: 'known' }
  }

  setItem(key: string, phase: SeenItem['phase'], by: string, text: string | null = ''): void {
    const { run } = this.state
    const { map, hasEvicted } = boundedSet(this.state.items, key, { phase, index: this.index, run, text, by })
    this.state.items = map
    if (hasEvicted) this.#reportEvicted()
  }

  /** Opens an item that has to be closed before the run ends. */
  open(key: string, by: string, text: string | null = ''): void {
    this.setItem(key, 'open', by, text)
    const { map, hasEvicted } = boundedSet(this.state.open, key, true, MAX_OPEN)
    this.state.open = map
    if (hasEvicted) this.#reportEvicted()
  }

  close(key: string, by: string, text: string | null = ''): void {
    this.setItem(key, 'closed', by, text)
    this.state.open = boundedDelete(this.state.open, key)
  }

  /** Replaces the arguments of an open call. */
  setText(key: string, item: SeenItem, text: string | null): void {
    this.state.items = boundedSet(this.state.items, key, { ...item, text }).map
  }

  #reportEvicted(): void {
    this.state.isPartial = true
    this.#diagnostics.push({
      code: 'state-evicted',
      message: 'Evicted ids: the stream has more than are stored.',
    })
  }

  done(): Step<AgUiVerifierState, AgUiViolation> {
    const { state, violations: out } = this
    return this.#diagnostics.length === 0 ? { state, out } : { state, out, diagnostics: this.#diagnostics }
  }
}

/** A field of an event if it is a string, as events may be malformed. */
export function textOf(event: object, field: string): string | undefined {
  const value = (event as Readonly<Record<string, unknown>>)[field]
  return typeof value === 'string' ? value : undefined
}
