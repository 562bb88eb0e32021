/** The writing side of a log: appends in order, and holds the lease of its tasks. */
import { randomId } from '../../../core/random-id.ts'
import { requireJson } from '../../../core/require.ts'
import { unlessAborted } from '../../../core/time-limit.ts'
import { startTimer, stopTimer } from '../../../core/timer.ts'
import type { ContextAnyEvent, TaskName } from '../../../events/event.ts'
import { isTaskEnd } from '../../../events/task-end.ts'
import { contextKey } from '../../context-key.ts'
import { type EventLogAppendOptions, requireAppendOptions } from '../append-options.ts'
import { AppendQueue, type Waiting } from '../append-queue.ts'
import { cursorAfter, isEmptyBatch } from '../batch.ts'
import type { Cursor, Position } from '../cursor.ts'
import type { ExpiredLease } from '../lease-log.ts'
import { requireEvent } from '../require-event.ts'
import { type EventNumber, EventNumbers } from './event-numbers.ts'
import { OpenTasks } from './open-tasks.ts'
import type { Fenced, LeaseToStore, WriterPort } from './writer-port.ts'

/** Settings of a writer. */
export interface WriterSettings {
  readonly stream: string
  readonly leaseMs: number
}

/** Limits of a batch: one request stays small, whatever waits. */
const MAX_EVENTS = 256
const MAX_CHARS = 262_144

interface Pending extends Waiting {
  readonly json: string
  readonly event: ContextAnyEvent
  readonly number: EventNumber
  resolve(position: Position): void
}

export class LogWriter {
  readonly #settings: WriterSettings
  readonly #port: WriterPort
  /** Changes when another writer has taken over what this one held. */
  #id = randomId()
  readonly #tasks = new OpenTasks()
  readonly #numbers: EventNumbers
  /** The tasks that another writer has taken over, by their keys. */
  readonly #lost = new Set<string>()
  /** Leases that this writer may have taken over or not, by their ids. */
  readonly #transfers = new Map<string, ExpiredLease>()
  /** The version of the tasks that is stored, as long as the epoch is the same. */
  #sent = { version: 0, epoch: '' }
  /** Up to where the ends of tasks are known, and whether events were appended since the last renewal. */
  #known: Cursor | undefined
  #isActive = false
  readonly #queue = new AppendQueue<Pending>()
  #sending: Promise<void> | undefined
  #timer: unknown

  constructor(settings: WriterSettings, port: WriterPort) {
    this.#settings = settings
    this.#port = port
    this.#numbers = new EventNumbers(settings.stream)
  }

  get id(): string {
    return this.#id
  }

  async append(value: ContextAnyEvent, options?: EventLogAppendOptions): Promise<Position> {
    const { signal } = requireAppendOptions(options)
    const event = requireEvent(value)
    const json = requireJson('event', event)
    const number = this.#numbers.of(value)
    let pending: Pending | undefined
    try {
      return await this.#port.inTime((isLate) => {
        const isOver = (): boolean => isLate() || signal?.aborted === true
        const append = (): Promise<Position> =>
          new Promise((resolve, reject) => {
            pending = { json, event, number, turn: number.turn, isOver, resolve, reject }
            this.#queue.add(pending)
            this.#start()
          })
        return signal === undefined ? append() : unlessAborted(append, signal)
      })
    } catch (error) {
      this.#numbers.keep(value, number)
      if (pending !== undefined) this.#queue.ended(pending, error)
      throw error
    }
  }

  /** Gives tasks back; omitted: all. Who appends to one of them holds it again, this writer included. */
  release(tasks?: readonly TaskName[]): Promise<void> {
    return this.#port.inTime(() =>
      this.#alone(async () => {
        if (this.#tasks.size === 0) stopTimer(this.#timer)
        // It may learn only now that it has lost some of them.
        if (this.#tasks.give(tasks)) await this.#renew()
        if (tasks === undefined) this.#lost.clear()
        this.#find(tasks ?? [])
      }),
    )
  }

  /** Takes the lease of another writer over, unless it has changed. */
  takeOver(lease: ExpiredLease): Promise<boolean> {
    return this.#port.inTime((isOver) => this.#alone(() => this.#transfer(lease, isOver)))
  }

  async #transfer(lease: ExpiredLease, isOver: () => boolean): Promise<boolean> {
    this.#find(lease.tasks)
    // It may happen although the answer does not come: then this lease has its tasks, and expires.
    this.#tasks.hold(lease.tasks)
    this.#transfers.set(lease.id, lease)
    this.#schedule()
    const [{ version }, id] = [this.#tasks, this.#id]
    const reply = await this.#port.takeOver(lease, { ...this.#lease, state: 'open' })
    if (reply.outcome === 'fenced') {
      this.fence(id, reply)
      return this.#transfer(lease, isOver)
    }
    const isTaken = reply.outcome === 'taken'
    // Whoever asked has given up: it is to be found again.
    if (!isTaken || !isOver()) this.#transfers.delete(lease.id)
    if (isTaken) this.#sent = { version, epoch: reply.epoch }
    else this.#tasks.give(lease.tasks)
    return isTaken
  }

  /** The leases of other writers that have expired, and those that may be this writer's by now. */
  async expiredLeases(): Promise<readonly ExpiredLease[]> {
    const found = [...this.#transfers.values()]
    const expired = await this.#port.expiredLeases(this.#id)
    return [...found, ...expired.filter(({ id }) => !this.#transfers.has(id))]
  }

  /** Closes the stream, after the pending events. */
  close(): Promise<void> {
    return this.#port.inTime(async (isOver) => {
      while (this.#sending !== undefined) await this.#sending
      if (isOver()) return
      await this.#port.close()
      this.#stop()
    })
  }

  /** The number of events that are stored otherwise; see {@link EventNumbers.pass}. */
  pass(): number | undefined {
    return this.#numbers.pass()
  }

  /** Throws if another writer has taken the task over. */
  requireHeld(task: TaskName): void {
    if (this.#isLost(task)) throw this.#leaseLost(task)
  }

  /** Learns from an answer to an operation of this writer, by its id then, that its tasks were taken over. */
  fence(id: string, { tasks, ...stored }: Fenced): void {
    if (id !== this.#id) return
    this.#numbers.settle(stored)
    this.#numbers.restart()
    const lost = tasks.map(([contextId, taskId]) => ({ contextId, taskId }))
    for (const { contextId, taskId } of lost) this.#lost.add(contextKey(contextId, taskId))
    this.#tasks.give(lost)
    this.#id = randomId()
    this.#sent = { version: 0, epoch: '' }
  }

  /** Runs a task while nothing is sent. */
  async #alone<T>(task: () => Promise<T>): Promise<T> {
    while (this.#sending !== undefined) await this.#sending
    const done = task()
    this.#start(done)
    return done
  }

  #isLost({ contextId, taskId }: TaskName): boolean {
    return this.#lost.size > 0 && this.#lost.has(contextKey(contextId, taskId))
  }

  /** Forgets that tasks were lost. */
  #find(tasks: readonly TaskName[]): void {
    for (const { contextId, taskId } of tasks) this.#lost.delete(contextKey(contextId, taskId))
  }

  /** Stops renewing the lease. */
  #stop(): void {
    this.#tasks.give()
    stopTimer(this.#timer)
  }

  /** Sends the pending events, after what is being sent. */
  #start(before?: Promise<unknown>): void {
    if (this.#sending !== undefined) return
    this.#sending = Promise.resolve(before)
      .catch(() => undefined)
      .then(() => this.#sendAll())
      .finally(() => {
        this.#sending = undefined
        if (this.#queue.waiting.length > 0) this.#start()
      })
  }

  /** One batch after the other, so that they keep their order. */
  async #sendAll(): Promise<void> {
    for (;;) {
      const [first, ...others] = this.#nextBatch()
      if (first === undefined) return
      const batch: readonly [Pending, ...Pending[]] = [first, ...others]
      try {
        const isFull = await this.#send(batch)
        // The next batch waits: the log exceeds its limits by one batch at most.
        if (isFull) await this.#port.makeRoom?.().catch(() => undefined)
      } catch (error) {
        this.#queue.reject(batch, error)
      }
    }
  }

  /** Takes events with consecutive numbers. What nobody waits for is not begun. */
  #nextBatch(): Pending[] {
    const batch: Pending[] = []
    let chars = 0
    let end = 0
    for (const pending of this.#queue.waiting) {
      const { json, event, number, isOver, resolve, reject } = pending
      if (number.position !== undefined) resolve(number.position)
      else if (this.#isLost(event)) reject(this.#leaseLost(event))
      else if (!isOver()) {
        const last = batch.at(-1)?.number.value
        const isNext = last === undefined || this.#numbers.valueOf(number) === last + 1
        chars += json.length
        if (last !== undefined && !(isNext && batch.length < MAX_EVENTS && chars <= MAX_CHARS)) break
        this.#numbers.assign(number)
        batch.push(pending)
      }
      end++
    }
    this.#queue.waiting.splice(0, end)
    return batch
  }

  /** Sends a batch and settles it. Whether the log is full. */
  async #send(batch: readonly Pending[]): Promise<boolean> {
    for (const { event, number } of batch) {
      this.#tasks.add(event)
      this.#numbers.send(number)
    }
    const [{ version }, id, lease] = [this.#tasks, this.#id, this.#lease]
    const reply = await this.#port.append({
      lease,
      number: batch[0]?.number.value ?? 0,
      floor: this.#numbers.floor,
      events: batch,
    })
    if (id === this.#id) this.#numbers.settle(reply)
    if (reply.outcome === 'fenced') this.fence(id, reply)
    const rest: Pending[] = []
    for (const pending of batch) {
      const { position } = pending.number
      if (position === undefined) rest.push(pending)
      else pending.resolve(position)
    }
    if (reply.outcome === 'closed') {
      this.#stop()
      throw new TypeError(`Cannot append to a closed log: ${this.#settings.stream}.`)
    }
    // A later event of this writer is stored, or it was fenced: what was never stored gets another number, or is refused.
    this.#queue.waiting.unshift(...rest)
    if (reply.outcome === 'appended') this.#sent = { version, epoch: reply.epoch }
    this.#isActive = true
    this.#advance(reply.epoch, batch)
    this.#schedule()
    return reply.outcome !== 'fenced' && reply.isFull === true
  }

  /** Own events end no task of others; those of others between them may. */
  #advance(epoch: string, batch: readonly Pending[]): void {
    const [first, last] = [batch[0]?.number.position?.seq, batch.at(-1)?.number.position?.seq]
    if (first === undefined || last === undefined) return
    const isNext = last - first === batch.length - 1 && this.#known?.seq === first - 1
    if (this.#known?.epoch === epoch && !isNext) return
    this.#known = { stream: this.#settings.stream, epoch, seq: last }
  }

  /** Learns which tasks other writers have ended: an answer is appended by one process, the end by another. */
  async #learnEnds(): Promise<void> {
    while (this.#known !== undefined) {
      const part = await this.#port.read(this.#known)
      this.#known = cursorAfter(part)
      if (part.type === 'reset' || isEmptyBatch(part)) return
      for (const event of part.events) if (isTaskEnd(event)) this.#tasks.add(event)
    }
  }

  get #lease(): LeaseToStore {
    const tasks = this.#tasks
    return {
      writer: this.#id,
      state: tasks.size > 0 ? 'open' : 'idle',
      tasks: () => JSON.stringify(tasks),
      isStored: this.#sent.epoch !== '' && this.#sent.version === tasks.version,
      epoch: this.#sent.epoch,
    }
  }

  #leaseLost({ taskId }: TaskName): Error {
    const { stream, leaseMs } = this.#settings
    return this.#port.leaseLost(
      `Expected a task that this writer holds, got "${taskId}" of "${stream}": the lease of ${leaseMs} ms expired, and another process has taken it over.`,
    )
  }

  /** Renews the lease from time to time while there are open tasks. */
  #schedule(): void {
    stopTimer(this.#timer)
    if (this.#tasks.size === 0) return
    // Open tasks do not keep the process alive.
    this.#timer = startTimer(() => {
      // An append that is being sent renews the lease. A renewal that passes it would bring back tasks that it ends.
      if (this.#sending !== undefined) return this.#schedule()
      // If the database cannot be reached, the next renewal may.
      const learned = this.#isActive ? Promise.resolve() : this.#learnEnds()
      this.#isActive = false
      this.#start(learned.then(() => this.#renew()).catch(() => this.#schedule()))
    }, this.#settings.leaseMs / 3)
  }

  async #renew(): Promise<void> {
    const [{ version }, id] = [this.#tasks, this.#id]
    const reply = await this.#port.renew(this.#lease)
    if (reply.outcome === 'fenced') this.fence(id, reply)
    else if (reply.outcome === 'closed') return this.#stop()
    else this.#sent = { version, epoch: reply.epoch }
    this.#schedule()
  }
}
