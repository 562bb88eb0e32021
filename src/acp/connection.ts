/** A connection with a peer, an agent or its client: JSON-RPC, and an end that does not depend on the peer. */

import { inTime } from '../core/deadline.ts'
import type { Inbox } from '../core/inbox.ts'
import { onAbort } from '../core/on-abort.ts'
import { describeValue } from '../core/require.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { fieldsOf, textOf } from '../validation/read-fields.ts'

/** A connection with an agent or its client: parsed messages of JSON-RPC, as `ndJsonStream` of `@agentclientprotocol/sdk` makes of a process. */
export interface AcpStream {
  readonly readable: ReadableStream<unknown>
  readonly writable: WritableStream<unknown>
  /** Called once the connection has ended: ends what it was opened to, such as a process. Must not throw. Omitted: nothing is. */
  readonly close?: () => void
}

/** What the peer sends by itself: a notification, or a request if it has an id. */
export interface Incoming {
  readonly method: string
  readonly id: unknown
  readonly params: Fields
}

/** Withdraws a request of the same peer, named by `requestId`. */
export const WITHDRAW = '$/cancel_request'

interface JsonRpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** An error that the peer reports. */
export class AcpError extends Error {
  constructor({ code, message }: Fields) {
    super(`The peer reported the error ${describeValue(code)}: ${textOf(message)}`)
    this.name = 'AcpError'
  }
}

/** Milliseconds for which what was sent may take to leave, before the connection is cut. */
const FLUSH_MS = 1000

/** Nothing is read while more messages wait: to be handled, or to be sent. */
const MAX_WAITING = 1024

export class Connection {
  readonly #reader: ReadableStreamDefaultReader<unknown>
  readonly #writer: WritableStreamDefaultWriter<unknown>
  readonly #open = new Map<unknown, { resolve(result: Fields): void; reject(error: unknown): void }>()
  readonly #handle: (incoming: Incoming) => void
  readonly #methods: readonly string[]
  readonly #inbox: Pick<Inbox<unknown>, 'room'>
  readonly #sending = new Set<Promise<void>>()
  readonly #onEnd: (error: unknown) => void
  readonly #stream: AcpStream
  #requests = 0
  #end: { readonly error: unknown } | undefined

  /**
   * @param handle - Called with what the peer sends by itself.
   * @param methods - What it may send. Other requests are refused.
   * @param inbox - Nothing is read while it is full.
   * @param onEnd - Called once when the connection ends, whoever ends it.
   */
  constructor(
    stream: AcpStream,
    handle: (incoming: Incoming) => void,
    methods: readonly string[],
    inbox: Pick<Inbox<unknown>, 'room'>,
    onEnd: (error: unknown) => void = () => {},
  ) {
    this.#stream = stream
    this.#writer = stream.writable.getWriter()
    this.#reader = stream.readable.getReader()
    this.#handle = handle
    this.#methods = methods
    this.#inbox = inbox
    this.#onEnd = onEnd
    void this.#read()
  }

  /**
   * Sends a request. Rejects with the error of the peer, or if the connection ends.
   *
   * @param signal - Aborting it withdraws the request, which then rejects.
   */
  request(method: string, params: object, signal?: AbortSignal): Promise<Fields> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(this.#end.error)
      const id = this.#requests++
      this.#open.set(id, { resolve, reject })
      this.#send({ id, method, params })
      if (signal === undefined) return
      onAbort(signal, () => {
        if (!this.#open.delete(id)) return
        this.notify(WITHDRAW, { requestId: id })
        reject(signal.reason)
      })
    })
  }

  notify(method: string, params: object): void {
    this.#send({ method, params })
  }

  respond(id: unknown, result: object): void {
    this.#send({ id, result })
  }

  /** Resolves once what waits to be sent is not too much. */
  async room(): Promise<void> {
    while (this.#sending.size > MAX_WAITING) await Promise.race(this.#sending)
  }

  refuse(id: unknown, { code, message, data }: JsonRpcError): void {
    this.#send({ id, error: { code, message, ...(data !== undefined && { data }) } })
  }

  /** Ends the connection, whatever the peer does: what was sent has a moment to leave. */
  async close(): Promise<void> {
    this.#fail(new Error('The connection is closed.'))
    this.#reader.cancel().catch(() => undefined)
    const closed = this.#writer.close().catch(() => undefined)
    await inTime(closed, FLUSH_MS)
    this.#writer.abort().catch(() => undefined)
    this.#stream.close?.()
  }

  #send(message: object): void {
    if (this.#end !== undefined) return
    const sent = this.#writer.write({ jsonrpc: '2.0', ...message })
    this.#sending.add(sent)
    sent
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#sending.delete(sent))
      .catch(() => undefined)
  }

  async #read(): Promise<void> {
    try {
      for (;;) {
        await this.#inbox.room(MAX_WAITING)
        await this.room()
        const { done, value } = await this.#reader.read()
        if (this.#end !== undefined) return
        if (done) break
        this.#take(fieldsOf(value))
      }
      this.#fail(new Error('The peer has ended the connection.'))
    } catch (error) {
      this.#fail(error)
    }
  }

  #take({ id, method, params, result, error }: Fields): void {
    if (typeof method === 'string') {
      if (this.#methods.includes(method)) this.#handle({ method, id, params: fieldsOf(params) })
      else if (id !== undefined) this.refuse(id, { code: -32601, message: 'Method not found' })
      return
    }
    const request = this.#open.get(id)
    this.#open.delete(id)
    if (!isFields(error)) request?.resolve(fieldsOf(result))
    else if (request !== undefined) request.reject(new AcpError(error))
    // Without an id, it is that of a message which the peer could not read; with one, of a request that was withdrawn.
    else if (typeof id !== 'number') this.#fail(new AcpError(error))
  }

  #fail(error: unknown): void {
    const isFirst = this.#end === undefined
    this.#end ??= { error }
    for (const { reject } of this.#open.values()) reject(error)
    this.#open.clear()
    if (isFirst) this.#onEnd(error)
  }
}
