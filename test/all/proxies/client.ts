/** A client of event streams over HTTP/1.1 or HTTP/2, with or without compression. */
import { once } from 'node:events'
import { type ClientHttp2Session, connect } from 'node:http2'
import { request } from 'node:https'
import type { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { iterate } from 'turnstream'
import { type SseMessage, sseDecoder } from 'turnstream/sse'
import type { RunningProxy } from './proxies.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** The next message; `undefined` at the end, also if the connection breaks. Rejects after ten seconds. */
  next(): Promise<SseMessage | undefined>
  close(): void
}

const PATH = '/streams/ctx-1'

/** Sends requests to a proxy. */
export interface Client {
  ask(options?: { method?: string; headers?: Readonly<Record<string, string>> }): Promise<Answer>
  close(): void
}

/** Each request has its own connection. */
export function http1(proxy: RunningProxy): Client {
  return {
    async ask({ method = 'GET', headers = {} } = {}) {
      const sent = request(`${proxy.url}${PATH}`, {
        method,
        headers,
        ca: proxy.certificate,
        agent: false,
      }).end()
      const [response] = await within(once(sent, 'response'), `the response to ${method}`)
      return answer(response.statusCode, response.headers, response, () => sent.destroy())
    },
    close: () => {},
  }
}

/** All requests share one connection. */
export function http2(proxy: RunningProxy): Client {
  const session: ClientHttp2Session = connect(proxy.url, { ca: proxy.certificate })
  session.on('error', () => {})
  return {
    async ask({ method = 'GET', headers = {} } = {}) {
      const sent = session.request({ ':path': PATH, ':method': method, ...headers }, { endStream: true })
      const [received] = await within(once(sent, 'response'), `the response to ${method}`)
      return answer(received[':status'], received, sent, () => sent.close())
    },
    close: () => session.destroy(),
  }
}

function answer(status: number, headers: Answer['headers'], body: Readable, close: () => void): Answer {
  const isGzip = headers['content-encoding'] === 'gzip'
  const plain = isGzip ? body.pipe(createGunzip({ flush: constants.Z_SYNC_FLUSH })) : body
  if (isGzip) body.on('error', () => plain.destroy())
  // A connection that breaks is an end here.
  const messages = iterate(sseDecoder(), plain as AsyncIterable<Uint8Array>)
  return {
    status,
    headers,
    async next() {
      const result = await within(
        messages.next().catch(() => undefined),
        'the next message',
      )
      return result?.done === false ? result.value : undefined
    },
    close() {
      close()
      body.destroy()
    },
  }
}

/** Rejects if a promise takes ten seconds. */
export async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come in ten seconds`)), 10_000)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
