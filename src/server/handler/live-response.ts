/** Responses that may stay open. */

import type { Sender } from '../../commands/ledger/types.ts'
import { type Conversations, Refusal } from './conversations.ts'
import type { HandlerSettings, Protocol, ProtocolRequest } from './options.ts'
import { problem } from './problem.ts'
import { senderOf } from './read-request.ts'
import { bodyUntil, watchSignIn } from './watched.ts'

/** The response of another protocol. */
export function byProtocol(
  protocol: Protocol,
  given: Pick<ProtocolRequest, 'request' | 'path' | 'body' | 'sender'>,
  settings: HandlerSettings,
  conversations: Conversations,
): Promise<Response> {
  const { request, sender } = given
  const respond = (signal: AbortSignal): Promise<Response> =>
    protocol({
      ...given,
      signal,
      async open(contextId, { create }) {
        const found = await conversations.open(sender, contextId, create)
        // What is not there is answered by each protocol in its own way, what is not allowed by the handler.
        if (found instanceof Refusal && found.status === 403) throw found
        return found instanceof Refusal ? undefined : found
      },
      async submit(stream, command) {
        const refusal = conversations.refusalOf(sender, command)
        return refusal === undefined ? { receipt: await stream.submit(command, sender) } : { refusal }
      },
    })
  return whileOpen(request, sender, settings, conversations, respond, settings.onError)
}

/**
 * A response that may stay open: it counts as a stream of its reader, and ends when the reader leaves or signs out.
 *
 * @param onError - Called with the error that its body fails with. Omitted: somebody else reports it.
 */
export async function whileOpen(
  request: Request,
  sender: Sender,
  settings: HandlerSettings,
  conversations: Conversations,
  respond: (signal: AbortSignal) => Promise<Response>,
  onError?: (error: unknown) => void,
): Promise<Response> {
  const leave = conversations.enter(sender)
  if (leave === undefined) return problem(429, 'There are too many open streams.')
  const [end, cut] = [new AbortController(), new AbortController()]
  const isSignedIn = async (): Promise<boolean> => {
    const now = await senderOf(request, settings)
    return now?.role === sender.role && now.id === sender.id
  }
  const over = watchSignIn({ isSignedIn, everyMs: settings.signedOutAfterMs, end, cut, onOver: leave })
  try {
    const response = await respond(AbortSignal.any([request.signal, end.signal]))
    const { status, headers, body } = response
    if (cut.signal.aborted && body !== null && !isEventStream(headers)) {
      over()
      return problem(401, 'The user has signed out.')
    }
    if (body === null || !isEventStream(headers)) {
      over()
      return response
    }
    return new Response(bodyUntil(body, over, onError && cut.signal, onError), { status, headers })
  } catch (error) {
    over()
    throw error
  }
}

function isEventStream(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}
