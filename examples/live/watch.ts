/** Sends a log to one client as it grows: from the client's last event to the end. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { encodeComment } from 'agentwire/sse'
import {
  applyBackpressure,
  compact,
  decideBackpressure,
  type EventLog,
  emptyView,
  encodeBatch,
  foldEvent,
  follow,
  type ReadFilter,
  type Reset,
} from 'agentwire/streams'
import { eventStreamHeaders } from '../event-stream.ts'

export interface WatchOptions {
  /** Which events the client may see. */
  readonly filter: ReadFilter
  /** Milliseconds between two heartbeats, so that proxies do not close an idle connection. */
  readonly heartbeat: number
}

/** How soon an `EventSource` reconnects after the connection breaks. */
const RETRY = 'retry: 500\n\n'

/**
 * Resolves when the stream has ended or the client has disconnected. A client that already has all events of a
 * closed stream gets status 204: an `EventSource` stops then, and would reconnect forever otherwise.
 */
export async function watch(
  log: EventLog,
  request: IncomingMessage,
  response: ServerResponse,
  { filter, heartbeat }: WatchOptions,
): Promise<void> {
  const { signal } = abortedBy(response)
  const onReset = (reset: Reset): Promise<Reset> => withSnapshot(reset, log, filter, signal)
  let beat: NodeJS.Timeout | undefined
  try {
    for await (const part of follow(log, lastEventId(request), { filter, signal, onReset })) {
      if (beat === undefined) {
        if (part.type === 'batch' && part.closed && part.after === part.through) {
          response.writeHead(204).end()
          return
        }
        response.writeHead(200, eventStreamHeaders).write(RETRY)
        beat = setInterval(() => response.write(encodeComment()), heartbeat)
      }
      // A client that is behind gets merged deltas; one that is far behind gets no thoughts.
      const reduced =
        part.type === 'batch'
          ? applyBackpressure(part, decideBackpressure(part.through - part.after), compact)
          : part
      if (!response.write(encodeBatch(reduced))) await once(response, 'drain', { signal })
    }
    response.end()
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    clearInterval(beat)
  }
}

function abortedBy(response: ServerResponse): AbortController {
  const controller = new AbortController()
  response.on('close', () => controller.abort())
  return controller
}

function lastEventId({ headers }: IncomingMessage): string | undefined {
  const header = headers['last-event-id']
  return Array.isArray(header) ? header[0] : header
}

/**
 * Adds the view the client would have by now, folded from events it may see. Folding the whole log is fine for
 * short logs; for others, keep such a view beside the log, because the first events are evicted some day.
 */
async function withSnapshot(
  reset: Reset,
  log: EventLog,
  filter: ReadFilter,
  signal: AbortSignal,
): Promise<Reset> {
  let snapshot = emptyView
  for await (const part of follow(log, undefined, { filter, signal })) {
    if (part.type === 'reset') break
    snapshot = part.events.reduce(foldEvent, snapshot)
    if (part.through >= reset.through) return { ...reset, through: part.through, snapshot }
  }
  return reset
}
