/** The reading side of a log: pages from Redis, new events from messages. */
import type { ContextAnyEvent } from '../events/event.ts'
import { type Batch, cursorAfter, isEmptyBatch, type Reset } from '../streams/log/batch.ts'
import { type Cursor, parseCursor, parseEventId } from '../streams/log/cursor.ts'
import { type LogExtent, makeBatch, resolveCursor } from '../streams/log/read.ts'
import type { ReadFilter } from '../streams/log/read-filter.ts'
import { checkedReadOptions, type EventLogReadOptions } from '../streams/log/read-options.ts'
import { commandsOf } from './client.ts'
import type { Operations } from './operations.ts'
import type { Settings } from './options.ts'
import { type Announcement, type Subscription, subscribe } from './subscriptions.ts'
import { limitsOf } from './writer.ts'

/** What a reader gets. */
type Part = Batch<ContextAnyEvent> | Reset<ContextAnyEvent>

/** One page of a log. */
interface Page {
  readonly part: Part
  /** When the next lease expires, in milliseconds. Omitted if there is none. */
  readonly leaseMs?: number
}

/** How long a reader waits for its subscription. */
const SUBSCRIBE_MS = 1000
/** How long to wait if no messages come. */
const POLL_MS = 250

export class Reader {
  private readonly settings: Settings
  private readonly operations: Operations
  private readonly onExpired: () => void

  /** @param onExpired - Called when a read finds the expired lease of a writer. */
  constructor(settings: Settings, operations: Operations, onExpired: () => void) {
    this.settings = settings
    this.operations = operations
    this.onExpired = onExpired
  }

  async read(
    cursor: Cursor | string | null | undefined,
    options?: EventLogReadOptions<ContextAnyEvent>,
  ): Promise<Part> {
    const { filter, wait, signal, maxBytes } = checkedReadOptions(options)
    return wait
      ? this.waitFor(cursor, filter, maxBytes, signal)
      : (await this.page(cursor, filter, maxBytes)).part
  }

  private async waitFor(
    cursor: Cursor | string | null | undefined,
    filter: ReadFilter | undefined,
    maxBytes: number,
    signal: AbortSignal | undefined,
  ): Promise<Part> {
    const { client, leaseMs } = this.settings
    const subscription = subscribe(client, commandsOf(client), this.operations.channel)
    try {
      const hasMessages = await subscription.ready(SUBSCRIBE_MS, signal)
      let at = hasMessages ? parse(cursor) : undefined
      let ms = leaseMs
      for (let mustRead = !hasMessages; ; ) {
        const known =
          at === undefined || mustRead ? undefined : this.announced(subscription, at, filter, maxBytes)
        if (known !== undefined && known !== 'none yet') return known
        if (known === undefined) {
          const page = await this.page(at ?? cursor, filter, maxBytes)
          if (page.part.type === 'reset' || !isEmptyBatch(page.part)) return page.part
          at = cursorAfter(page.part)
          ms = Math.min(page.leaseMs ?? leaseMs, leaseMs) + 1
          const more = this.announced(subscription, at, filter, maxBytes)
          if (more !== undefined && more !== 'none yet') return more
        }
        // The expiry of a lease is not announced: the log is read again then.
        if (signal?.aborted !== true)
          mustRead = !(await subscription.change(hasMessages ? ms : POLL_MS, signal))
        if (signal?.aborted === true && at !== undefined) return this.emptyBatch(at, filter)
      }
    } finally {
      subscription.end()
    }
  }

  private emptyBatch({ epoch, seq }: Cursor, filter: ReadFilter | undefined): Part {
    const { stream } = this.settings
    return makeBatch({ stream, epoch, earliest: 0, next: seq + 1, closed: false }, seq, [], filter)
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
    const page = firstPage(events, maxBytes)
    const extent = { stream, epoch: last.epoch, earliest: 0, next: last.next, closed: last.closed }
    return makeBatch(extent, cursor.seq, page.map(eventIn), filter)
  }

  /** Reads one page, without waiting. */
  private async page(
    cursor: Cursor | string | null | undefined,
    filter: ReadFilter | undefined,
    maxBytes: number,
  ): Promise<Page> {
    const { stream, limits } = this.settings
    const isStart = cursor === undefined || cursor === null || cursor === ''
    const known = isStart ? { epoch: '', seq: -1 } : parse(cursor)
    const [epoch, earliest, next, closed, expired, lease, ...events] = await this.operations.run(
      'read',
      known?.epoch ?? '',
      known?.seq ?? 'nowhere',
      maxBytes,
      ...limitsOf(limits),
    )
    if (Number(expired) === 1) this.onExpired()
    const extent: LogExtent = {
      stream,
      epoch: String(epoch),
      earliest: Number(earliest),
      next: Number(next),
      closed: closed === '1',
    }
    const after = resolveCursor(extent, cursor, filter)
    if (typeof after === 'object') return { part: after }
    const part = makeBatch(extent, after, events.map(eventIn), filter)
    return Number(lease) < 0 ? { part } : { part, leaseMs: Number(lease) }
  }
}

function parse(cursor: Cursor | string | null | undefined): Cursor | undefined {
  return typeof cursor === 'string' ? parseEventId(cursor) : parseCursor(cursor)
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

/** The first events that fit, and at least one. */
function firstPage(events: readonly string[], maxBytes: number): readonly string[] {
  // A UTF-16 code unit takes up to three bytes.
  let bytes = 0
  const end = events.findIndex((event, i) => {
    bytes += event.length * 3
    return i > 0 && bytes > maxBytes
  })
  return end === -1 ? events : events.slice(0, end)
}

/** Events from other processes are trusted: they are not validated again. */
function eventIn(json: unknown): ContextAnyEvent {
  return JSON.parse(String(json)) as ContextAnyEvent
}
