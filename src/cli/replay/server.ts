/** A local server that sends a recording as Server-Sent Events. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { eventStreamHeaders } from '../../sse/headers.ts'
import { isLocal, isToLocal } from '../local/local-server.ts'
import type { Replay } from './messages.ts'

/** Options of {@link replayServer}. */
export interface ReplayOptions {
  /** The path that pages without an origin, such as files, have to know, such as `/1f0c…`. */
  readonly secretPath: string
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

const METHODS = 'GET, HEAD, POST'

/** What pages may send: all that a chat client adds, for an hour. */
const preflightHeaders = {
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': 'last-event-id, cache-control, content-type, authorization, user-agent',
  'access-control-max-age': '3600',
}

/**
 * Creates the server: any path is the stream, which resumes after `Last-Event-ID` or the query `lastEventId`, and is
 * answered with 204 after its end; an unknown id begins at the start. Pages that this machine serves may read it, and
 * with the secret path those opened from files; other websites may not.
 */
export function replayServer(replay: Replay, options: ReplayOptions): Server {
  let connections = 0
  return createServer((request, response) => {
    if (!isToLocal(request)) {
      response.writeHead(403).end('Expected a local host name.\n')
      return
    }
    allowLocalPages(request, response, options.secretPath)
    if (request.method === 'OPTIONS') {
      response.writeHead(204, preflightHeaders).end()
      return
    }
    if (request.method === 'HEAD') {
      response.writeHead(200, eventStreamHeaders).end()
      return
    }
    if (request.method !== 'GET' && request.method !== 'POST') {
      response.writeHead(405, { allow: METHODS }).end()
      return
    }
    send(replay, startOf(replay, request), response, ++connections, options)
  })
}

/**
 * A page from a file has the origin `null`, and so has a sandboxed frame of any website: it has to know the secret path,
 * which only the terminal shows.
 */
function allowLocalPages(
  { headers, url = '/' }: IncomingMessage,
  response: ServerResponse,
  secretPath: string,
): void {
  const { origin } = headers
  response.setHeader('vary', 'origin')
  const isAllowed =
    origin === 'null'
      ? url.replace(/\?.*/s, '') === secretPath
      : isLocal((origin ?? '').replace(/^https?:\/\//, ''))
  if (origin !== undefined && isAllowed) response.setHeader('access-control-allow-origin', origin)
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
