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
  resolve(position: Position): void
  reject(error: unknown): void
}

export class Writer {
  private readonly settings: Settings
  private readonly operations: Operations
  private readonly listener: WriterListener
  private readonly id: string = crypto.randomUUID()
  private readonly tasks = new OpenTasks()
  /** The version of the tasks that Redis has, as long as the epoch is the same. */
  private sent = { version: 0, epoch: '' }
  private batch = 0
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

  append(value: ContextAnyEvent): Promise<Position> {
    return new Promise((resolve, reject) => {
      const event = requireEvent(value)
      const json = requireJson('event', event)
      this.pending.push({ json, event, resolve, reject })
      this.start()
    })
  }

  /** Gives the lease up: nobody ends the open tasks. */
  async release(): Promise<void> {
    while (this.sending !== undefined) await this.sending
    stopTimer(this.timer)
    if (this.tasks.size === 0 || this.failure !== undefined) return
    this.tasks.clear()
    const renewed = this.renew()
    this.start(renewed)
    await renewed
  }

  /** Closes the stream, after the pending events. */
  async close(): Promise<void> {
    while (this.sending !== undefined) await this.sending
    await this.operations.run('close')
    this.stop()
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
    while (this.pending.length > 0) {
      const batch = this.nextBatch()
      try {
        if (this.failure !== undefined) throw this.failure
        const { epoch, first, snapshotNeeded } = await this.send(batch)
        for (const [i, { resolve }] of batch.entries()) {
          resolve({ stream: this.settings.stream, epoch, seq: first + i })
        }
        // The next batch waits: the log exceeds its limits by one batch at most.
        if (snapshotNeeded) await this.listener.snapshotNeeded().catch(() => undefined)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  private nextBatch(): Pending[] {
    let chars = 0
    const end = this.pending.findIndex(({ json }, i) => {
      chars += json.length
      return i > 0 && (i >= MAX_EVENTS || chars > MAX_CHARS)
    })
    return this.pending.splice(0, end === -1 ? this.pending.length : end)
  }

  private async send(
    batch: readonly Pending[],
  ): Promise<{ epoch: string; first: number; snapshotNeeded: boolean }> {
    const { leaseMs, limits, stream } = this.settings
    for (const { event } of batch) this.tasks.add(event)
    const { version } = this.tasks
    const append = (tasks: string): Promise<readonly unknown[]> =>
      this.operations.run(
        'append',
        ...[this.id, this.batch, this.state, leaseMs, tasks, this.sent.epoch],
        ...limitsOf(limits),
        ...batch.flatMap(({ json, event }) => [json, parentLines(event)]),
      )
    this.batch++
    const isSent = this.sent.epoch !== '' && this.sent.version === version
    let reply = await append(isSent ? '' : JSON.stringify(this.tasks))
    // A Redis that has lost something may have lost the tasks.
    if (reply[0] === 'tasks-needed') reply = await append(JSON.stringify(this.tasks))
    const [outcome, epoch, first, needed, expired] = reply
    if (outcome === 'closed') {
      this.stop()
      throw new TypeError(`Cannot append to a closed log: ${stream}.`)
    }
    if (outcome === 'fenced') throw this.leaseLost()
    this.sent = { version, epoch: String(epoch) }
    this.isActive = true
    this.advance(String(epoch), Number(first), batch.length)
    this.schedule()
    if (Number(expired) === 1) this.listener.leaseExpired()
    return { epoch: String(epoch), first: Number(first), snapshotNeeded: Number(needed) === 1 }
  }

  /** Own events end no task of others; those of others between them may. */
  private advance(epoch: string, first: number, count: number): void {
    if (this.known?.epoch === epoch && this.known.seq + 1 !== first) return
    this.known = { stream: this.settings.stream, epoch, seq: first + count - 1 }
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
