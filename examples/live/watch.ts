/** Sends a log to one client: from the client's cursor to the end, live. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { encodeComment } from 'agentwire/sse'
import {
  applyBackpressure,
  compact,
  cursorAfter,
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
  /** What the client may see. */
  readonly view: ReadFilter
  /** Milliseconds between two comments, so that proxies keep the idle connection open. */
  readonly heartbeat: number
}

/** After how many milliseconds an `EventSource` reconnects. */
const RETRY = 'retry: 500\n\n'

/**
 * Resolves when the stream has ended or the client has disconnected. A client that has received all of a closed
 * stream gets status 204, on which an `EventSource` stops; otherwise it would reconnect forever.
 */
export async function watch(
  log: EventLog,
  request: IncomingMessage,
  response: ServerResponse,
  { view, heartbeat }: WatchOptions,
): Promise<void> {
  const { signal } = abortedBy(response)
  const onReset = (reset: Reset): Promise<Reset> => withSnapshot(reset, log, view)
  let beat: NodeJS.Timeout | undefined
  try {
    for await (const part of follow(log, lastEventId(request), { filter: view, signal, onReset })) {
      if (beat === undefined) {
        if (part.type === 'batch' && part.closed && part.after === part.through) {
          response.writeHead(204).end()
          return
        }
        response.writeHead(200, eventStreamHeaders).write(RETRY)
        beat = setInterval(() => response.write(encodeComment()), heartbeat)
      }
      // A client that is far behind gets fewer and larger events, and finally no thoughts.
      const paced =
        part.type === 'batch'
          ? applyBackpressure(part, decideBackpressure(part.through - part.after), compact)
          : part
      if (!response.write(encodeBatch(paced))) await once(response, 'drain', { signal })
    }
    response.end()
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    clearInterval(beat)
  }
}

function abortedBy(response: ServerResponse): AbortController {
  const disconnected = new AbortController()
  response.on('close', () => disconnected.abort())
  return disconnected
}

function lastEventId({ headers }: IncomingMessage): string | undefined {
  const header = headers['last-event-id']
  return Array.isArray(header) ? header[0] : header
}

/**
 * Adds the view that the client would have by now, folded from what it may see. These logs are short; a long-running
 * server maintains this view while it appends, because old events are evicted.
 */
async function withSnapshot(reset: Reset, log: EventLog, view: ReadFilter): Promise<Reset> {
  let snapshot = emptyView
  let part = await log.read(undefined, { filter: view })
  while (part.type === 'batch') {
    snapshot = part.events.reduce(foldEvent, snapshot)
    if (part.through >= reset.through) return { ...reset, through: part.through, snapshot }
    part = await log.read(cursorAfter(part), { filter: view })
  }
  return reset
}
