/** Connecting to a live stream. */

/** A stream that answered, with a body. */
export interface LiveStream {
  readonly url: string
  readonly response: Response
  /** Connects again, to continue after a message. */
  readonly connect: (lastEventId: string | undefined) => Promise<Response>
}

/**
 * Connects to a stream.
 *
 * @param authorization - The value of that header. Empty: it is not sent.
 * @throws Error if the server cannot be reached, or answers with something else.
 */
export async function connectLive(
  url: string,
  authorization: string,
  signal: AbortSignal,
): Promise<LiveStream> {
  const connect = (lastEventId: string | undefined): Promise<Response> =>
    fetch(url, {
      signal,
      headers: {
        accept: 'text/event-stream, application/x-ndjson, application/json',
        ...(authorization !== '' && { authorization }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    })
  const response = await connect(undefined)
  const { ok, status, body, headers } = response
  const type = headers.get('content-type') ?? ''
  if (ok && body !== null && !type.startsWith('text/html')) return { url, response, connect }
  void body?.cancel()
  if (!ok || body === null) throw new Error(unexpectedStatus(status))
  throw new Error(`Expected an event stream or JSON, got ${type}.`)
}

/** The message for a status without a stream. */
export function unexpectedStatus(status: number): string {
  return `Expected status 200, got ${status}.`
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
