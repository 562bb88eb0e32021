/** Connecting to a live stream. */
import { excerptOf, messageOf, responseFault, STREAM_TYPES } from '../../../live/index.ts'

/** A stream that answered, with a body. */
export interface LiveStream {
  /** What it is called: its URL, unless it is read through another one. */
  readonly name: string
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
  name: string = url,
): Promise<LiveStream> {
  const connect = async (lastEventId: string | undefined): Promise<Response> => {
    const own = {
      ...(authorization !== '' && { authorization }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    }
    // It throws for a URL or a header that is no valid one.
    const request = new Request(url, { signal, headers: { accept: STREAM_TYPES, ...own } })
    try {
      return await fetch(request)
    } catch (error) {
      throw error instanceof TypeError ? new Error(noAnswer(messageOf(error), Object.keys(own))) : error
    }
  }
  const response = await connect(undefined)
  const fault = responseFault(response)
  if (fault === undefined) return { name, response, connect }
  throw new Error(fault + (await excerptOf(response)))
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
