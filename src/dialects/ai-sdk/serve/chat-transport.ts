/** The transport of a page that uses `useChat`. */

import { mismatch, requireFunction, requireOnly, requireText } from '../../../core/require.ts'
import { changeOf } from '../../../core/waiting.ts'
import { parsedJson } from '../../../json/parsed.ts'
import { textIn } from '../../../validation/read-fields.ts'
import { waitingIn, withWaiting } from './waiting-task.ts'

/** What sends requests, as the transports of the AI SDK call it. */
export type SendRequest = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Options of {@link chatTransport}. All but `fetch` are those of the class. */
export interface ChatTransportOptions {
  /** Sends the requests. @defaultValue `fetch` */
  readonly fetch?: SendRequest
  /** Headers, or a function that returns them: such as those that sign in. */
  readonly headers?: unknown
  /** The credentials mode, or a function that returns it. Omitted: `same-origin`. */
  readonly credentials?: unknown
  /** Further fields of each body, or a function that returns them. */
  readonly body?: unknown
}

/**
 * Creates the transport of `useChat` for a path that {@link aiSdk} serves, from the class of the AI SDK.
 *
 * It resumes with the page still able to answer: a resume that waits for an answer ends when the page gives one itself, and is sent
 * again if a proxy or the network ends it. Nothing is taken from the cache, so that two tabs do not wait for each other.
 *
 * @param Transport - `DefaultChatTransport` of `ai`, or a subclass.
 * @param url - The path, such as `/agent/chat`.
 * @throws TypeError if an argument is invalid.
 *
 * @example
 * ```ts
 * const { messages, sendMessage, resumeStream } = useChat({
 *   id: 'main',
 *   messages: await (await fetch('/agent/chat/main')).json(),
 *   transport: chatTransport(DefaultChatTransport, '/agent/chat'),
 *   resume: true,
 *   sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
 *   onFinish: ({ isAbort, isError, isDisconnect }) => {
 *     if (!isAbort && (!isError || isDisconnect)) setTimeout(resumeStream)
 *   },
 * })
 * ```
 */
export function chatTransport<Transport>(
  // biome-ignore lint/suspicious/noExplicitAny: the options of the class are its own.
  Transport: new (options: any) => Transport,
  url: string,
  options: ChatTransportOptions = {},
): Transport {
  // Functions without a prototype cannot be constructed.
  if ((Transport as { prototype?: unknown } | null)?.prototype === undefined)
    throw mismatch('Transport', 'a class such as DefaultChatTransport', Transport)
  requireText('url', url)
  requireOnly('options', options, ['fetch', 'headers', 'credentials', 'body'])
  const { fetch: send = defaultSend, ...others } = options
  requireFunction('fetch', send)
  return new Transport({ ...others, api: url, fetch: resuming(send) })
}

/** Read at each call: other libraries replace it. */
const defaultSend: SendRequest = (input, init) => fetch(input, init)

/** How much of the end of a response names its task, in UTF-16 code units: an id has at most 256. */
const TAIL = 1024

/** The time to the next attempt, in milliseconds. */
const FIRST_MS = 500
const LAST_MS = 30_000

/** What proxies answer when a response is long in coming. */
const late: readonly number[] = [408, 502, 503, 504, 524]

/** Sends requests, of which one that resumes ends when the same chat posts something. */
function resuming(send: SendRequest): SendRequest {
  /** The resumes that wait for a response, by chat. */
  const waiting = new Map<string, AbortController>()
  /** The tasks that responses have left waiting for the user, by chat. */
  const left = new Map<string, string>()

  /** A response that notes which task it leaves waiting. */
  function noting(id: string, response: Response): Response {
    const { status, headers, body } = response
    // In Chromium, a response without content has a body all the same.
    if (status !== 200) return response
    let tail = ''
    const decoder = new TextDecoder()
    const noted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        tail = (tail + decoder.decode(chunk, { stream: true })).slice(-TAIL)
        controller.enqueue(chunk)
      },
      flush() {
        const taskId = waitingIn(tail)
        if (taskId !== undefined) left.set(id, taskId)
      },
    })
    return new Response(body?.pipeThrough(noted), { status, headers })
  }

  async function resume(url: string, id: string, init: RequestInit): Promise<Response> {
    const taskId = left.get(id)
    const own = new AbortController()
    waiting.set(id, own)
    const signal = init.signal ? AbortSignal.any([init.signal, own.signal]) : own.signal
    try {
      for (let ms = FIRST_MS; ; ms = Math.min(2 * ms, LAST_MS)) {
        const response = await send(taskId === undefined ? url : withWaiting(url, taskId), {
          ...init,
          signal,
        }).catch((error: unknown) => {
          // A request that got no response, as opposed to one that cannot be sent.
          if (!signal.aborted && !(error instanceof TypeError)) throw error
        })
        if (response !== undefined && !late.includes(response.status)) {
          left.delete(id)
          return response
        }
        await response?.body?.cancel()
        await changeOf(new Set(), ms, signal, true)
        if (signal.aborted) return await over(init.signal)
      }
    } finally {
      if (waiting.get(id) === own) waiting.delete(id)
    }
  }

  return async (input, given = {}) => {
    const init = { ...given, cache: 'no-store' } as const
    if (init.method !== 'POST') {
      const id = resumedChat(String(input))
      return noting(id, await resume(String(input), id, init))
    }
    const id = textIn(parsedJson(String(init.body)), 'id') ?? ''
    waiting.get(id)?.abort()
    left.delete(id)
    return noting(id, await send(input, init))
  }
}

/** The end of a resume: once `useChat` has stopped it, as it would take the page for ready while the answer is being written. */
async function over(stopped: AbortSignal | null | undefined): Promise<Response> {
  if (!stopped) return new Response(null, { status: 204 })
  if (!stopped.aborted)
    await new Promise<void>((resolve) => stopped.addEventListener('abort', () => resolve(), { once: true }))
  throw stopped.reason
}

/** The id of the chat in the path of a resume. */
function resumedChat(url: string): string {
  const [, id = ''] = /(?:^|[/?#])([^/?#]*)\/stream(?:[?#]|$)/.exec(url) ?? []
  return decodeURIComponent(id)
}
