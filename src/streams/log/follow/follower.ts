/** The generator of `follow`, as an object: what waits for each of many connections is small. */
import { onAbort } from '../../../core/on-abort.ts'
import { type Batch, cursorAfter, isEmptyBatch, type Reset, type StreamEvent } from '../batch.ts'
import type { Cursor } from '../cursor.ts'
import type { EventLog } from '../event-log.ts'
import { MemoryLog } from '../memory/memory-log.ts'
import type { ReadFilter } from '../read-filter.ts'
import { DEFAULT_MAX_BYTES } from '../read-options.ts'
import { requireProgress, withSnapshot } from '../reset-snapshot.ts'
import type { Tail, TailWaiter } from './tail.ts'

type Part<E extends StreamEvent> = Batch<E> | Reset<E>
type Parts<E extends StreamEvent> = AsyncGenerator<Part<E>, void, undefined>
type Result<E extends StreamEvent> = IteratorResult<Part<E>, void>

/** Where reading continues. A number: the `seq` in a {@link MemoryLog}. */
type Place = Cursor | string | number | null | undefined

/** How a {@link Follower} reads. */
export interface FollowerOptions<E extends StreamEvent> {
  /** Aborting it ends the reading. */
  readonly signal?: AbortSignal | undefined
  /** Maximum size of a page in bytes of JSON. */
  readonly maxBytes?: number | undefined
  /** `false`: resets hold the events of the snapshot as they are, which all readers share. */
  readonly filtersResets?: boolean
  /** The tail of the log, if readers share one. Omitted: each waits by itself. */
  readonly tail?: Tail<E> | undefined
  /** What the reader gets for the first part. Omitted: that part. */
  readonly first?: ((part: Part<E>) => Promise<Part<E>>) | undefined
}

/** Who asked for a part and has not been answered. */
export interface Request<E extends StreamEvent> {
  resolve(result: Result<E>): void
  reject(error: unknown): void
}

/**
 * Reads a log part by part.
 *
 *     idle ──next──▶ reading ──part──▶ idle
 *                       │ ▲
 *            up to date ▼ │ wake              any ──stop──▶ ended
 *                     waiting
 *
 * A {@link MemoryLog} is read at once, and wakes its readers. Others wait by themselves, or for a {@link Tail}.
 */
export class Follower<E extends StreamEvent> implements Parts<E>, TailWaiter {
  readonly #log: EventLog<E>
  readonly #filter: ReadFilter<E> | undefined
  readonly #filtersResets: boolean
  readonly #signal: AbortSignal | undefined
  readonly #maxBytes: number | undefined
  readonly #tail: Tail<E> | undefined
  readonly #first: FollowerOptions<E>['first']
  #at: Place
  /** How far the log was read; undefined before the first part. */
  #position: Cursor | undefined
  /** The last part, if it was a reset. */
  #reset: Reset<E> | undefined
  #isFirst = true
  #isEnded = false
  /** Whether a {@link MemoryLog} or a {@link Tail} is to wake it. */
  #isWaiting = false
  #request: Request<E> | undefined
  /** Further calls, in order. Omitted: none, unless somebody does not await each. */
  #queue: Request<E>[] | undefined
  /** Ends the read of a log that waits by itself. */
  #reading: AbortController | undefined
  #stopListening: (() => void) | undefined

  constructor(
    log: EventLog<E>,
    cursor: Cursor | string | null | undefined,
    filter: ReadFilter<E> | undefined,
    { signal, maxBytes, filtersResets = true, tail, first }: FollowerOptions<E> = {},
  ) {
    this.#log = log
    this.#at = cursor
    this.#filter = filter
    this.#signal = signal
    this.#maxBytes = maxBytes
    this.#filtersResets = filtersResets
    this.#tail = tail
    this.#first = first
  }

  next(): Promise<Result<E>> {
    return new Promise((resolve, reject) => this.ask({ resolve, reject }))
  }

  /** {@link next} without a promise. Answers at once if there is a part. */
  ask(request: Request<E>): void {
    if (this.#request === undefined) {
      this.#request = request
      this.#read()
    } else {
      this.#queue ??= []
      this.#queue.push(request)
    }
  }

  async return(value?: PromiseLike<void> | void): Promise<Result<E>> {
    this.stop()
    return { done: true, value: await value }
  }

  async throw(error: unknown): Promise<Result<E>> {
    this.stop()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /**
   * How far the log was read, beyond the last part if only events followed that are hidden from the reader. `undefined` before
   * the first part.
   */
  get position(): Cursor | undefined {
    return this.#position
  }

  /** Ends the reading. Whoever waits for a part gets none. */
  stop(): void {
    this.#isEnded = true
    this.#pause()
    this.#reading?.abort()
    this.#request?.resolve(DONE)
    for (const { resolve } of this.#queue ?? []) resolve(DONE)
    this.#request = undefined
    this.#queue = undefined
  }

  /** Continues what waits. Without effect otherwise: a log may wake one that it has forgotten. */
  wake(): void {
    if (!this.#isWaiting) return
    this.#pause()
    this.#read()
  }

  /** Fails instead of {@link wake}. */
  fail(error: unknown): void {
    if (!this.#isWaiting) return
    this.#pause()
    this.#fail(error)
  }

  #read(): void {
    if (this.#isEnded || this.#signal?.aborted === true) {
      this.stop()
      return
    }
    const log = this.#log
    try {
      if (log instanceof MemoryLog) {
        if (typeof this.#at === 'number' && log.isUpToDate(this.#at)) this.#wait()
        else this.#take(log.readNow(this.#at, this.#filter, this.#maxBytes ?? DEFAULT_MAX_BYTES))
      } else if (this.#isFirst) this.#readOther(log, false)
      else this.#readTail(log, this.#position)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Reads what the tail has, or waits for it. */
  #readTail(log: EventLog<E>, at: Cursor | undefined): void {
    const tail = this.#tail
    if (tail === undefined || at === undefined) {
      this.#readOther(log, true)
      return
    }
    const part = tail.take(at, this.#filter)
    if (part !== undefined) {
      this.#take(part)
      return
    }
    this.#isWaiting = true
    const place = tail.wait(this, at)
    this.#isWaiting = place === 'waiting'
    if (this.#isWaiting) this.#listen()
    else this.#readOther(log, place === 'elsewhere')
  }

  #readOther(log: EventLog<E>, wait: boolean): void {
    this.#reading ??= new AbortController()
    this.#listen()
    const options = {
      ...(this.#filter && { filter: this.#filter }),
      ...(this.#maxBytes !== undefined && { maxBytes: this.#maxBytes }),
      signal: this.#reading.signal,
      wait,
    }
    // Not a number: that is for the other kind of log.
    log.read(this.#at as Exclude<Place, number>, options).then(
      (part) => this.#take(part),
      (error: unknown) => this.#fail(error),
    )
  }

  #take(part: Part<E>): void {
    this.#pause()
    if (this.#isEnded) return
    const filled = this.#filled(part)
    if (filled !== undefined) {
      filled.then(
        (whole) => this.#deliver(whole),
        (error: unknown) => this.#fail(error),
      )
    } else if (this.#isFirst || part.type === 'reset' || part.events.length > 0 || hasMore(part)) {
      this.#deliver(part)
    } else {
      // Nothing that the reader may see: it learns of no hidden events, nor when there were any.
      this.#reset = undefined
      this.#moveTo(part)
      if (isEmptyBatch(part)) this.#wait()
      else this.#read()
    }
  }

  /** What is delivered instead of a part, if it is not the part itself. */
  #filled(part: Part<E>): Promise<Part<E>> | undefined {
    if (this.#isFirst && this.#first !== undefined) return this.#first(part)
    if (part.type !== 'reset') return undefined
    return withSnapshot(part, this.#log, this.#filter, this.#filtersResets)
  }

  #moveTo(part: Part<E>): void {
    this.#position = cursorAfter(part)
    this.#at = this.#log instanceof MemoryLog ? part.through : this.#position
  }

  #wait(): void {
    if (this.#log instanceof MemoryLog) {
      this.#isWaiting = true
      this.#log.wakeLater(this)
      this.#listen()
    } else this.#read()
  }

  #deliver(part: Part<E>): void {
    if (this.#isEnded) return
    try {
      if (this.#reset !== undefined) requireProgress(part, this.#reset)
    } catch (error) {
      this.#fail(error)
      return
    }
    this.#reset = part.type === 'reset' ? part : undefined
    this.#isFirst = false
    this.#isEnded = part.type === 'batch' && part.closed === true
    this.#moveTo(part)
    this.#answer((request) => request.resolve({ done: false, value: part }))
  }

  #fail(error: unknown): void {
    if (this.#isEnded) return
    this.#answer((request) => request.reject(error))
    this.stop()
  }

  /** Answers the oldest call, and continues with the next one. */
  #answer(settle: (request: Request<E>) => void): void {
    const request = this.#request
    this.#request = this.#queue?.shift()
    if (request !== undefined) settle(request)
    if (this.#request !== undefined) void Promise.resolve().then(() => this.#read())
  }

  #listen(): void {
    this.#stopListening = this.#signal && onAbort(this.#signal, () => this.stop())
  }

  /** Ends the waiting for a {@link MemoryLog} or a {@link Tail}, and the listening to the signal. */
  #pause(): void {
    this.#stopListening?.()
    this.#stopListening = undefined
    if (!this.#isWaiting) return
    this.#isWaiting = false
    if (this.#log instanceof MemoryLog) this.#log.forget(this)
    else this.#tail?.forget(this)
  }
}

/** Whether a batch without events is more than a position. */
function hasMore({ closed, loss }: Batch<StreamEvent>): boolean {
  return closed !== undefined || loss !== undefined
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }
