/** The loop of {@link watchStream}: connect, read, wait, reconnect. */
import { type Diagnostic, type Runner, start } from '../../core/machine.ts'
import type { OpenSource } from '../../core/source.ts'
import type { EventDecoderOptions } from '../../event-stream/event-decoder.ts'
import { ResponseError } from '../../event-stream/response-error.ts'
import type { Batch, Reset } from '../log/batch.ts'
import { type Cursor, formatEventId } from '../log/cursor.ts'
import { type Received, receiver } from '../log/receiver.ts'
import { batchDecoder } from '../log/wire/batch-decoder.ts'
import type { ViewFeatures } from '../view/fold/features.ts'
import { createViewStoreWith, type ViewStore } from '../view/fold/view-store.ts'
import { type View, viewBefore } from '../view/view.ts'
import { backoffDelay } from './backoff.ts'
import { type Connection, discard, type Opened, openConnection } from './connection.ts'
import { type Disconnect, disconnected } from './disconnect.ts'
import { DroppedMessages } from './dropped-messages.ts'
import { UnknownStreamError } from './unknown-stream-error.ts'
import { IdleError, type Waits } from './waits.ts'

/** What was received, and the state of the stream after it. */
export interface Watched {
  /** All events so far, folded; after a reset, those of its snapshot and since. */
  readonly view: View
  /** What was received: events, a reset, a gap, a duplicate or the end. */
  readonly received: Received
  /** Where to resume. Store it together with `view`. Omitted before the first batch or reset. */
  readonly cursor?: Cursor
}

/** Settings of a {@link Watcher}: the options, with their defaults. */
export interface WatcherSettings {
  readonly connect: (lastEventId: string | undefined, signal: AbortSignal) => Connection | Promise<Connection>
  readonly limits: EventDecoderOptions
  readonly features: ViewFeatures
  readonly view: View
  readonly cursor: Cursor | undefined
  readonly minDelayMs: number
  readonly maxDelayMs: number
  readonly idleTimeoutMs: number
  readonly random: () => number
  readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined
}

type Part = Batch | Reset

/** One stream, over as many connections as it takes. */
export class Watcher {
  readonly #settings: WatcherSettings
  readonly #waits: Waits
  readonly #receiver: Runner<ReturnType<typeof receiver>['initial'], Part, Received>
  #store: ViewStore
  /** How many connections in a row brought nothing new. */
  #failures = 0
  /** Whether any connection brought a batch or a reset. */
  #hasReceived = false
  /** What was dropped of the connection before it brought anything. */
  #dropped = new DroppedMessages(undefined)
  /** The reconnection time that the server sent last, in milliseconds. */
  #retry: number | undefined

  constructor(settings: WatcherSettings, waits: Waits) {
    this.#settings = settings
    this.#waits = waits
    this.#store = createViewStoreWith(settings.features, settings.view)
    const { cursor } = settings
    this.#receiver = start(receiver(cursor && { cursor }))
  }

  /** Everything received, until the stream is closed, the server has no more, or the waits are stopped. */
  async *run(stopSignal: AbortSignal | undefined): AsyncGenerator<Watched, void, undefined> {
    const stop = (): void => this.#waits.stop()
    if (stopSignal?.aborted === true) return
    stopSignal?.addEventListener('abort', stop)
    try {
      while (!this.#waits.isStopped) {
        const disconnect = yield* this.#connect()
        if (disconnect === undefined) return
        await this.#waits.pause(this.#delayAfter(disconnect))
      }
    } finally {
      stopSignal?.removeEventListener('abort', stop)
    }
  }

  /** One connection. Returns why it ended; `undefined` if none is to follow. */
  async *#connect(): AsyncGenerator<Watched, Disconnect | undefined, undefined> {
    const start = this.#waits.now()
    const controller = new AbortController()
    try {
      const opened = await this.#open(controller.signal)
      if (opened === undefined || opened.type === 'end') return undefined
      if (opened.type === 'retry') return opened.disconnect
      const disconnect = yield* this.#read(opened.source)
      // A connection that lasts is no failure, even if the stream is quiet. One with other messages alone is.
      const lasted = this.#waits.now() - start >= this.#settings.maxDelayMs
      if (lasted && disconnect?.reason !== 'idle' && this.#dropped.count === 0) this.#failures = 0
      return disconnect
    } finally {
      controller.abort()
    }
  }

  /** Opens a connection; `undefined` if the waits are stopped. */
  async #open(signal: AbortSignal): Promise<Opened | undefined> {
    const { connect, idleTimeoutMs } = this.#settings
    const { cursor } = this.#receiver.state
    // A function that throws is treated like one that rejects.
    const connecting = (async () => ({ value: await connect(cursor && formatEventId(cursor), signal) }))()
    let connected: { value: unknown } | undefined
    try {
      connected = await this.#waits.until(connecting, idleTimeoutMs)
    } catch (error) {
      return { type: 'retry', disconnect: this.#reasonOf(error, 'rejected') }
    } finally {
      // The wait was canceled before the connection came: it may still come.
      if (connected === undefined) connecting.then(({ value }) => discard(value), ignore)
    }
    return connected && openConnection(connected.value, () => this.#waits.now())
  }

  /** Reads a connection to its end, or to the end of the stream. */
  async *#read(
    source: OpenSource<string | Uint8Array>,
  ): AsyncGenerator<Watched, Disconnect | undefined, undefined> {
    const { limits, onDiagnostic } = this.#settings
    const { cursor } = this.#receiver.state
    const dropped = new DroppedMessages(onDiagnostic)
    this.#dropped = dropped
    const decoder = start(batchDecoder({ ...limits, ...(cursor && { cursor }) }), (diagnostic) =>
      dropped.report(diagnostic),
    )
    try {
      for (;;) {
        const chunk = await this.#pull(source)
        if ('reason' in chunk) {
          decoder.end()
          // Whoever asks again gets the same from the beginning, and a model may be called for it.
          const { count, last } = dropped
          const isUnknown = chunk.reason === 'ended' && !this.#hasReceived
          if (isUnknown && last !== undefined) throw new UnknownStreamError(count, last)
          return chunk
        }
        if (chunk.done === true) return undefined
        const parts = decoder.push(chunk.value)
        this.#retry = decoder.state.retry ?? this.#retry
        for (const part of parts) {
          this.#hasReceived = true
          dropped.received()
          for (const received of this.#receiver.push(part)) {
            yield this.#take(received)
            if (received.type === 'closed' || this.#waits.isStopped) return undefined
            // The batches after a gap would be gaps as well.
            if (received.type === 'gap') return { reason: 'gap' }
          }
        }
      }
    } finally {
      void source.cancel(undefined)
    }
  }

  /** The next chunk, or why there is none; `done` if the waits are stopped. */
  async #pull(
    source: OpenSource<string | Uint8Array>,
  ): Promise<Disconnect | IteratorResult<string | Uint8Array, undefined>> {
    try {
      const chunk = await this.#waits.until(source.pull(), this.#settings.idleTimeoutMs)
      if (chunk === undefined) return { done: true, value: undefined }
      return chunk.done === true ? { reason: 'ended' } : chunk
    } catch (error) {
      if (error instanceof ResponseError) throw error
      return this.#reasonOf(error, 'broken')
    }
  }

  #reasonOf(error: unknown, reason: 'rejected' | 'broken'): Disconnect {
    if (!(error instanceof IdleError)) return { reason, error }
    return { reason: 'idle', idleMs: this.#settings.idleTimeoutMs }
  }

  /** Applies what was received. */
  #take(received: Received): Watched {
    if (received.type === 'events') {
      this.#store.push(received.events)
      // Nothing new: the first batch of an empty stream, which only has a cursor.
      if (received.cursor.seq >= 0) this.#failures = 0
    } else if (received.type === 'reset') {
      this.#store = createViewStoreWith(this.#settings.features, viewBefore(received))
      this.#store.push(received.events ?? [])
    }
    const { cursor } = this.#receiver.state
    return { view: this.#store.getSnapshot(), received, ...(cursor && { cursor }) }
  }

  /** Reports why a connection ended, and returns how long to wait before the next one. */
  #delayAfter(disconnect: Disconnect): number {
    const { minDelayMs, maxDelayMs, random, onDiagnostic } = this.#settings
    this.#failures++
    const backoff = { failures: this.#failures, min: minDelayMs, retry: this.#retry, max: maxDelayMs }
    const atLeast = disconnect.reason === 'status' ? disconnect.retryAfterMs : 0
    const delay = atLeast + backoffDelay(backoff, random)
    onDiagnostic?.(disconnected(disconnect, this.#failures, delay))
    return delay
  }
}

function ignore(): void {}
