/** A log, sent to one client as it grows: from where the client says it stands to the end. */
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
  /** Milliseconds between two signs of life, so that nothing on the way takes the connection for dead. */
  readonly heartbeat: number
}

/** How soon an `EventSource` comes back when the connection breaks. */
const RETRY = 'retry: 500\n\n'

/**
 * Resolves when the stream has ended or the client has gone. A client that has everything of a stream
 * that has ended is told so by status 204: an `EventSource` gives up then, and would come back for ever
 * otherwise.
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
      // Who is far behind gets fewer and larger events, and in the end no thoughts.
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
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  return gone
}

function lastEventId({ headers }: IncomingMessage): string | undefined {
  const header = headers['last-event-id']
  return Array.isArray(header) ? header[0] : header
}

/**
 * What the client would have folded by now, from what it may see only. These logs are short: others
 * would keep such a view beside the log, or the events before it are evicted some day.
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
