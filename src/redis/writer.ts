/** The writing side of a log: appends in order, holds the lease. */

import { requireJson } from '../core/require.ts'
import { startTimer, stopTimer } from '../core/timer.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import { isTaskEnd } from '../events/task-end.ts'
import { contextKey } from '../streams/context-key.ts'
import { type Batch, cursorAfter, isEmptyBatch, type Reset } from '../streams/log/batch.ts'
import type { Cursor, Position } from '../streams/log/cursor.ts'
import type { ExpiredLease } from '../streams/log/lease-log.ts'
import { requireEvent } from '../streams/log/require-event.ts'
import type { LeaseIndex } from './lease-index.ts'
import { expiredLeases, leaseNamed } from './leases.ts'
import { OpenTasks, type TaskKey } from './open-tasks.ts'
import type { Operations } from './operations.ts'
import type { Settings } from './options.ts'
import { parentLines } from './parent-lines.ts'
import { RedisLogError } from './redis-log-error.ts'

/** What a writer reports to its log. */
export interface WriterListener {
  /** The limits are exceeded, but the snapshot is too old to evict events. */
  snapshotNeeded(): Promise<unknown>
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
  private readonly index: LeaseIndex
  private readonly listener: WriterListener
  /** Changes when another writer has taken over what this one held. */
  private ownId: string = crypto.randomUUID()
  private readonly tasks = new OpenTasks()
  /** The tasks that another writer has taken over, by their keys. */
  private readonly lost = new Set<string>()
  /** Leases that this writer may have taken over or not, by their ids. */
  private readonly transfers = new Map<string, ExpiredLease>()
  /** Whether the index has the lease. */
  private isNoted = false
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
  private timer: unknown

  constructor(settings: Settings, operations: Operations, index: LeaseIndex, listener: WriterListener) {
    this.settings = settings
    this.operations = operations
    this.index = index
    this.listener = listener
  }

  get id(): string {
    return this.ownId
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

  /** Gives tasks back; omitted: all. Who appends to one of them holds it again, this writer included. */
  release(tasks?: readonly TaskName[]): Promise<void> {
    return this.operations.inTime(() =>
      this.alone(async () => {
        if (tasks === undefined) this.lost.clear()
        for (const { contextId, taskId } of tasks ?? []) this.lost.delete(contextKey(contextId, taskId))
        if (this.tasks.size === 0) stopTimer(this.timer)
        if (this.tasks.give(tasks)) await this.renew()
      }),
    )
  }

  /** Takes the lease of another writer over, unless it has changed. */
  takeOver(lease: ExpiredLease): Promise<boolean> {
    return this.operations.inTime(() => this.alone(() => this.transfer(lease)))
  }

  private async transfer(lease: ExpiredLease): Promise<boolean> {
    for (const { contextId, taskId } of lease.tasks) this.lost.delete(contextKey(contextId, taskId))
    // It may happen although the answer does not come: then this lease has its tasks, and expires.
    this.tasks.hold(lease.tasks)
    this.transfers.set(lease.id, lease)
    this.schedule()
    await this.note()
    const [{ version }, { leaseMs }, id] = [this.tasks, this.settings, this.ownId]
    const [other, value] = leaseNamed(lease.id)
    const tasks = JSON.stringify(this.tasks)
    const reply = await this.operations.run('takeOver', other, value, id, leaseMs, tasks)
    const [outcome, epoch] = reply
    if (outcome === 'fenced') {
      this.fence(id, reply)
      return this.transfer(lease)
    }
    this.transfers.delete(lease.id)
    if (outcome === 'taken') this.sent = { version, epoch: String(epoch) }
    else this.tasks.give(lease.tasks)
    return outcome === 'taken'
  }

  /** The leases of other writers that have expired, and those that may be this writer's by now. */
  async expiredLeases(): Promise<readonly ExpiredLease[]> {
    const [{ stream }, found] = [this.settings, [...this.transfers.values()]]
    const expired = await expiredLeases(stream, this.ownId, this.operations, this.index)
    return [...found, ...expired.filter(({ id }) => !this.transfers.has(id))]
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

  /** Throws if another writer has taken the task over. */
  requireHeld(task: TaskName): void {
    if (this.isLost(task)) throw this.leaseLost(task)
  }

  /** Runs a task while nothing is sent. */
  private async alone<T>(task: () => Promise<T>): Promise<T> {
    while (this.sending !== undefined) await this.sending
    const done = task()
    this.start(done)
    return done
  }

  private isLost({ contextId, taskId }: TaskName): boolean {
    return this.lost.size > 0 && this.lost.has(contextKey(contextId, taskId))
  }

  /** Learns from an answer to an operation of this writer, by its id then, that its tasks were taken over. */
  fence(id: string, [, at, last, ranges, , tasks]: readonly unknown[]): void {
    if (id !== this.ownId) return
    this.settle(String(at), Number(last), String(ranges))
    // What is not stored by now never is: it gets another number, if its task is not lost.
    for (const number of this.inDoubt) number.value = undefined
    this.inDoubt.clear()
    const lost = (JSON.parse(String(tasks)) as TaskKey[]).map(([contextId, taskId]) => ({
      contextId,
      taskId,
    }))
    for (const { contextId, taskId } of lost) this.lost.add(contextKey(contextId, taskId))
    this.tasks.give(lost)
    this.ownId = crypto.randomUUID()
    this.next = 0
    this.sent = { version: 0, epoch: '' }
    this.isNoted = false
  }

  /** Has the index look at the lease when it may expire: before it begins. */
  private async note(): Promise<void> {
    await this.index.note(this.settings.stream, this.settings.leaseMs)
    this.isNoted = true
  }

  /** Stops renewing the lease. */
  private stop(): void {
    this.tasks.give()
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
      const { json, event, number, isOver, resolve, reject } = pending
      if (number.position !== undefined) resolve(number.position)
      else if (this.isLost(event)) reject(this.leaseLost(event))
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
    if (this.state === 'open' && !this.isNoted) await this.note()
    const [{ version }, id] = [this.tasks, this.ownId]
    const [first] = batch
    const floor = Math.min(...Array.from(this.inDoubt, ({ value = Number.POSITIVE_INFINITY }) => value))
    const append = (tasks: string): Promise<readonly unknown[]> =>
      this.operations.run(
        'append',
        ...[id, first?.number.value ?? 0, this.state, leaseMs, tasks, this.sent.epoch, floor],
        ...limitsOf(limits),
        ...batch.flatMap(({ json, event }) => [json, parentLines(event)]),
      )
    const isSent = this.sent.epoch !== '' && this.sent.version === version
    let reply = await append(isSent ? '' : JSON.stringify(this.tasks))
    // A Redis that has lost something may have lost the tasks.
    if (reply[0] === 'tasks-needed') reply = await append(JSON.stringify(this.tasks))
    const [outcome, at, last, ranges, needed] = reply
    const epoch = String(at)
    if (id === this.ownId) this.settle(epoch, Number(last), String(ranges))
    if (outcome === 'fenced') this.fence(id, reply)
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
    // A later event of this writer is stored, or it was fenced: what was never stored gets another number, or is refused.
    this.pending.unshift(...rest)
    if (id === this.ownId) this.sent = { version, epoch }
    if (this.state === 'idle') this.isNoted = false
    this.isActive = true
    this.advance(epoch, batch)
    this.schedule()
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

  private leaseLost({ taskId }: TaskName): Error {
    const { stream, leaseMs } = this.settings
    const message = `Expected a task that this writer holds, got "${taskId}" of "${stream}": the lease of ${leaseMs} ms expired, and another process has taken it over.`
    return new RedisLogError('lease-lost', message)
  }

  /** Renews the lease from time to time while there are open tasks. */
  private schedule(): void {
    stopTimer(this.timer)
    if (this.tasks.size === 0) return
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
    const [{ version }, { leaseMs }, { state, ownId: id }] = [this.tasks, this.settings, this]
    if (state === 'open') await this.note()
    else this.isNoted = false
    const reply = await this.operations.run('renew', id, leaseMs, JSON.stringify(this.tasks), state)
    const [outcome, epoch] = reply
    if (outcome === 'fenced') this.fence(id, reply)
    if (outcome === 'closed') return this.stop()
    if (outcome === 'renewed') this.sent = { version, epoch: String(epoch) }
    this.schedule()
  }
}

/** The limits as arguments of an operation. */
export function limitsOf({ maxEvents, maxBytes, maxAgeMs }: Settings['limits']): number[] {
  return [maxEvents, maxBytes, maxAgeMs]
}
