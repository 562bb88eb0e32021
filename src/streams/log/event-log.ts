/** The log as an interface, for hosts that keep their streams in an engine they already have. */
import type { ContextAnyEvent } from '../../events/event.ts'
import { type Batch, cursorAfter, type Reset, type StreamEvent } from './batch.ts'
import { type Cursor, comparePositions, type Position } from './cursor.ts'
import { append, close, evict, headOf, type Log, type LogOptions, openLog, read } from './log.ts'
import type { ReadFilter } from './read-filter.ts'

/**
 * The log of one stream, wherever it is kept: in memory, or in Redis Streams, NATS JetStream, Kafka or
 * a table. Everything else of the library works with any of them.
 *
 * What an implementation promises:
 *
 * - One order for all: the n-th event appended in an epoch has the `seq` n−1, in every process.
 * - `read` behaves as the function {@link read} does: all the reader may see after the cursor and up to
 *   some place, or a reset; never a batch with a hole in it. It may stop before the end of the stream,
 *   and the next read goes on there.
 * - A new epoch whenever it cannot prove that it goes on where it stopped.
 *
 * {@link resolveCursor} and {@link makeBatch} do all of `read` but the fetching of events.
 */
export interface EventLog<E extends StreamEvent = ContextAnyEvent> {
  /** Appends an event; resolves to where it is. Rejects with a TypeError when the stream is closed. */
  append(event: E): Promise<Position>
  /**
   * Reads what comes after a cursor.
   *
   * @param cursor - Where the reader stands, or a `Last-Event-ID` header as it came. Absent or empty: at
   * the beginning.
   */
  read(cursor?: Cursor | string | null, options?: EventLogReadOptions<E>): Promise<Batch<E> | Reset>
  /** Ends the stream. Closing again changes nothing. */
  close(): Promise<void>
}

/** Settings of {@link EventLog.read}. */
export interface EventLogReadOptions<E extends StreamEvent = ContextAnyEvent> {
  /** What the reader may and wants to see. Absent: everything. */
  readonly filter?: ReadFilter<E>
  /**
   * Whether to wait when nothing follows the cursor and the stream is not closed, until something
   * does.
   *
   * @defaultValue false
   */
  readonly wait?: boolean
  /** Aborting it ends the wait: the batch is then empty. */
  readonly signal?: AbortSignal
}

/** What {@link createMemoryLog} needs to know. */
export interface MemoryEventLogOptions extends LogOptions {
  /** The clock, in milliseconds: for the age of events. */
  readonly now: () => number
}

/** The log in the memory of one process. */
export interface MemoryEventLog<E extends StreamEvent = ContextAnyEvent> extends EventLog<E> {
  /** The log as it is now: plain JSON, to store and to go on with. */
  readonly log: Log<E>
}

/**
 * Keeps a {@link Log} in memory.
 *
 * @param options - What to open a log with; or a stored log to go on with, and the clock.
 *
 * @example
 * ```ts
 * const log = embeddedLog({ stream: 'context/ctx-1', epoch: crypto.randomUUID(), now: Date.now })
 * await log.append(event)
 * ```
 */
export function createMemoryLog<E extends StreamEvent = ContextAnyEvent>(
  options: MemoryEventLogOptions | { readonly log: Log<E>; readonly now: () => number },
): MemoryEventLog<E> {
  const { now } = options
  let log: Log<E> = 'log' in options ? options.log : openLog<E>(options)
  const waiting = new Set<() => void>()
  const become = (next: Log<E>): void => {
    log = next
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  }
  return {
    async append(event) {
      become(append(log, event, now()))
      return headOf(log)
    },
    async read(cursor, { filter, wait = false, signal } = {}) {
      log = evict(log, now())
      let part = read(log, cursor, filter)
      while (wait && part.type === 'batch' && isNothing(part) && signal?.aborted !== true) {
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake)
            signal?.removeEventListener('abort', wake)
            resolve()
          }
          waiting.add(wake)
          signal?.addEventListener('abort', wake)
        })
        part = read(log, cursorAfter(part), filter)
      }
      return part
    },
    async close() {
      become(close(log))
    },
    get log() {
      return log
    },
  }
}

/** Whether a reset leads on from another one: to a later place, or to another epoch. */
function isAfter(next: Reset, before: Reset): boolean {
  return (comparePositions(cursorAfter(next), cursorAfter(before)) ?? 1) === 1
}

function isNothing({ after, through, closed }: Batch<StreamEvent>): boolean {
  return through === after && closed === undefined
}

/** Settings of {@link follow}. */
export interface FollowOptions<E extends StreamEvent = ContextAnyEvent> {
  /** What the reader may and wants to see. Absent: everything. */
  readonly filter?: ReadFilter<E>
  /** Aborting it ends the reading, without an error. */
  readonly signal?: AbortSignal
  /**
   * Called with each reset, before it is given out: returns it with a snapshot, and with `through` set
   * to what the snapshot includes: not less than the event before {@link Reset.earliest}, or the log
   * cannot go on from it. Absent: resets are given out as they are.
   */
  readonly onReset?: (reset: Reset) => Reset | Promise<Reset>
}

/**
 * Reads a stream from a cursor to its end, live: what a connection writes out, part by part.
 *
 * Begins with a part even when there is nothing yet, so that the reader learns where it stands. Ends
 * with the batch that says the stream is closed.
 *
 * @throws TypeError when a reset leads to where the log cannot go on, and the one that follows leads no
 * further: the snapshots of `onReset` are too old.
 *
 * @example
 * ```ts
 * for await (const part of follow(log, request.headers.get('last-event-id'), { view, signal })) {
 *   response.write(encodeBatch(part))
 * }
 * ```
 */
export async function* follow<E extends StreamEvent = ContextAnyEvent>(
  log: EventLog<E>,
  cursor?: Cursor | string | null,
  { filter, signal, onReset }: FollowOptions<E> = {},
): AsyncGenerator<Batch<E> | Reset, void, undefined> {
  const options = { ...(filter && { filter }), ...(signal && { signal }) }
  let at = cursor
  let reset: Reset | undefined
  for (let isFirst = true; signal?.aborted !== true; isFirst = false) {
    const read = await log.read(at, { ...options, wait: !isFirst })
    const part = read.type === 'reset' && onReset !== undefined ? await onReset(read) : read
    if (part.type === 'batch') reset = undefined
    else if (reset !== undefined && !isAfter(part, reset)) {
      throw new TypeError('The log cannot go on where the reset leads: let onReset give a later snapshot.')
    } else reset = part
    if (isFirst || part.type === 'reset' || !isNothing(part)) yield part
    if (part.type === 'batch' && part.closed === true) return
    at = cursorAfter(part)
  }
}
