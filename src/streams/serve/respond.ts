/** The body of an SSE response: a log, read at the pace of its reader. */
import { onAbort } from '../../core/on-abort.ts'
import { encodeComment } from '../../sse/encode.ts'
import type { Batch, Reset } from '../log/batch.ts'
import { type EncodeBatchOptions, encodeBatch } from '../log/encode-batch.ts'
import { encodeReset } from '../log/encode-reset.ts'
import type { EventLog } from '../log/event-log.ts'
import { follow } from '../log/follow.ts'
import type { ReadFilter } from '../log/read-filter.ts'

/** What {@link bodyOf} sends, and how. */
export interface BodyOptions extends EncodeBatchOptions {
  readonly filter: ReadFilter
  readonly signal: AbortSignal | undefined
  readonly heartbeatMs: number
  readonly retry: number | undefined
  /** Called with each part before it is sent. */
  readonly onPart: (part: Batch | Reset) => void
}

/**
 * The body. Reads one page of the log at a time, when its reader asks for more: one that does not read costs nothing.
 * Ends with the stream, or when `signal` is aborted; cancelling it stops the reading.
 */
export function bodyOf(
  log: EventLog,
  lastEventId: string | undefined,
  options: BodyOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let messages: Messages | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        messages ??= new Messages(log, lastEventId, options)
        const text = await messages.next()
        if (text !== undefined) controller.enqueue(encoder.encode(text))
        else controller.close()
      },
      cancel() {
        messages?.stop()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The text of a body, message by message, with heartbeats while there is none. */
class Messages {
  private readonly heartbeatMs: number
  private readonly controller = new AbortController()
  private readonly texts: AsyncGenerator<string, void, undefined>
  private readonly cancelAbort: (() => void) | undefined
  /** Whether a text was asked for and has not come. */
  private isWaiting = false
  private result: IteratorResult<string, void> | { readonly error: unknown } | undefined
  /** Ends the wait of {@link next}. */
  private wake: () => void = ignore

  constructor(log: EventLog, lastEventId: string | undefined, options: BodyOptions) {
    const { signal, heartbeatMs } = options
    this.heartbeatMs = heartbeatMs
    if (signal?.aborted === true) this.controller.abort()
    else this.cancelAbort = signal && onAbort(signal, () => this.controller.abort())
    this.texts = textsOf(log, lastEventId, options, this.controller.signal)
  }

  /** The next text, or a comment if there is none for the length of a heartbeat; `undefined` at the end. */
  async next(): Promise<string | undefined> {
    if (!this.isWaiting) this.ask()
    if (this.result === undefined) await this.change()
    const { result } = this
    if (result === undefined) return encodeComment()
    this.result = undefined
    if ('value' in result && result.done !== true) return result.value
    this.stop()
    if ('error' in result) throw result.error
    return undefined
  }

  /** Stops reading the log. */
  stop(): void {
    this.cancelAbort?.()
    this.controller.abort()
    this.wake()
  }

  /** Asks for the next text, once: each heartbeat would otherwise leave something behind until it comes. */
  private ask(): void {
    this.isWaiting = true
    const settle = (result: NonNullable<typeof this.result>): void => {
      this.isWaiting = false
      this.result = result
      this.wake()
    }
    this.texts.next().then(settle, (error: unknown) => settle({ error }))
  }

  /** Resolves when there is a result, or after the time of a heartbeat. */
  private change(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(this.heartbeatMs, MAX_TIMEOUT_MS))
      this.wake = () => {
        clearTimeout(timer)
        this.wake = ignore
        resolve()
      }
    })
  }
}

/** Timers of more are due at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

function ignore(): void {}

async function* textsOf(
  log: EventLog,
  lastEventId: string | undefined,
  { filter, retry, onPart, ...options }: BodyOptions,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  let start = retry === undefined ? '' : `retry: ${retry}\n\n`
  for await (const part of follow(log, lastEventId, { filter, signal })) {
    onPart(part)
    for (const text of part.type === 'reset' ? encodeReset(part, options) : [encodeBatch(part, options)]) {
      yield start + text
      start = ''
    }
  }
}
