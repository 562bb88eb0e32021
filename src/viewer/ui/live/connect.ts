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
  const connect = async (lastEventId: string | undefined): Promise<Response> => {
    const own = {
      ...(authorization !== '' && { authorization }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    }
    const accept = 'text/event-stream, application/x-ndjson, application/json'
    // It throws for a URL or a header that is no valid one.
    const request = new Request(url, { signal, headers: { accept, ...own } })
    try {
      return await fetch(request)
    } catch (error) {
      throw error instanceof TypeError ? new Error(noAnswer(messageOf(error), Object.keys(own))) : error
    }
  }
  const response = await connect(undefined)
  const { ok, status, body, headers } = response
  const type = headers.get('content-type') ?? ''
  if (ok && body !== null && !type.startsWith('text/html')) return { url, response, connect }
  void body?.cancel()
  if (!ok || body === null) throw new Error(unexpectedStatus(status))
  throw new Error(`Expected an event stream or JSON, got ${type}.`)
}

/**
 * The message for a request without an answer. Browsers do not state whether there is none, or the page may not read it.
 *
 * @param headers - The headers of the request that need the consent of the server.
 */
function noAnswer(reason: string, headers: readonly string[]): string {
  const origin = globalThis.origin ?? 'null'
  const allow = [
    `Access-Control-Allow-Origin: ${origin} or *`,
    ...(headers.length > 0
      ? [`Access-Control-Allow-Headers: ${headers.join(', ')} to OPTIONS requests`]
      : []),
  ]
  return `The server cannot be reached, or does not allow this page by CORS (${reason.replace(/\.$/, '')}). Check that it runs, and that it sends ${allow.join(' and ')}.`
}

/** The message for a status without a stream. */
export function unexpectedStatus(status: number): string {
  return `Expected status 200, got ${status}.`
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
