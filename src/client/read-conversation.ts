/** Reading a conversation for as long as somebody looks at it. */

import { changeOf, type Waiting } from '../core/waiting.ts'
import { ResponseError } from '../event-stream/response-error.ts'
import { parsedJson } from '../json/parsed.ts'
import { watchStreamWith } from '../streams/watch/watch-stream.ts'
import { isFields } from '../validation/predicates.ts'
import type { Change, Conversation } from './conversation.ts'
import type { ClientSettings } from './options.ts'

/** How long it waits before it looks again for a conversation, or for a user who is signed in. */
const LOOK_AGAIN_MS = 30_000

/**
 * Reads until the signal is aborted.
 *
 * @param waiting - Whom to wake when a new connection may succeed, such as after a command.
 */
export async function readConversation(
  conversation: Conversation,
  settings: ClientSettings,
  waiting: Waiting,
  change: (change: Change) => void,
  signal: AbortSignal,
): Promise<void> {
  const { url, fetch, features } = settings
  const connect = async (lastEventId: string | undefined, signal: AbortSignal): Promise<Response> => {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    // Browsers send one of two equal requests: the other would wait until the first has ended.
    const response = await fetch(url, { headers, signal, cache: 'no-store' })
    if (response.status === 200) change({ type: 'connection', connection: 'open' })
    return response
  }
  const sleep = (ms: number, stop: AbortSignal): Promise<boolean> => changeOf(waiting, ms, stop, true)
  const onDiagnostic = ({ code }: { readonly code: string }): void => {
    if (code === 'disconnected') change({ type: 'connection', connection: 'reconnecting' })
  }
  while (!signal.aborted) {
    const { view, cursor } = conversation.saved
    // What has ended is looked at again once the user does something.
    let lookAgainMs = Infinity
    try {
      const options = { view, cursor, signal, sleep, onDiagnostic, ...features }
      for await (const item of watchStreamWith(connect, options)) change({ type: 'received', ...item })
      if (!signal.aborted) change({ type: 'connection', connection: 'ended' })
    } catch (error) {
      if (signal.aborted) return
      const { status, excerpt = '' } = error instanceof ResponseError ? error : {}
      // That of a proxy in between states nothing about the conversation.
      const stream = status === 404 ? streamIn(excerpt) : undefined
      if (stream !== undefined) change({ type: 'missing', stream })
      if (status === 404) change({ type: 'connection', connection: 'idle' })
      else if (status === 401) change({ type: 'connection', connection: 'signed-out' })
      else change({ type: 'connection', connection: 'ended', error })
      if (status === 404 || status === 401) lookAgainMs = LOOK_AGAIN_MS
    }
    await changeOf(waiting, lookAgainMs, signal, true)
    if (!signal.aborted) change({ type: 'connection', connection: 'connecting' })
  }
}

/** The name of the stream that a handler does not have. */
function streamIn(body: string): string | undefined {
  const problem = parsedJson(body)
  return isFields(problem) && typeof problem.stream === 'string' ? problem.stream : undefined
}
