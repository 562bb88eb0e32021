/** A handler as a listener of the servers of Node. */

import { requireFunction } from '../../core/require.ts'

/** A request of `node:http`, `node:http2`, Express, or of Fastify as `request.raw`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly readableEnded: boolean
  readonly socket?: object | null | undefined
}

/** A response of the same. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly writableFinished: boolean
  writeHead(status: number, headers: Record<string, string | string[]>): unknown
  flushHeaders?(): void
  write(bytes: Uint8Array): boolean
  end(): unknown
  destroy(): unknown
  once(event: 'close' | 'drain', listener: () => void): unknown
  off(event: 'close' | 'drain', listener: () => void): unknown
}

/** Headers of one connection: HTTP/2 refuses them. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade'])

/**
 * Makes a handler a listener of `node:http`, `node:http2` and Express. A body that a parser has read before, as `express.json()` does,
 * is taken from `request.body`; the path is the whole one, wherever `app.use` has mounted it. The signal of the request is aborted
 * when the client leaves.
 *
 * In Fastify, hand over what it has parsed: `reply.hijack()`, then
 * `listener(Object.assign(request.raw, { body: request.body }), reply.raw)`.
 *
 * @throws TypeError if `handler` is not a function.
 *
 * @example
 * ```ts
 * createServer(toNodeListener(agentHandler({ store, user, agent }))).listen(3000)
 * ```
 */
export function toNodeListener(
  handler: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  requireFunction('handler', handler)
  return async (request, response) => {
    const left = new AbortController()
    response.once('close', () => left.abort())
    let status = 400
    try {
      const given = requestOf(request, left.signal)
      status = 500
      await send(await handler(given), response, left.signal)
    } catch {
      if (left.signal.aborted || response.headersSent) response.destroy()
      else {
        response.writeHead(status, {})
        response.end()
      }
    }
  }
}

function requestOf(given: NodeRequest, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', socket } = given
  const { originalUrl = url, body } = given as { originalUrl?: string; body?: unknown }
  const wasRead = body !== undefined || given.readableEnded
  const headers = new Headers()
  for (const [name, value] of Object.entries(given.headers)) {
    // HTTP/2 has pseudo-headers; a body that is written anew has another length.
    if (value === undefined || name.startsWith(':') || (wasRead && name === 'content-length')) continue
    for (const each of typeof value === 'string' ? [value] : value) headers.append(name, each)
  }
  const authority = given.headers[':authority'] ?? given.headers.host ?? 'localhost'
  const host = String(authority)
  if (!headers.has('host')) headers.set('host', host)
  const scheme = socket && 'encrypted' in socket && socket.encrypted ? 'https' : 'http'
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(originalUrl, `${scheme}://${host}`), {
    ...{ method, headers, signal },
    ...(hasBody && (wasRead ? { body: textOf(body) } : { body: streamOf(given), duplex: 'half' })),
  } as RequestInit)
}

/** What a parser has made of a body, as text again. */
function textOf(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  return JSON.stringify(body ?? null)
}

/** The body as it comes: no more is read than the handler takes. */
function streamOf(given: NodeRequest): ReadableStream<Uint8Array> {
  const chunks = given[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(new Uint8Array(value))
      },
    },
    { highWaterMark: 0 },
  )
}

/** Writes a response at the pace of its client. */
async function send(
  { status, headers, body }: Response,
  response: NodeResponse,
  left: AbortSignal,
): Promise<void> {
  const fields: Record<string, string | string[]> = {}
  for (const [name, value] of headers) if (!ofConnection.has(name)) fields[name] = value
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) fields['set-cookie'] = cookies
  response.writeHead(status, fields)
  response.flushHeaders?.()
  const reader = body?.getReader()
  left.addEventListener('abort', () => void reader?.cancel().catch(() => undefined))
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done || left.aborted) break
    if (value !== undefined && !response.write(value)) await drained(response)
  }
  response.end()
}

/** Resolves when more can be written, or the client has left. */
function drained(response: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go)
      response.off('close', go)
      resolve()
    }
    response.once('drain', go)
    response.once('close', go)
  })
}
