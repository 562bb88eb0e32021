/** The workspace in which the checks of one event report violations and change the state. */

import { type BoundedMap, boundedDelete, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { VerifyMode } from '../../../rules/rule.ts'
import { type Violation, ViolationReporter, valuesOf } from '../../../rules/violation.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import { type AgUiRuleName, agUiRuleMeta } from './rules.ts'
import type { AgUiVerifierState, SeenItem } from './state.ts'

/** A violation of a rule of `agUiRules`. `eventIndex` counts all events. */
export type AgUiViolation = Violation<AgUiRuleName> & {
  /** The type of the event. Omitted if it has none, and at the end. */
  type?: string
}

export class AgUiContext extends ViolationReporter<AgUiRuleName, AgUiViolation> {
  readonly state: Mutable<AgUiVerifierState>

  constructor(mode: VerifyMode, state: AgUiVerifierState, input?: unknown, type?: string) {
    const place = { eventIndex: state.nextIndex, ...(type !== undefined && { type }) }
    super(agUiRuleMeta, mode, place, valuesOf(input))
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

  /** An open item has to be closed before the run ends. */
  setItem(key: string, phase: SeenItem['phase'], by: string, text: string | null = ''): void {
    const { state, index } = this
    this.#store('items', key, { phase, index, run: state.run, text, by })
    if (phase === 'open') this.#store('open', key, true, MAX_ITEMS)
    else state.open = boundedDelete(state.open, key)
  }

  /** Replaces the arguments of an open call. */
  setText(key: string, item: SeenItem, text: string | null): void {
    this.#store('items', key, { ...item, text })
  }

  #store<T>(name: 'items' | 'open', key: string, value: T, generationSize?: number): void {
    const state = this.state as Record<typeof name, BoundedMap<unknown>>
    if (this.store(state, name, key, value, generationSize)) this.state.isPartial = true
  }
}

/** A field of an event if it is a string, as events may be malformed. */
export function textOf(event: object, field: string): string | undefined {
  const value = (event as Readonly<Record<string, unknown>>)[field]
  return typeof value === 'string' ? value : undefined
}
