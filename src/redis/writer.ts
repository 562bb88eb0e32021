/** The writing side of a log: appends in order, holds the lease. */

import { requireJson } from '../core/require.ts'
import { startTimer, stopTimer } from '../core/timer.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { isTaskEnd } from '../events/task-end.ts'
import { type Batch, cursorAfter, isEmptyBatch, type Reset } from '../streams/log/batch.ts'
import type { Cursor, Position } from '../streams/log/cursor.ts'
import { requireEvent } from '../streams/log/require-event.ts'
import { OpenTasks } from './open-tasks.ts'
import type { Operations } from './operations.ts'
import type { Settings } from './options.ts'
import { parentLines } from './parent-lines.ts'
import { RedisLogError } from './redis-log-error.ts'

/** What a writer reports to its log. */
export interface WriterListener {
  /** The limits are exceeded, but the snapshot is too old to evict events. */
  snapshotNeeded(): Promise<unknown>
  /** The lease of another writer has expired. */
  leaseExpired(): void
  /** Reads the events after a cursor. */
  read(cursor: Cursor): Promise<Batch<ContextAnyEvent> | Reset<ContextAnyEvent>>
}

/** Limits of a batch: one command stays small, whatever waits. */
const MAX_EVENTS = 256
const MAX_CHARS = 262_144

interface Pending {
  readonly json: string
  readonly event: ContextAnyEvent
  readonly number: NumberOf
  /** Whether its caller waits no more. */
  isOver(): boolean
  resolve(position: Position): void
  reject(error: unknown): void
}

/** The number of an event, and what is known of it. */
interface NumberOf {
  /** Omitted: it was never sent, or refused. */
  value?: number | undefined
  /** Where it is stored. Omitted: that is not known. */
  position?: Position
}

export class Writer {
  private readonly settings: Settings
  private readonly operations: Operations
  private readonly listener: WriterListener
  private readonly id: string = crypto.randomUUID()
  private readonly tasks = new OpenTasks()
  /** The version of the tasks that Redis has, as long as the epoch is the same. */
  private sent = { version: 0, epoch: '' }
  /** The number of the next event that has none. */
  private next = 0
  /** Numbers of events that were sent and may be stored or not. */
  private readonly inDoubt = new Set<NumberOf>()
  /** The numbers of events whose append was rejected: appended again, they keep it. */
  private readonly rejected = new WeakMap<object, NumberOf>()
  /** Up to where the ends of tasks are known, and whether events were appended since the last renewal. */
  private known: Cursor | undefined
  private isActive = false
  private pending: Pending[] = []
  private sending: Promise<void> | undefined
  private failure: Error | undefined
  private timer: unknown

  constructor(settings: Settings, operations: Operations, listener: WriterListener) {
    this.settings = settings
    this.operations = operations
    this.listener = listener
  }

  async append(value: ContextAnyEvent): Promise<Position> {
    const event = requireEvent(value)
    const json = requireJson('event', event)
    const number = this.rejected.get(value) ?? {}
    this.rejected.delete(value)
    try {
      return await this.operations.inTime(
        (isOver) =>
          new Promise((resolve, reject) => {
            this.pending.push({ json, event, number, isOver, resolve, reject })
            this.start()
          }),
      )
    } catch (error) {
      if (number.value !== undefined) this.rejected.set(value, number)
      throw error
    }
  }

  /** Gives the lease up: nobody ends the open tasks. */
  release(): Promise<void> {
    return this.operations.inTime(async () => {
      while (this.sending !== undefined) await this.sending
      stopTimer(this.timer)
      if (this.tasks.size === 0 || this.failure !== undefined) return
      this.tasks.clear()
      const renewed = this.renew()
      this.start(renewed)
      await renewed
    })
  }

  /** Closes the stream, after the pending events. */
  close(): Promise<void> {
    return this.operations.inTime(async (isOver) => {
      while (this.sending !== undefined) await this.sending
      if (isOver()) return
      await this.operations.run('close')
      this.stop()
    })
  }

  /** Stops renewing the lease. */
  private stop(): void {
    this.tasks.clear()
    stopTimer(this.timer)
  }

  /** Sends the pending events, after what is being sent. */
  private start(before?: Promise<unknown>): void {
    if (this.sending !== undefined) return
    this.sending = Promise.resolve(before)
      .catch(() => undefined)
      .then(() => this.sendAll())
      .finally(() => {
        this.sending = undefined
        if (this.pending.length > 0) this.start()
      })
  }

  /** One batch after the other, so that they keep their order. */
  private async sendAll(): Promise<void> {
    for (;;) {
      const batch = this.nextBatch()
      if (batch.length === 0) return
      try {
        const isFull = await this.send(batch)
        // The next batch waits: the log exceeds its limits by one batch at most.
        if (isFull) await this.listener.snapshotNeeded().catch(() => undefined)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  /** Takes events with consecutive numbers. What nobody waits for is not begun. */
  private nextBatch(): Pending[] {
    const batch: Pending[] = []
    let chars = 0
    let end = 0
    for (const pending of this.pending) {
      const { json, number, isOver, resolve } = pending
      if (number.position !== undefined) resolve(number.position)
      else if (!isOver()) {
        const last = batch.at(-1)?.number.value
        const value = number.value ?? this.next
        chars += json.length
        if (last !== undefined && (value !== last + 1 || batch.length >= MAX_EVENTS || chars > MAX_CHARS))
          break
        number.value = value
        this.next = Math.max(this.next, value + 1)
        batch.push(pending)
      }
      end++
    }
    this.pending.splice(0, end)
    return batch
  }

  /** Sends a batch and settles it. Whether the log is full until a snapshot is stored. */
  private async send(batch: readonly Pending[]): Promise<boolean> {
    const { leaseMs, limits, stream } = this.settings
    for (const { event, number } of batch) {
      this.tasks.add(event)
      this.inDoubt.add(number)
    }
    const { version } = this.tasks
    const [first] = batch
    const floor = Math.min(...Array.from(this.inDoubt, ({ value = Number.POSITIVE_INFINITY }) => value))
    const append = (tasks: string): Promise<readonly unknown[]> =>
      this.operations.run(
        'append',
        ...[this.id, first?.number.value ?? 0, this.state, leaseMs, tasks, this.sent.epoch, floor],
        ...limitsOf(limits),
        ...batch.flatMap(({ json, event }) => [json, parentLines(event)]),
      )
    const isSent = this.sent.epoch !== '' && this.sent.version === version
    let reply = await append(isSent ? '' : JSON.stringify(this.tasks))
    // A Redis that has lost something may have lost the tasks.
    if (reply[0] === 'tasks-needed') reply = await append(JSON.stringify(this.tasks))
    const [outcome, at, last, ranges, needed, expired] = reply
    const epoch = String(at)
    this.settle(epoch, Number(last), String(ranges))
    const rest: Pending[] = []
    for (const pending of batch) {
      const { position } = pending.number
      if (position === undefined) rest.push(pending)
      else pending.resolve(position)
    }
    if (outcome === 'closed') {
      this.stop()
      throw new TypeError(`Cannot append to a closed log: ${stream}.`)
    }
    if (outcome === 'fenced') throw this.leaseLost()
    // A later event of this writer is stored: what was never stored gets another number.
    this.pending.unshift(...rest)
    this.sent = { version, epoch }
    this.isActive = true
    this.advance(epoch, batch)
    this.schedule()
    if (Number(expired) === 1) this.listener.leaseExpired()
    return Number(needed) === 1
  }

  /** Learns what became of the events in doubt, from the last number that is stored and the ranges of numbers that are. */
  private settle(epoch: string, last: number, ranges: string): void {
    const { stream } = this.settings
    for (const number of this.inDoubt) {
      const { value = 0 } = number
      if (value > last) continue
      this.inDoubt.delete(number)
      number.value = undefined
      for (const range of ranges.split(',').slice(0, -1)) {
        const [from = 0, seq = 0, count = 0] = range.split(':').map(Number)
        if (value >= from && value < from + count) {
          number.position = { stream, epoch, seq: seq + value - from }
          break
        }
      }
    }
  }

  /** Own events end no task of others; those of others between them may. */
  private advance(epoch: string, batch: readonly Pending[]): void {
    const [first, last] = [batch[0]?.number.position?.seq, batch.at(-1)?.number.position?.seq]
    if (first === undefined || last === undefined) return
    const isNext = last - first === batch.length - 1 && this.known?.seq === first - 1
    if (this.known?.epoch === epoch && !isNext) return
    this.known = { stream: this.settings.stream, epoch, seq: last }
  }

  /** Learns which tasks other writers have ended: an answer is appended by one process, the end by another. */
  private async learnEnds(): Promise<void> {
    while (this.known !== undefined) {
      const part = await this.listener.read(this.known)
      this.known = cursorAfter(part)
      if (part.type === 'reset' || isEmptyBatch(part)) return
      for (const event of part.events) if (isTaskEnd(event)) this.tasks.add(event)
    }
  }

  private get state(): 'open' | 'idle' {
    return this.tasks.size > 0 ? 'open' : 'idle'
  }

  private leaseLost(): Error {
    this.stop()
    const { stream, leaseMs } = this.settings
    const message = `The lease of this writer on "${stream}" expired after ${leaseMs} ms, and its tasks were ended. Open the log again to append.`
    this.failure = new RedisLogError('lease-lost', message)
    return this.failure
  }

  /** Renews the lease from time to time while there are open tasks. */
  private schedule(): void {
    stopTimer(this.timer)
    if (this.tasks.size === 0 || this.failure !== undefined) return
    // Open tasks do not keep the process alive.
    this.timer = startTimer(() => {
      // An append that is being sent renews the lease. A renewal that passes it would bring back tasks that it ends.
      if (this.sending !== undefined) return this.schedule()
      // If Redis cannot be reached, the next renewal may.
      const learned = this.isActive ? Promise.resolve() : this.learnEnds()
      this.isActive = false
      this.start(learned.then(() => this.renew()).catch(() => this.schedule()))
    }, this.settings.leaseMs / 3)
  }

  private async renew(): Promise<void> {
    const { version } = this.tasks
    const { leaseMs } = this.settings
    const [outcome, epoch, expired] = await this.operations.run(
      'renew',
      this.id,
      leaseMs,
      JSON.stringify(this.tasks),
      this.state,
    )
    if (outcome === 'fenced') this.leaseLost()
    else if (outcome === 'closed') this.stop()
    else {
      this.sent = { version, epoch: String(epoch) }
      this.schedule()
      if (Number(expired) === 1) this.listener.leaseExpired()
    }
  }
}

/** The limits as arguments of an operation. */
export function limitsOf({ maxEvents, maxBytes, maxAgeMs }: Settings['limits']): number[] {
  return [maxEvents, maxBytes, maxAgeMs]
}
