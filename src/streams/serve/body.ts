/** The body of an SSE response: a log, read at the pace of its reader. */
import { onAbort } from '../../core/on-abort.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Batch, Reset } from '../log/batch.ts'
import type { EventLog } from '../log/event-log.ts'
import { Follower, type Request } from '../log/follow/follower.ts'
import type { Tail } from '../log/follow/tail.ts'
import type { ReadFilter } from '../log/read-filter.ts'
import { type EncodeBatchOptions, encodeBatch, encodePosition } from '../log/wire/encode-batch.ts'
import type { Heartbeat, Quiet } from './heartbeat.ts'
import type { Newcomers } from './newcomers.ts'
import { resetBytes } from './reset-bytes.ts'

type Part = Batch | Reset
type Source = UnderlyingDefaultSource<Uint8Array>

/** What {@link bodyOf} sends, and how. */
export interface BodyOptions {
  readonly filter: ReadFilter
  /** What the readers of the log share; see {@link Tail}. */
  readonly tail: Tail | undefined
  readonly encoding: EncodeBatchOptions
  readonly signal: AbortSignal | undefined
  readonly heartbeat: Heartbeat
  /** How many bytes the comment of a heartbeat is longer by. */
  readonly paddingBytes: number
  readonly retry: number | undefined
  /** What a reader without a cursor gets of a long stream. Omitted: all its events. */
  readonly newcomers: Newcomers | undefined
  /** Called with each part before it is sent. */
  readonly onPart: (part: Part) => void
  /** Called with the error of the log, after the body has failed with it. */
  readonly onError: ((error: unknown) => void) | undefined
}

/**
 * The body. Reads one page of the log at a time, when its reader asks for more: one that does not read costs nothing.
 * Ends with the stream, or when `signal` is aborted; cancelling it stops the reading.
 */
export function bodyOf(
  log: EventLog,
  lastEventId: string | undefined,
  options: BodyOptions,
): ReadableStream<Uint8Array> & AsyncIterable<Uint8Array> {
  return new ReadableStream(new Body(log, lastEventId, options), { highWaterMark: 0 })
}

const encoder = new TextEncoder()

/** The source of a body, which asks the log for parts. One object, since many connections wait at the same time. */
class Body implements Source, Request<ContextAnyEvent>, Quiet {
  readonly #parts: Follower<ContextAnyEvent>
  readonly #options: BodyOptions
  /** Unset before the first read. */
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Whether the reader waits for a chunk. */
  #isWanted = false
  /** Since when it does. */
  waitsSince: number | undefined
  /** Whether the log was asked for a part that has not come. */
  #isAsking = false
  #isEnded = false
  /** What the reader has not asked for, if anything: the rest of a reset, or a part that came after a heartbeat. */
  #chunks: Iterator<Uint8Array> | undefined
  /** What the first chunk begins with; unset after it. */
  #start: string | undefined
  #stopListening: (() => void) | undefined

  constructor(log: EventLog, lastEventId: string | undefined, options: BodyOptions) {
    const { filter, tail, retry, newcomers } = options
    const isNew = lastEventId === undefined || lastEventId === ''
    const first = isNew && newcomers ? (part: Part) => newcomers.first(part, filter) : undefined
    // A reset is filtered as it is encoded: a reader that stops then holds only the snapshot that all share.
    this.#parts = new Follower(log, lastEventId, filter, { filtersResets: false, tail, first })
    this.#options = options
    this.#start = retry === undefined ? undefined : `retry: ${retry}\n\n`
  }

  pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (this.#controller === undefined) this.#open(controller)
    this.#isWanted = true
    this.#send()
    if (this.#isWanted && !this.#isAsking) {
      this.#isAsking = true
      this.#parts.ask(this)
    }
    if (this.#isWanted && !this.#isEnded) this.waitsSince ??= performance.now()
  }

  cancel(): void {
    this.#end()
  }

  /** Takes a part, or the end. */
  resolve(result: IteratorResult<Part, void>): void {
    this.#isAsking = false
    if (this.#isEnded) return
    if (result.done === true) {
      this.#end()
      this.#controller?.close()
      return
    }
    try {
      this.#chunks = this.#chunksOf(result.value)
      this.#send()
    } catch (error) {
      this.reject(error)
    }
  }

  /** Takes the error of the log. Without effect once the body has ended. */
  reject(error: unknown): void {
    this.#end()
    this.#controller?.error(error)
    this.#options.onError?.(error)
  }

  #open(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
    const { signal, heartbeat } = this.#options
    heartbeat.join(this)
    if (signal?.aborted === true) this.#parts.stop()
    else this.#stopListening = signal && onAbort(signal, () => this.#parts.stop())
  }

  #end(): void {
    if (!this.#isEnded && this.#controller !== undefined) this.#options.heartbeat.leave(this)
    this.#isEnded = true
    this.#stopListening?.()
    this.#parts.stop()
  }

  #chunksOf(part: Part): Iterator<Uint8Array> {
    const { onPart, encoding, filter } = this.#options
    onPart(part)
    return part.type === 'reset' ? resetBytes(part, encoding, filter) : [batchBytes(part, encoding)].values()
  }

  /** Sends the next chunk, if there is one and the reader waits for it. */
  #send(): void {
    if (!this.#isWanted) return
    const next = this.#chunks?.next()
    if (next?.done === false) this.#write(next.value)
  }

  #write(chunk: Uint8Array): void {
    this.waitsSince = undefined
    this.#isWanted = false
    const start = this.#start
    this.#start = undefined
    // The reader may ask for more before this returns.
    this.#controller?.enqueue(start === undefined ? chunk : concat(encoder.encode(start), chunk))
  }

  /** Sends a comment, and the newest position in the same block: hidden events move it. The log has still been asked. */
  beat(): void {
    const { position } = this.#parts
    const padding = ' '.repeat(this.#options.paddingBytes)
    this.#write(encoder.encode(`: ping${padding}\n${position ? encodePosition(position) : '\n'}`))
  }
}

/** The bytes of batches that readers share, by profile. */
const encoded = {
  named: new WeakMap<Batch, Uint8Array>(),
  'data-only': new WeakMap<Batch, Uint8Array>(),
} satisfies Record<NonNullable<EncodeBatchOptions['profile']>, unknown>

function batchBytes(batch: Batch, encoding: EncodeBatchOptions): Uint8Array {
  const known = encoded[encoding.profile ?? 'named']
  let bytes = known.get(batch)
  if (bytes === undefined) {
    bytes = encoder.encode(encodeBatch(batch, encoding))
    known.set(batch, bytes)
  }
  return bytes
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
