import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { encodeComment } from 'agentwire/sse'
import {
  applyBackpressure,
  type BackpressurePolicy,
  compact,
  decideBackpressure,
  encodeBatch,
  follow,
} from 'agentwire/streams'
import type { Stream } from './stream.ts'

export interface ServeOptions {
  readonly heartbeatMs?: number
  readonly policy?: BackpressurePolicy
}

/** Serves a stream over SSE: each client resumes after its last event and then gets new events. */
export function serveStream({ log, filter, withSnapshot }: Stream, options: ServeOptions = {}): Server {
  const { heartbeatMs = 15_000, policy = { dropAt: 5_000 } } = options

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    response.on('close', () => controller.abort())
    const cursor = String(request.headers['last-event-id'] ?? '')

    let heartbeat: NodeJS.Timeout | undefined
    try {
      for await (const part of follow(log, cursor, { filter, signal, onReset: withSnapshot })) {
        if (!response.headersSent) {
          // Nothing left to send: 204 stops an EventSource from reconnecting.
          if (part.type === 'batch' && part.closed === true && part.through === part.after) {
            response.writeHead(204).end()
            return
          }
          response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
          heartbeat = setInterval(() => response.write(encodeComment()), heartbeatMs)
        }
        const reduced =
          part.type === 'batch'
            ? applyBackpressure(part, decideBackpressure(part.through - part.after, policy), compact)
            : part
        if (response.write(encodeBatch(reduced))) continue
        // Wait for a slow client: its events stay in the log, and its next batch is larger.
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
