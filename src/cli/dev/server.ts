/** A local server with the viewer, and the stream of another server under the same origin. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { isToLocal } from '../local/local-server.ts'
import { openTarget, type Target } from '../remote/target.ts'

/** Options of {@link devServer}. */
export interface DevOptions {
  /** The page. It connects to `stream`, beside it. */
  readonly page: string
  readonly target: Target
  /** The path of the page, which only the terminal shows: who knows it can send the request with its headers. */
  readonly secretPath: string
  /** Called with what happens, for people. */
  readonly onLog: (text: string) => void
}

/** Creates the server. */
export function devServer({ page, target, secretPath, onLog }: DevOptions): Server {
  return createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\?.*/s, '')
    if (!isToLocal(request)) response.writeHead(403).end('Expected a local host name.\n')
    else if (!isOfOwnPage(request)) response.writeHead(403).end('Expected no other website.\n')
    else if (request.method !== 'GET') response.writeHead(405, { allow: 'GET' }).end()
    else if (path === `${secretPath}/`) response.writeHead(200, pageHeaders).end(page)
    else if (path === `${secretPath}/stream`) void relay(request, response, target, onLog)
    else response.writeHead(404).end('Expected the address that the terminal shows.\n')
  })
}

/** Whether a request is of the page, or of no page at all. */
function isOfOwnPage({ headers }: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site = 'none' } = headers
  return (origin ?? `http://${host}`) === `http://${host}` && (site === 'none' || site === 'same-origin')
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

/** Answers with what the other server answers, as it comes. */
async function relay(
  { headers }: IncomingMessage,
  response: ServerResponse,
  target: Target,
  onLog: (text: string) => void,
): Promise<void> {
  const controller = new AbortController()
  response.on('close', () => controller.abort())
  const lastEventId = headers['last-event-id'] as string | undefined
  if (lastEventId !== undefined && !target.isRepeatable) {
    response.writeHead(409).end('The request has a body: sending it again would start another run.\n')
    return
  }
  try {
    const answer = await openTarget(target, { signal: controller.signal, lastEventId })
    onLog(lastEventId === undefined ? 'Connected.' : `Connected after id ${lastEventId}.`)
    const type = answer.headers.get('content-type')
    response.writeHead(200, { 'cache-control': 'no-store', ...(type !== null && { 'content-type': type }) })
    response.flushHeaders()
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), response)
    onLog('The stream has ended.')
  } catch (error) {
    if (controller.signal.aborted) return
    const { message } = error as Error
    onLog(response.headersSent ? `The connection was lost: ${message}.` : message)
    // The page is to see that the connection was lost.
    if (response.headersSent) response.destroy()
    else response.writeHead(502, { 'content-type': 'text/plain' }).end(`${message}\n`)
  }
}
