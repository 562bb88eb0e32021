/** The state of a ledger in Redis, beside its log: each change is one atomic step with the events that follow. */

import { type Send, sendsIn, withoutUntaken, withUntaken } from '../../commands/kept/untaken.ts'
import type { CommandLedgerState } from '../../commands/ledger/ledger.ts'
import type { LedgerInput, LedgerOutput } from '../../commands/ledger/types.ts'
import type { Diagnostic, Machine } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { cursorAfter } from '../../streams/log/batch.ts'
import type { Cursor } from '../../streams/log/cursor.ts'
import type { Keeper } from '../keeper.ts'
import type { Operations } from '../operations.ts'
import { parentLines } from '../parent-lines.ts'
import type { Reader } from '../reader.ts'
import { RedisLogError } from '../redis-log-error.ts'
import type { StoredSend } from './input-queue.ts'

/** The state after all events of the log. */
interface Current {
  readonly state: CommandLedgerState
  /** What the events led to, and is not stored yet. */
  readonly out: readonly LedgerOutput[]
  readonly diagnostics: readonly Diagnostic[]
  readonly untaken: readonly StoredSend[]
  readonly epoch: string
  /** Where the log continues. */
  readonly next: number
  /** Which stored state it began from. */
  readonly version: string
}

/** The state after an input, and what it led to. */
export interface Applied {
  readonly state: CommandLedgerState
  readonly out: readonly LedgerOutput[]
  readonly diagnostics: readonly Diagnostic[]
  /** The input that is stored and not taken. */
  readonly untaken: readonly StoredSend[]
}

/** The input for a state; `undefined` if there is none for it. */
export type InputOf = (state: CommandLedgerState) => LedgerInput | undefined

/** What is stored of the input that is not taken, after a step that may add some. */
export type UntakenOf = (stored: readonly StoredSend[], added: readonly Send[]) => readonly StoredSend[]

/** How many bytes of events are read at a time. */
const PAGE_BYTES = 2 ** 20
/** How often an input is applied again because the stream has changed meanwhile. */
const ATTEMPTS = 100

export class LedgerStore {
  private readonly machine: Machine<CommandLedgerState, LedgerInput, LedgerOutput>
  private readonly stream: string
  private readonly operations: Operations
  private readonly reader: Reader
  private readonly keeper: Keeper
  private readonly sleep: (ms: number) => Promise<unknown>
  private known: Current | undefined

  constructor(
    machine: Machine<CommandLedgerState, LedgerInput, LedgerOutput>,
    stream: string,
    {
      operations,
      reader,
      keeper,
      sleep,
    }: {
      operations: Operations
      reader: Reader
      keeper: Keeper
      sleep: (ms: number) => Promise<unknown>
    },
  ) {
    this.machine = machine
    this.stream = stream
    this.operations = operations
    this.reader = reader
    this.keeper = keeper
    this.sleep = sleep
  }

  /**
   * Applies an input to the state and stores the result together with the events that follow, unless that changes
   * nothing. If another process was faster, it is applied to what that process has stored.
   *
   * @param inputOf - Gives the input for the state of the attempt; an event is appended with it. Omitted, or `undefined`:
   * only what the events of the log led to is stored.
   * @param untakenOf - Gives the input to store for agents. Omitted: what is stored.
   */
  async apply(inputOf?: InputOf, untakenOf?: UntakenOf): Promise<Applied> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // What is known here is tried first: usually nobody was faster.
      const known = attempt === 0 && inputOf !== undefined ? this.known : undefined
      const current = known ?? (await this.current())
      const { state, out, diagnostics } = this.stepFrom(current, inputOf)
      const untaken = untakenOf?.(current.untaken, sendsIn(out)) ?? current.untaken
      const isSame = state === current.state && untaken === current.untaken
      if (isSame && out.every(({ type }) => type === 'receipt')) {
        // A refusal is for the latest state only.
        if (known !== undefined) continue
        this.known = { ...current, diagnostics: [] }
        return { state, out, diagnostics, untaken }
      }
      const events = out.flatMap((output) => (output.type === 'event' ? [output.event] : []))
      const [outcome, next] = await this.operations.run(
        'commit',
        ...[
          crypto.randomUUID(),
          current.epoch,
          current.next,
          current.version,
          JSON.stringify(withUntaken(state, untaken)),
        ],
        ...events.flatMap((event) => [JSON.stringify(event), parentLines(event)]),
      )
      if (outcome === 'committed') {
        const { epoch, version } = current
        this.known = {
          ...{ state, out: [], diagnostics: [], untaken, epoch },
          ...{ next: Number(next), version: nextVersion(version) },
        }
        return { state, out, diagnostics, untaken }
      }
      if (outcome === 'closed') {
        // What events led to is no longer appended; what is known can be read.
        if (inputOf === undefined) return { state, out: [], diagnostics, untaken: current.untaken }
        throw new TypeError(`Cannot append to a closed log: ${this.stream}.`)
      }
      if (known === undefined) await this.sleep(attempt)
    }
    const message = `Expected to store the ledger of stream "${this.stream}" within ${ATTEMPTS} attempts, but other processes were faster.`
    throw new RedisLogError('unavailable', message)
  }

  private stepFrom(current: Current, inputOf: InputOf | undefined): Omit<Applied, 'untaken'> {
    const input = inputOf?.(current.state)
    if (input === undefined) return current
    const { state, out, diagnostics = [] } = this.machine.step(current.state, input)
    const own = input.type === 'event' ? [input] : []
    return {
      state,
      out: [...current.out, ...own, ...out],
      diagnostics: [...current.diagnostics, ...diagnostics],
    }
  }

  private async current(): Promise<Current> {
    for (;;) {
      const loaded = await this.loadStored()
      const read = await this.read(loaded.cursor)
      // Events of a commit that came in between: only the state that was stored with them has the answers.
      if (read.events.length > 0 && (await this.isOutdated(loaded.version))) continue
      let { state } = loaded
      const [out, diagnostics] = [[...loaded.out], [...loaded.diagnostics]]
      for (const event of read.events) {
        const step = this.machine.step(state, { type: 'event', event })
        state = step.state
        out.push(...step.out)
        diagnostics.push(...(step.diagnostics ?? []))
      }
      const { untaken, version } = loaded
      this.known = { state, out, diagnostics, untaken, epoch: read.epoch, next: read.next, version }
      return this.known
    }
  }

  private async isOutdated(version: string): Promise<boolean> {
    const [latest] = await this.operations.run('loadLedger', version)
    return String(latest) !== version
  }

  /** The latest state that is known here or stored, and up to where it includes the log. */
  private async loadStored(): Promise<Applied & { version: string; cursor: Cursor | undefined }> {
    const { known, stream } = this
    const [version, epoch, through, json] = await this.operations.run('loadLedger', known?.version ?? '')
    if (known !== undefined && String(version) === known.version) {
      return { ...known, cursor: { stream, epoch: known.epoch, seq: known.next - 1 } }
    }
    const nothing = { out: [], diagnostics: [], untaken: [], version: String(version) }
    if (json === '') return { ...nothing, state: this.machine.initial, cursor: undefined }
    const { state, untaken } = withoutUntaken(JSON.parse(String(json)) as CommandLedgerState)
    return {
      ...nothing,
      ...{ state, untaken: untaken as readonly StoredSend[] },
      cursor: { stream, epoch: String(epoch), seq: Number(through) },
    }
  }

  /** The events after a cursor; what the stream was, as events, if they are no longer there. */
  private async read(
    from: Cursor | undefined,
  ): Promise<{ events: ContextAnyEvent[]; epoch: string; next: number }> {
    const events: ContextAnyEvent[] = []
    let at = from
    for (;;) {
      const part = await this.reader.read(at, { maxBytes: PAGE_BYTES })
      if (part.type === 'reset') {
        const snapshot = await this.keeper.snapshot()
        events.push(...(snapshot?.events ?? []))
        at =
          snapshot === undefined
            ? cursorAfter(part)
            : { stream: this.stream, epoch: snapshot.epoch, seq: snapshot.through }
        continue
      }
      events.push(...part.events)
      at = cursorAfter(part)
      if (part.through === part.after) return { events, epoch: part.epoch, next: part.through + 1 }
    }
  }
}

function nextVersion(version: string): string {
  return String(Number(version) + 1)
}
