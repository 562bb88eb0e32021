import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { encodeComment } from 'agentwire/sse'
import {
  applyBackpressure,
  compact,
  decideBackpressure,
  encodeBatch,
  type FlowPolicy,
  follow,
} from 'agentwire/streams'
import type { Stream } from './stream.ts'

export interface ServeOptions {
  readonly heartbeatMs?: number
  readonly policy?: FlowPolicy
}

/** Serves a stream over SSE: to each client from its cursor, then live. */
export function serveStream({ log, view, withSnapshot }: Stream, options: ServeOptions = {}): Server {
  const { heartbeatMs = 15_000, policy = { dropAt: 5_000 } } = options

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const disconnected = new AbortController()
    const { signal } = disconnected
    response.on('close', () => disconnected.abort())
    const cursor = String(request.headers['last-event-id'] ?? '')

    let heartbeat: NodeJS.Timeout | undefined
    try {
      for await (const part of follow(log, cursor, { filter: view, signal, onReset: withSnapshot })) {
        if (!response.headersSent) {
          // 204 stops an EventSource that has received all of a closed stream.
          if (part.type === 'batch' && part.closed === true && part.through === part.after) {
            response.writeHead(204).end()
            return
          }
          response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
          heartbeat = setInterval(() => response.write(encodeComment()), heartbeatMs)
        }
        const paced =
          part.type === 'batch'
            ? applyBackpressure(part, decideBackpressure(part.through - part.after, policy), compact)
            : part
        if (response.write(encodeBatch(paced))) continue
        // Events for a slow client stay in the log; its next batch is larger.
        await once(response, 'drain', { signal }).catch(() => undefined)
      }
      response.end()
    } finally {
      clearInterval(heartbeat)
    }
  }

  return createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
}
