/** The reading side of a log: pages from Redis, new events from messages. */
import { utf8Length } from '../encoding/utf8-length.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { type Batch, cursorAfter, isEmptyBatch, type Reset } from '../streams/log/batch.ts'
import type { Cursor } from '../streams/log/cursor.ts'
import { Page as LogPage } from '../streams/log/page.ts'
import type { ReadFilter } from '../streams/log/read-filter.ts'
import { type EventLogReadOptions, requireReadOptions } from '../streams/log/read-options.ts'
import {
  addAll,
  cursorIn,
  emptyBatch,
  type Piece,
  readPage,
  type SizedEvent,
} from '../streams/log/read-page.ts'
import type { Announcement } from './announcement.ts'
import { commandsOf } from './client.ts'
import type { LeaseIndex } from './lease-index.ts'
import type { Operations } from './operations.ts'
import { limitsOf, type Settings } from './options.ts'
import { type Subscription, subscribe } from './subscriptions.ts'

/** What a reader gets. */
type Part = Batch<ContextAnyEvent> | Reset<ContextAnyEvent>

/** How long a reader waits for its subscription. */
const SUBSCRIBE_MS = 1000

export class Reader {
  private readonly settings: Settings
  private readonly operations: Operations
  private readonly index: LeaseIndex
  /** The epoch for which the index was asked to look at the leases. */
  private noted: string | undefined

  constructor(settings: Settings, operations: Operations, index: LeaseIndex) {
    this.settings = settings
    this.operations = operations
    this.index = index
  }

  async read(
    cursor: Cursor | string | null | undefined,
    options?: EventLogReadOptions<ContextAnyEvent>,
  ): Promise<Part> {
    const { filter, wait, signal, maxBytes } = requireReadOptions(options)
    return wait
      ? this.waitFor(cursor, filter, maxBytes, signal)
      : this.operations.inTime(() => this.page(cursor, filter, maxBytes))
  }

  private async waitFor(
    cursor: Cursor | string | null | undefined,
    filter: ReadFilter | undefined,
    maxBytes: number,
    signal: AbortSignal | undefined,
  ): Promise<Part> {
    const { client } = this.settings
    const subscription = subscribe(client, commandsOf(client), this.operations)
    try {
      const hasMessages = await subscription.ready(SUBSCRIBE_MS, signal)
      let at = hasMessages ? cursorIn(cursor) : undefined
      for (let mustRead = !hasMessages; ; ) {
        const known =
          at === undefined || mustRead ? undefined : this.announced(subscription, at, filter, maxBytes)
        if (known !== undefined && known !== 'none yet') return known
        if (known === undefined) {
          const part = await this.page(at ?? cursor, filter, maxBytes)
          if (part.type === 'reset' || !isEmptyBatch(part)) return part
          at = cursorAfter(part)
          const more = this.announced(subscription, at, filter, maxBytes)
          if (more !== undefined && more !== 'none yet') return more
        }
        if (signal?.aborted !== true) mustRead = !(await subscription.change(signal))
        if (signal?.aborted === true && at !== undefined) return emptyBatch(at)
      }
    } finally {
      subscription.end()
    }
  }

  /**
   * The events after a cursor, from messages.
   *
   * @returns `'none yet'` if the messages prove that there are none; `undefined` if only Redis knows.
   */
  private announced(
    subscription: Subscription,
    cursor: Cursor,
    filter: ReadFilter | undefined,
    maxBytes: number,
  ): Part | 'none yet' | undefined {
    const recent = subscription.recent()
    const last = recent.at(-1)
    const { stream } = this.settings
    if (last === undefined || last.epoch !== cursor.epoch || cursor.stream !== stream) return undefined
    if (cursor.filter !== filter?.id || cursor.seq >= last.next) return undefined
    if (cursor.seq === last.next - 1 && !last.closed) return 'none yet'
    const events = eventsAfter(recent, cursor)
    if (events === undefined) return undefined
    const extent = { stream, epoch: last.epoch, earliest: 0, next: last.next, closed: last.closed }
    const page = new LogPage(cursor.seq, filter, maxBytes)
    addAll(page, events.map(sizedEvent))
    return page.batch(extent)
  }

  /** Reads one page, without waiting. */
  private page(
    cursor: Cursor | string | null | undefined,
    filter: ReadFilter | undefined,
    maxBytes: number,
  ): Promise<Part> {
    return readPage(cursor, filter, maxBytes, (at, bytes) => this.fetch(at, bytes))
  }

  /** Reads events from Redis: `maxBytes` of them, hidden ones included, or one. */
  private async fetch(at: Pick<Cursor, 'epoch' | 'seq'> | undefined, maxBytes: number): Promise<Piece> {
    const { stream, limits } = this.settings
    const [epoch, earliest, next, closed, ...events] = await this.operations.run(
      'read',
      at?.epoch ?? '',
      at?.seq ?? 'nowhere',
      maxBytes,
      ...limitsOf(limits),
    )
    if (at !== undefined && at.epoch !== epoch) await this.note(String(epoch))
    const extent = {
      stream,
      epoch: String(epoch),
      earliest: Number(earliest),
      next: Number(next),
      closed: closed === '1',
    }
    return { extent, events: events.map(sizedEvent) }
  }

  /**
   * Has the index look at the leases of an epoch: a Redis that has lost something may have lost the index, and the writer that has
   * begun a lease since may have stopped before it learned of that.
   */
  private async note(epoch: string): Promise<void> {
    if (this.noted === epoch) return
    const { stream, leaseMs } = this.settings
    // If it fails, the next reader with an old cursor tries again.
    await this.index.note(stream, leaseMs).then(
      () => {
        this.noted = epoch
      },
      () => undefined,
    )
  }
}

/** The events of consecutive messages after a cursor; `undefined` if one is missing. */
function eventsAfter(recent: readonly Announcement[], { epoch, seq }: Cursor): string[] | undefined {
  const found: string[] = []
  let at = seq + 1
  for (const { epoch: own, first, next, events } of recent) {
    if (own !== epoch || next <= at) continue
    if (first > at || events === undefined) return undefined
    found.push(...events.slice(at - first))
    at = next
  }
  return found
}

/** An event of another process, which is trusted: it is not validated again. */
function sizedEvent(event: unknown): SizedEvent {
  const json = String(event)
  return { event: JSON.parse(json) as ContextAnyEvent, bytes: utf8Length(json) }
}
