/** The ledger of a stream: each change of its state is one atomic step with the events that follow, whichever process makes it. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import type { LedgerInput, LedgerOutput } from '../commands/ledger/types.ts'
import type { Diagnostic, Machine } from '../core/machine.ts'
import { pause } from '../core/timer.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { isEqualJson } from '../json/value.ts'
import { cursorAfter } from '../streams/log/batch.ts'
import type { Cursor, Position } from '../streams/log/cursor.ts'
import type { StateLog, StateVersion } from '../streams/log/event-log.ts'
import { readToEnd } from '../streams/log/read-to-end.ts'
import { GivenAnswers } from './given-answers.ts'
import { StoreError } from './store-error.ts'
import { type Send, type StoredSend, sendsIn, withoutUntaken, withUntaken } from './untaken.ts'

/** The state after an input, and what it led to. */
export interface Applied {
  readonly state: CommandLedgerState
  readonly out: readonly LedgerOutput[]
  readonly diagnostics: readonly Diagnostic[]
  /** The input that is stored and not taken. */
  readonly untaken: readonly StoredSend[]
  /** Where the event of {@link Repeated} is stored already. Omitted: it is not, or none was given. */
  readonly position?: Position
}

/** An event whose append was rejected before: it may be stored. */
export interface Repeated {
  readonly event: ContextAnyEvent
  /** Not before this `seq`. */
  readonly since: number
}

/** The state after all events of the log: `out` is what they led to, and is not stored yet. */
type Current = Applied & StateVersion

/** The input for a state, and what is stored of the input that is not taken; `undefined` if there is none for it. */
export type InputOf = (state: CommandLedgerState, untaken: readonly StoredSend[]) => LedgerInput | undefined

/** What is stored of the input that is not taken, after a step that may add some. */
export type UntakenOf = (
  stored: readonly StoredSend[],
  added: readonly Send[],
  state: CommandLedgerState,
) => readonly StoredSend[]

/** How often an input is applied again because the stream has changed meanwhile. */
const ATTEMPTS = 100

/** Applies inputs to the state that a log stores beside its events. */
export class Ledger {
  /** The answers that agents have got here. */
  readonly given: GivenAnswers = new GivenAnswers()
  readonly #machine: Machine<CommandLedgerState, LedgerInput, LedgerOutput>
  readonly #stream: string
  readonly #log: StateLog
  #known: Current | undefined

  constructor(
    machine: Machine<CommandLedgerState, LedgerInput, LedgerOutput>,
    stream: string,
    log: StateLog,
  ) {
    this.#machine = machine
    this.#stream = stream
    this.#log = log
  }

  /** The state that is known here. */
  get state(): CommandLedgerState {
    return this.#known?.state ?? this.#machine.initial
  }

  /** The input that is stored, as far as it is known here. */
  get untaken(): readonly StoredSend[] {
    return this.#known?.untaken ?? []
  }

  /** Where the log ends, as far as it is known here. */
  get end(): Pick<StateVersion, 'epoch' | 'next'> | undefined {
    return this.#known
  }

  /**
   * Applies an input to the state and stores the result together with the events that follow, unless that changes
   * nothing. If another process was faster, it is applied to what that process has stored.
   *
   * @param inputOf - Gives the input for the state of the attempt; an event is appended with it. Omitted, or `undefined`:
   * only what the events of the log led to is stored.
   * @param untakenOf - Gives the input to store for agents. Omitted: what is stored.
   * @param repeated - The event, if its append was rejected before. If it is stored, nothing is.
   */
  async apply(inputOf?: InputOf, untakenOf?: UntakenOf, repeated?: Repeated): Promise<Applied> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // What is known here is tried first: usually nobody was faster.
      const isFirst = attempt === 0 && inputOf !== undefined && repeated === undefined
      const known = isFirst ? this.#known : undefined
      const current = known ?? (await this.#current())
      const position = repeated && (await this.#find(repeated, current))
      if (position !== undefined) return { ...current, out: [], diagnostics: [], position }
      const input = inputOf?.(current.state, current.untaken)
      const applied = this.#step(current, input)
      const { state, out } = applied
      const untaken = untakenOf?.(current.untaken, sendsIn(out), state) ?? current.untaken
      const isSame = state === current.state && untaken === current.untaken
      if (isSame && out.every(({ type }) => type === 'receipt')) {
        // A refusal is for the latest state only.
        if (known !== undefined) continue
        this.#known = { ...current, diagnostics: [] }
        return { ...applied, untaken }
      }
      const events = out.flatMap((output) => (output.type === 'event' ? [output.event] : []))
      const task = input?.type === 'event' ? (input.event as ContextAnyEvent) : undefined
      let version: string | undefined
      try {
        version = await this.#log.appendIf(current, events, withUntaken(state, untaken), task)
      } catch (error) {
        // To a closed stream nothing is appended; what is known can be read.
        if (!(error instanceof TypeError) || inputOf !== undefined) throw error
        return { ...applied, out: [], untaken: current.untaken }
      }
      if (version !== undefined) {
        const { epoch } = current
        const next = current.next + events.length
        this.#known = { state, out: [], diagnostics: [], untaken, epoch, next, version }
        return { ...applied, untaken }
      }
      if (known === undefined) await pause(attempt)
    }
    throw new StoreError(
      'unavailable',
      `Expected to store the state of stream "${this.#stream}" within ${ATTEMPTS} attempts, but other processes were faster.`,
    )
  }

  /** Where an event is stored, if it is. A late append of it fails once the stream has moved on. */
  async #find({ event, since }: Repeated, { epoch, next }: StateVersion): Promise<Position | undefined> {
    let at: Cursor = { stream: this.#stream, epoch, seq: since - 1 }
    while (at.seq + 1 < next) {
      const part = await this.#log.read(at)
      if (part.type === 'reset' || part.through === part.after) return undefined
      const found = part.events.findIndex((each) => isSameEvent(each, event))
      if (found !== -1) return { stream: this.#stream, epoch, seq: part.seqs[found] ?? -1 }
      at = cursorAfter(part)
    }
    return undefined
  }

  #step(current: Current, input: LedgerInput | undefined): Omit<Applied, 'untaken'> {
    let before = current.state
    for (const taken of this.given.takenIn(before)) before = this.#machine.step(before, taken).state
    if (input === undefined) return { ...current, state: before }
    const { state, out, diagnostics = [] } = this.#machine.step(before, input)
    const own = input.type === 'event' ? [input] : []
    return {
      state,
      out: [...current.out, ...own, ...out],
      diagnostics: [...current.diagnostics, ...diagnostics],
    }
  }

  async #current(): Promise<Current> {
    let known = this.#known
    for (;;) {
      const { cursor, ...loaded } = await this.#load(known)
      const read = await this.#read(cursor)
      // A log that has lost events has lost states with them: what is known here may be of events that are no more.
      if (known !== undefined && known.epoch !== read.epoch) {
        known = undefined
        continue
      }
      // Events of a commit that came in between: only the state that was stored with them has the answers.
      if (read.events.length > 0 && (await this.#log.loadState(loaded.version)).version !== loaded.version)
        continue
      let { state } = loaded
      const [out, diagnostics] = [[...loaded.out], [...loaded.diagnostics]]
      for (const event of read.events) {
        const step = this.#machine.step(state, { type: 'event', event })
        state = step.state
        out.push(...step.out)
        diagnostics.push(...(step.diagnostics ?? []))
      }
      const { untaken, version } = loaded
      this.#known = { state, out, diagnostics, untaken, epoch: read.epoch, next: read.next, version }
      return this.#known
    }
  }

  /** The latest state that is known or stored, and up to where it includes the log. */
  async #load(
    known: Current | undefined,
  ): Promise<Applied & { version: string; cursor: Cursor | undefined }> {
    const { version, state: stored, through } = await this.#log.loadState(known?.version)
    if (known !== undefined && version === known.version) {
      return { ...known, cursor: { stream: this.#stream, epoch: known.epoch, seq: known.next - 1 } }
    }
    const nothing = { out: [], diagnostics: [], untaken: [], version }
    if (stored === undefined) return { ...nothing, state: this.#machine.initial, cursor: undefined }
    return {
      ...nothing,
      ...withoutUntaken(this.#stream, stored),
      cursor: through && { stream: this.#stream, ...through },
    }
  }

  /** The events after a cursor; what the stream was, as events, if they are no longer there. */
  async #read(from: Cursor | undefined): Promise<{ events: ContextAnyEvent[]; epoch: string; next: number }> {
    const events: ContextAnyEvent[] = []
    let end = { epoch: '', through: -1 }
    for await (const part of readToEnd(this.#log, from)) {
      events.push(...(part.events ?? []))
      end = part
    }
    return { events, epoch: end.epoch, next: end.through + 1 }
  }
}

/** Whether an event is another one as it is stored: a log may add its `parentTaskId`. */
function isSameEvent(stored: ContextAnyEvent, event: ContextAnyEvent): boolean {
  const { parentTaskId = stored.parentTaskId } = event
  // Members that are undefined are not stored.
  return isEqualJson(stored, JSON.parse(JSON.stringify({ ...event, parentTaskId })))
}
