/** Appending the events of agents: what the state decides about is appended together with it, and what is repeated is stored once. */

import type { LedgerOptions } from '../commands/ledger/ledger.ts'
import { adoptsTask, latestTime } from '../commands/ledger/read.ts'
import type { Diagnostic } from '../core/machine.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import type { Position } from '../streams/log/cursor.ts'
import type { StateLog } from '../streams/log/event-log.ts'
import { requireEvent } from '../streams/log/require-event.ts'
import { ApprovalError } from './approval-error.ts'
import type { Applied, InputOf, Ledger, Repeated } from './ledger.ts'
import { isDecided, isForeign, READ_FIRST, type Verdict, verdictOn } from './verdict.ts'

/** What appending needs of its stream. */
export interface AppendingHost {
  /** The name of the stream. */
  readonly stream: string
  readonly log: StateLog
  /** Whether the state of the stream is stored: other processes compare it. */
  readonly isShared: boolean
  readonly options: LedgerOptions
  readonly ledger: Ledger
  /** Runs a task after those before it, unless its deadline has passed by then. */
  ordered<T>(task: () => Promise<T>): Promise<T>
  /** Applies an input, in an ordered task. */
  apply(input?: InputOf, repeated?: Repeated): Promise<Applied>
  report(diagnostics: readonly Diagnostic[]): void
}

/** The kinds that change the state of a ledger, besides its latest time. */
const STATEFUL = /^(?:task-|subtask-|input-|auth-|tool-(?:start|complete))/

/** The append of an event, repeated ones included. */
interface Attempt extends Repeated {
  event: ContextAnyEvent
  /** Where it has stored the event, perhaps after its deadline. */
  position?: Position
}

export class Appending {
  readonly #host: AppendingHost
  /** What was given for events → their append, if it was rejected. */
  readonly #rejected = new WeakMap<object, Attempt>()

  constructor(host: AppendingHost) {
    this.#host = host
  }

  /** @param of - The task whose agent yields the event, perhaps as another agent has sent it. Omitted: any. */
  async append(value: ContextAnyEvent, of?: TaskName): Promise<Position> {
    const { ledger, ordered } = this.#host
    const before = this.#rejected.get(value)
    const attempt: Attempt = before ?? { event: requireEvent(value), since: ledger.end?.next ?? 0 }
    this.#rejected.delete(value)
    ledger.given.onAppend(attempt.event)
    try {
      return await ordered(async () => {
        attempt.position ??= await this.#store(attempt, before !== undefined, of)
        return attempt.position
      })
    } catch (error) {
      if (!(error instanceof ApprovalError)) this.#rejected.set(value, attempt)
      throw error
    }
  }

  #store(attempt: Attempt, isRepeated: boolean, of: TaskName | undefined): Promise<Position> {
    const { state } = this.#host.ledger
    if (!isRepeated && attempt.event.taskId === of?.taskId) attempt.event = afterOthers(state, attempt.event)
    const { event } = attempt
    const isPlain =
      !isDecided(event) && !adoptsTask(state, event) && (of === undefined || !isForeign(state, event, of))
    return isPlain ? this.#add(event) : this.#decide(event, isRepeated ? attempt : undefined, of)
  }

  async #add(event: ContextAnyEvent): Promise<Position> {
    const { log, isShared, apply } = this.#host
    const position = await log.append(event)
    if (!isShared && STATEFUL.test(event.kind)) await apply()
    return position
  }

  async #decide(
    event: ContextAnyEvent,
    before: Repeated | undefined,
    of: TaskName | undefined,
  ): Promise<Position> {
    const { stream, ledger, isShared, options, apply, report } = this.#host
    let verdict: Verdict | undefined
    const inputOf: InputOf = (state) => {
      verdict = verdictOn(state, event, options, of)
      return verdict === undefined ? { type: 'event', event } : undefined
    }
    // Without a state that it compares, the log is read first: another process may have appended what decides.
    if (!isShared && READ_FIRST.test(event.kind)) await apply()
    const { position } = await apply(inputOf, before)
    if (verdict?.error !== undefined) throw verdict.error
    if (verdict?.dropped !== undefined) report([verdict.dropped])
    return position ?? { stream, epoch: ledger.end?.epoch ?? '', seq: (ledger.end?.next ?? 0) - 1 }
  }
}

/** How long an event may wait for its turn, in milliseconds: what its agent has stamped long before is as it states it. */
const MAX_WAIT_MS = 10_000

/** An event that was stamped before it waited for its turn: what was appended meanwhile is not later than it. */
function afterOthers(state: Ledger['state'], event: ContextAnyEvent): ContextAnyEvent {
  const timestamp = latestTime(state, event.timestamp)
  const hasWaited = Date.parse(timestamp) - Date.parse(event.timestamp) < MAX_WAIT_MS
  return timestamp !== event.timestamp && hasWaited ? { ...event, timestamp } : event
}
