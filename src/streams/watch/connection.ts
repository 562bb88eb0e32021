/** What `connect` returns, and what its HTTP status means. */
import { mismatch } from '../../core/require.ts'
import { type OpenSource, openSource, requireSource, type Source } from '../../core/source.ts'
import { bodyOf, isResponse } from '../../event-stream/response-error.ts'
import { retryAfter } from './backoff.ts'
import type { Disconnect } from './disconnect.ts'

/** A connection to a server: a response, or the text or bytes of its body in chunks of any size. */
export type Connection = Response | Source<string | Uint8Array>

/** Statuses other than 5xx after which a later request may succeed. */
const TRANSIENT: readonly number[] = [408, 425, 429]

/** What is done with a connection: read it, reconnect, or end. */
export type Opened =
  | { readonly type: 'open'; readonly source: OpenSource<string | Uint8Array> }
  | { readonly type: 'retry'; readonly disconnect: Disconnect }
  | { readonly type: 'end' }

/**
 * Opens a connection. Reading one with a status that does not change throws a `ResponseError`.
 *
 * @throws TypeError if it is not a connection.
 */
export function openConnection(connection: unknown, now: () => number): Opened {
  if (isResponse(connection)) {
    const { status, headers } = connection
    // Nothing more comes: https://html.spec.whatwg.org/multipage/server-sent-events.html#processing-model
    if (status === 204) {
      discard(connection)
      return { type: 'end' }
    }
    if (status >= 500 || TRANSIENT.includes(status)) {
      const retryAfterMs = retryAfter(headers.get('retry-after'), now)
      discard(connection)
      return { type: 'retry', disconnect: { reason: 'status', status, retryAfterMs } }
    }
    return { type: 'open', source: openSource(bodyOf(connection)) }
  }
  requireConnection(connection)
  return { type: 'open', source: openSource(connection) }
}

/** Closes a connection that is not read. Never throws. */
export function discard(connection: unknown): void {
  try {
    const body = isResponse(connection) ? connection.body : connection
    requireConnection(body)
    void openSource(body).cancel(undefined)
  } catch {
    // It has no body, is no connection, or is read by somebody else.
  }
}

function requireConnection(value: unknown): asserts value is Source<string | Uint8Array> {
  try {
    requireSource(value)
  } catch {
    throw mismatch('connect()', 'a Response, a ReadableStream or an async iterable', value)
  }
}
