/** The writing side of a log: appends in order, holds the lease. */
import type { ContextAnyEvent } from '../events/event.ts'
import type { Position } from '../streams/log/cursor.ts'
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
  /** The version of the tasks that Redis has. */
  private sentVersion = 0
  private batch = 0
  private pending: Pending[] = []
  private sending: Promise<void> | undefined
  private failure: Error | undefined
  private timer: unknown

  constructor(settings: Settings, operations: Operations, listener: WriterListener) {
    this.settings = settings
    this.operations = operations
    this.listener = listener
  }

  append(event: ContextAnyEvent): Promise<Position> {
    return new Promise((resolve, reject) => {
      const json = JSON.stringify(event)
      if (json === undefined)
        throw new TypeError('"event" must be an event, got a value that JSON cannot hold.')
      this.pending.push({ json, event, resolve, reject })
      this.sending ??= this.sendAll()
    })
  }

  /** Gives the lease up: nobody ends the open tasks. */
  async release(): Promise<void> {
    await this.sending
    clearTimeout(this.timer as number | undefined)
    if (this.tasks.size === 0 || this.failure !== undefined) return
    this.tasks.clear()
    await this.renew()
  }

  /** Closes the stream, after the pending events. */
  async close(): Promise<void> {
    await this.sending
    await this.operations.run('close')
    this.stop()
  }

  /** Stops renewing the lease. */
  private stop(): void {
    this.tasks.clear()
    clearTimeout(this.timer as number | undefined)
  }

  /** Sends the pending events, one batch after the other, so that they keep their order. */
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
    this.sending = undefined
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
    const [outcome, epoch, first, needed, expired] = await this.operations.run(
      'append',
      this.id,
      ++this.batch,
      this.state,
      leaseMs,
      version === this.sentVersion ? '' : JSON.stringify(this.tasks),
      ...limitsOf(limits),
      ...batch.flatMap(({ json, event }) => [json, parentLines(event)]),
    )
    if (outcome === 'closed') {
      this.stop()
      throw new TypeError(`Cannot append to a closed log: ${stream}.`)
    }
    if (outcome === 'fenced') throw this.leaseLost()
    this.sentVersion = version
    this.schedule()
    if (Number(expired) === 1) this.listener.leaseExpired()
    return { epoch: String(epoch), first: Number(first), snapshotNeeded: Number(needed) === 1 }
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
    clearTimeout(this.timer as number | undefined)
    if (this.tasks.size === 0 || this.failure !== undefined) return
    this.timer = setTimeout(() => {
      // If Redis cannot be reached, the next renewal may.
      this.renew().catch(() => this.schedule())
    }, this.settings.leaseMs / 3)
  }

  private async renew(): Promise<void> {
    const { version } = this.tasks
    const { leaseMs } = this.settings
    const [outcome, expired] = await this.operations.run(
      'renew',
      this.id,
      leaseMs,
      JSON.stringify(this.tasks),
      this.state,
    )
    if (outcome === 'fenced') this.leaseLost()
    else if (outcome === 'closed') this.stop()
    else {
      this.sentVersion = version
      this.schedule()
      if (Number(expired) === 1) this.listener.leaseExpired()
    }
  }
}

/** The limits as arguments of an operation. */
export function limitsOf({ maxEvents, maxBytes, maxAgeMs }: Settings['limits']): number[] {
  return [maxEvents, maxBytes, maxAgeMs]
}
