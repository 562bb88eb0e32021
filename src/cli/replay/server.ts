/** A local server that sends a recording as Server-Sent Events. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { eventStreamHeaders } from '../../sse/headers.ts'
import type { Replay } from './messages.ts'

/** Options of {@link replayServer}. */
export interface ReplayOptions {
  /** How many times as fast as recorded; `Infinity` without waiting. */
  readonly speed: number
  /** How many messages a connection sends before it is dropped. Omitted: connections are not dropped. */
  readonly dropAfter?: number
  /** Called with what happens, for people. */
  readonly onLog: (text: string) => void
}

/** How soon a client reconnects, in milliseconds. */
const RETRY_MS = 300

/** The longest that a timer waits. */
const MAX_WAIT_MS = 2 ** 31 - 1

/** The names by which this machine is reached. Another one is a website that was pointed at it. */
const LOCAL = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

/**
 * Creates the server: any path is the stream, which resumes after `Last-Event-ID` or the query `lastEventId`, and is
 * answered with 204 after its end. Pages of this machine may read it, other websites may not.
 */
export function replayServer(replay: Replay, options: ReplayOptions): Server {
  let connections = 0
  return createServer((request, response) => {
    if (!LOCAL.test(request.headers.host ?? '')) {
      response.writeHead(403).end('Expected a local host name.\n')
      return
    }
    allowLocalPages(request, response)
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { 'access-control-allow-headers': 'last-event-id, cache-control' }).end()
      return
    }
    if (request.method !== 'GET' && request.method !== 'POST') {
      response.writeHead(405, { allow: 'GET, POST' }).end()
      return
    }
    send(replay, startOf(replay, request), response, ++connections, options)
  })
}

function allowLocalPages({ headers }: IncomingMessage, response: ServerResponse): void {
  const { origin } = headers
  response.setHeader('vary', 'origin')
  const isLocal = origin === 'null' || LOCAL.test((origin ?? '').replace(/^https?:\/\//, ''))
  if (origin !== undefined && isLocal) response.setHeader('access-control-allow-origin', origin)
}

/** The position of the first message: after the last one that the client has. */
function startOf({ messages }: Replay, { headers, url = '/' }: IncomingMessage): number {
  const header = headers['last-event-id']
  const last =
    typeof header === 'string' ? header : new URL(url, 'http://127.0.0.1').searchParams.get('lastEventId')
  if (last === null || last === '') return 0
  return messages.findIndex(({ id }) => id === last) + 1
}

function send(
  { messages, end }: Replay,
  start: number,
  response: ServerResponse,
  connection: number,
  { speed, dropAfter = Number.POSITIVE_INFINITY, onLog }: ReplayOptions,
): void {
  if (start >= messages.length) {
    onLog(`Connection ${connection}: all messages are sent, answered with 204.`)
    response.writeHead(204).end()
    return
  }
  const after = start === 0 ? 'from the start' : `after id ${messages[start - 1]?.id}`
  onLog(`Connection ${connection}: ${after}.`)
  response.writeHead(200, eventStreamHeaders)
  response.write(`retry: ${RETRY_MS}\n\n`)
  const origin = Date.now()
  const offset = messages[start]?.atMs ?? 0
  let at = start
  let timer: ReturnType<typeof setTimeout> | undefined
  response.on('close', () => clearTimeout(timer))
  next()

  function next(): void {
    while (at < messages.length) {
      if (response.destroyed) return
      if (at - start >= dropAfter) {
        onLog(`Connection ${connection}: dropped after ${at - start} messages.`)
        // What was written has to arrive: only the end of the answer is missing.
        response.write('', () => response.destroy())
        return
      }
      const message = messages[at]
      const wait =
        speed === Number.POSITIVE_INFINITY
          ? 0
          : ((message?.atMs ?? 0) - offset) / speed - (Date.now() - origin)
      if (wait >= 1) {
        timer = setTimeout(next, Math.min(wait, MAX_WAIT_MS))
        return
      }
      at++
      if (!response.write(message?.text ?? '')) {
        response.once('drain', next)
        return
      }
    }
    onLog(`Connection ${connection}: sent to the end.`)
    response.end(end)
  }
}
