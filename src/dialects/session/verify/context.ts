/** One event under verification, and how checks report violations. */

import { boundedDelete, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { FNV_OFFSET_BASIS, fnv1a } from '../../../encoding/fnv1a.ts'
import type { Rules, VerifyMode } from '../../../rules/rule.ts'
import { ViolationReporter, valuesOf } from '../../../rules/violation.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import type { SessionDirection } from '../wire/names.ts'
import type { SessionRuleName, SessionViolation } from './rule-names.ts'
import type { OpenItem, SessionRound, SessionVerifierState } from './state.ts'

/** What all checks of a verifier know. */
export interface CheckSettings {
  readonly rules: Rules<SessionRuleName>
  readonly mode: VerifyMode
  readonly direction: SessionDirection | undefined
  /** Whether earlier events of the session are unknown. */
  readonly isJoinedLate: boolean
}

/** Longer keys are stored as their beginning and a hash. */
const MAX_KEY = 200

/** Collects the violations of one event. */
export class CheckContext extends ViolationReporter<SessionRuleName, SessionViolation> {
  readonly event: Fields & { readonly event: string }
  /** The name of the event. */
  readonly name: string
  /** The content as an object; empty if it is not one. */
  readonly content: Fields
  /** The metadata as an object; empty if it is not one. */
  readonly metadata: Fields
  readonly settings: CheckSettings
  readonly isLenient: boolean
  readonly eventIndex: number
  readonly session: string
  /** A copy of the state of the connection, which the checks change. */
  readonly state: Mutable<SessionVerifierState>
  /** The state of the session, with the changes so far. */
  round: SessionRound

  constructor(
    state: SessionVerifierState,
    round: SessionRound,
    event: { readonly event: string },
    session: string,
    settings: CheckSettings,
  ) {
    const { eventIndex } = state
    const place = session === '' ? { eventIndex } : { eventIndex, sessionId: session }
    super(settings.rules, settings.mode, place, valuesOf(event))
    const fields = event as Fields & { readonly event: string }
    this.eventIndex = eventIndex
    this.session = session
    this.state = { ...state, session }
    this.round = round
    this.event = fields
    this.name = event.event
    this.content = fieldsOf(fields.content)
    this.metadata = fieldsOf(fields.metadata)
    this.settings = settings
    this.isLenient = settings.mode === 'lenient'
  }

  /** Replaces fields of the state of the session. */
  updateRound(changes: Partial<SessionRound>): void {
    this.round = { ...this.round, ...changes }
  }

  /** The open item or counter of the session, if any. */
  item(type: string, id: string): OpenItem | undefined {
    return boundedGet(this.state.open, this.#keyOf(type, id))
  }

  /** Opens an item or sets a counter. Reports `state-evicted` if this evicts others. */
  setItem(type: string, id: string, count: number): void {
    const { eventIndex, session } = this
    const item = { type, id: id.slice(0, MAX_KEY), session: session.slice(0, MAX_KEY), eventIndex, count }
    if (this.store(this.state, 'open', this.#keyOf(type, id), item)) this.state.hasEvicted = true
  }

  /** Closes an item. */
  deleteItem(type: string, id: string): void {
    this.state.open = boundedDelete(this.state.open, this.#keyOf(type, id))
  }

  /** A number in the metadata. */
  numberIn(field: string): number | undefined {
    const value = this.metadata[field]
    return typeof value === 'number' ? value : undefined
  }

  /** Whether an item that is not open was not opened: all earlier events are known. */
  get isComplete(): boolean {
    return !this.settings.isJoinedLate && !this.state.hasEvicted && !this.round.isPartial
  }

  #keyOf(type: string, id: string): string {
    const key = `${type} ${this.session} ${id}`
    return key.length <= MAX_KEY
      ? key
      : `${key.slice(0, MAX_KEY)}#${key.length}#${fnv1a(FNV_OFFSET_BASIS, key)}`
  }
}

/** Checks one event. */
export type Check = (context: CheckContext) => void

/** Checks by the name of the event. */
export type Checks = Readonly<Record<string, Check>>
