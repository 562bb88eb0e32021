/** A server with one stream whose connections fail as scripted. */

import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import {
  createMemoryLog,
  encodeBatch,
  type MemoryEventLog,
  parseEventId,
  type Reset,
} from 'turnstream/streams'
import { settled, type VirtualTime } from './virtual-time.ts'

/** How one connection goes. */
export interface ConnectionScript {
  /** What `connect` gives: nothing at all, a rejection, a status, or a body of one of the types. */
  readonly answer: 'hang' | 'reject' | 429 | 500 | 503 | 'response' | 'stream' | 'iterable'
  /** How many events are appended before the server answers. */
  readonly appended: number
  /** How much of what is to be sent comes: a share of its length. */
  readonly share: number
  /** How the body ends. */
  readonly end: 'close' | 'error' | 'hang'
  /** The lengths of the chunks, over and over. */
  readonly sizes: readonly number[]
  /** How long each chunk takes, in milliseconds. */
  readonly delayMs: number
  /**
   * Faults of the server: it sends what was sent before, restarts with a new epoch, or continues in another epoch
   * without a reset.
   */
  readonly fault: 'none' | 'repeat' | 'restart' | 'switch'
}

type Answer = ConnectionScript['answer']

export const connectionScript: fc.Arbitrary<ConnectionScript> = fc.record({
  answer: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom<Answer>('hang', 'reject', 429, 500, 503) },
    { weight: 3, arbitrary: fc.constantFrom<Answer>('response', 'stream', 'iterable') },
  ),
  appended: fc.nat(6),
  share: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(1)),
  end: fc.constantFrom('close', 'error', 'hang'),
  sizes: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 }),
  delayMs: fc.constantFrom(0, 0, 7, 1500),
  fault: fc.constantFrom('none', 'none', 'none', 'repeat', 'restart', 'switch'),
})

/** Everything that is left arrives. */
const healthy: ConnectionScript = {
  answer: 'response',
  appended: Number.POSITIVE_INFINITY,
  share: 1,
  end: 'close',
  sizes: [64],
  delayMs: 0,
  fault: 'none',
}

export class ScriptedServer {
  /** What each connection asked for. */
  readonly lastEventIds: (string | undefined)[] = []
  /** How many bodies are neither ended nor canceled. */
  openBodies = 0
  readonly #events: readonly ContextAnyEvent[]
  readonly #scripts: readonly ConnectionScript[]
  readonly #time: VirtualTime
  #appended = 0
  #epoch = 0
  #log = createMemoryLog({ stream: 's', epoch: 'e0', now: () => 0 })

  constructor(events: readonly ContextAnyEvent[], scripts: readonly ConnectionScript[], time: VirtualTime) {
    this.#events = events
    this.#scripts = scripts
    this.#time = time
  }

  readonly connect = async (
    lastEventId: string | undefined,
    signal: AbortSignal,
  ): Promise<Response | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>> => {
    const script = this.#scripts[this.lastEventIds.length] ?? healthy
    this.lastEventIds.push(lastEventId)
    const { answer, fault } = script
    for (let i = 0; i < script.appended && this.#appended < this.#events.length; i++) {
      await this.#log.append(this.#events[this.#appended++] as ContextAnyEvent)
    }
    if (fault === 'restart') await this.#restart()
    if (this.#appended === this.#events.length) await this.#log.close()
    if (answer === 'hang') return new Promise(() => {})
    if (answer === 'reject') throw new TypeError('fetch failed')
    if (typeof answer === 'number') return this.#refusal(answer)
    const bytes = new TextEncoder().encode(await this.#textFor(lastEventId ?? '', fault))
    const part = bytes.subarray(0, Math.ceil(bytes.length * script.share))
    const chunks = this.#chunks(part, script, signal)
    if (answer === 'iterable') return this.#counted(chunks)
    const stream = this.#streamOf(chunks)
    return answer === 'stream' ? stream : new Response(stream, EVENT_STREAM)
  }

  /** What a server sends to a reader, with the fault. */
  async #textFor(lastEventId: string, fault: ConnectionScript['fault']): Promise<string> {
    const cursor = parseEventId(lastEventId)
    const isHere = cursor?.epoch === `e${this.#epoch}`
    // An event with the id of the reader alone is as one without an id: SSE states only that the id has not changed.
    if (isHere && cursor.seq > 0 && fault === 'repeat') {
      const all = await this.#log.read('')
      return `retry: 20\n\n${encodeBatch(all, { viewer: 'all' })}`
    }
    if (fault === 'switch') {
      const seq = Math.min(this.#appended - 1, cursor?.seq ?? -1)
      const other = await this.#logOf('other')
      return encodeBatch(await other.read({ stream: 's', epoch: 'other', seq }), { viewer: 'all' })
    }
    const part = await this.#log.read(lastEventId)
    return `retry: 30\n\n${encodeBatch(part.type === 'reset' ? this.#withEvents(part) : part, { viewer: 'all' })}`
  }

  /** The shortest snapshot is the stream itself. */
  #withEvents(reset: Reset): Reset {
    return { ...reset, events: this.#events.slice(0, reset.through + 1) }
  }

  /** A log of what was appended so far. */
  async #logOf(epoch: string): Promise<MemoryEventLog> {
    const log = createMemoryLog({ stream: 's', epoch, now: () => 0 })
    for (const event of this.#events.slice(0, this.#appended)) await log.append(event)
    return log
  }

  async #restart(): Promise<void> {
    this.#epoch++
    this.#log = await this.#logOf(`e${this.#epoch}`)
  }

  async *#chunks(
    bytes: Uint8Array,
    { sizes, delayMs, end }: ConnectionScript,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    for (let at = 0, i = 0; at < bytes.length; i++) {
      if (delayMs > 0) await this.#time.sleep(delayMs, signal)
      const size = sizes[i % sizes.length] ?? 1
      yield bytes.slice(at, at + size)
      at += size
    }
    if (end === 'error') throw new TypeError('terminated')
    // Never ends by itself; as with `fetch`, the signal ends it.
    if (end === 'hang') await this.#time.sleep(1e9, signal)
  }

  #refusal(status: number): Response {
    const forever = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }
    const headers = { 'retry-after': '2' }
    return new Response(this.#streamOf(forever), { status, headers })
  }

  /** Counts as open until it ends or is canceled. */
  #counted(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const iterator = chunks[Symbol.asyncIterator]()
    this.openBodies++
    let close = (): void => {
      this.openBodies--
      close = () => {}
    }
    return {
      [Symbol.asyncIterator]: () => ({
        async next() {
          try {
            const result = await iterator.next()
            if (result.done === true) close()
            return result
          } catch (error) {
            close()
            throw error
          }
        },
        async return() {
          close()
          await iterator.return?.()
          return { done: true, value: undefined }
        },
      }),
    }
  }

  #streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
    const iterator = this.#counted(chunks)[Symbol.asyncIterator]()
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await iterator.return?.()
      },
    })
  }
}

const EVENT_STREAM = { headers: { 'content-type': 'text/event-stream' } }

/** Requires that nothing is left of a watch that has ended. */
export async function requireNothingLeft(server: ScriptedServer, time: VirtualTime): Promise<void> {
  await settled()
  if (time.running > 0) throw new Error(`${time.running} timers are left.`)
  if (server.openBodies > 0) throw new Error(`${server.openBodies} bodies are left.`)
}
