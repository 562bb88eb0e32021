/** Appending the events of agents: what the state decides about is appended together with it, and what is repeated is stored once. */

import type { LedgerOptions } from '../commands/ledger/ledger.ts'
import { adoptsTask, latestTime } from '../commands/ledger/read.ts'
import type { Diagnostic } from '../core/machine.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import { AppendQueue, type Waiting } from '../streams/log/append-queue.ts'
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
  /** Runs a task, and rejects as `unavailable` if it does not end in time. It continues then, until it asks `isOver`. */
  inTime<T>(task: (isOver: () => boolean) => Promise<T>): Promise<T>
  /** Runs a task after those before it. */
  inOrder<T>(task: () => Promise<T>): Promise<T>
  /** Applies an input, in an ordered task. */
  apply(input?: InputOf, repeated?: Repeated): Promise<Applied>
  report(diagnostics: readonly Diagnostic[]): void
}

/** The kinds that change the state of a ledger, besides its latest time. */
const STATEFUL = /^(?:task-|subtask-|input-|auth-|tool-(?:start|complete))/

/** The append of an event, repeated ones included. */
interface Attempt extends Repeated {
  event: ContextAnyEvent
  /** Counts the first appends of events: in this order they are stored. */
  readonly turn: number
  /** Where it has stored the event, perhaps after its deadline. */
  position?: Position
}

/** A call of `append`. */
interface Call extends Waiting {
  store(): Promise<Position>
  resolve(position: Position): void
}

export class Appending {
  readonly #host: AppendingHost
  /** What was given for events → their append, if it was rejected. */
  readonly #rejected = new WeakMap<object, Attempt>()
  #turns = 0
  readonly #queue = new AppendQueue<Call>()

  constructor(host: AppendingHost) {
    this.#host = host
  }

  /** @param of - The task whose agent yields the event, perhaps as another agent has sent it. Omitted: any. */
  async append(value: ContextAnyEvent, of?: TaskName): Promise<Position> {
    const { ledger, inTime, inOrder } = this.#host
    const before = this.#rejected.get(value)
    const attempt: Attempt = before ?? {
      event: requireEvent(value),
      since: ledger.end?.next ?? 0,
      turn: this.#turns++,
    }
    this.#rejected.delete(value)
    ledger.given.onAppend(attempt.event)
    // An agent appends one event after the other, and waits for no other agent.
    const queue = of === undefined ? this.#queue : new AppendQueue<Call>()
    let call: Call | undefined
    try {
      return await inTime(
        (isOver) =>
          new Promise((resolve, reject) => {
            const store = async (): Promise<Position> => {
              attempt.position ??= await this.#store(attempt, before !== undefined, of)
              return attempt.position
            }
            call = { turn: attempt.turn, isOver, store, resolve, reject }
            queue.add(call)
            // Each call has a turn, and each turn the first call.
            void inOrder(() => storeNext(queue))
          }),
      )
    } catch (error) {
      if (call !== undefined) queue.ended(call, error)
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
    if (verdict?.dropped) report([verdict.dropped])
    return position ?? { stream, epoch: ledger.end?.epoch ?? '', seq: (ledger.end?.next ?? 0) - 1 }
  }
}

async function storeNext(queue: AppendQueue<Call>): Promise<void> {
  const call = queue.next()
  if (call === undefined) return
  try {
    call.resolve(await call.store())
  } catch (error) {
    queue.reject([call], error)
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
