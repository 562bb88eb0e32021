/** The HTTP handler of an agent: a function from requests to responses. */

import type { Sender } from '../../commands/ledger/types.ts'
import { mismatch } from '../../core/require.ts'
import { parsedJson } from '../../json/parsed.ts'
import { isFields } from '../../validation/predicates.ts'
import type { Stream } from '../stream.ts'
import { nameOf } from '../stream-name.ts'
import { accessOf, preflightHeaders } from './access.ts'
import { Conversations, Refusal } from './conversations.ts'
import { byProtocol, whileOpen } from './live-response.ts'
import { type AgentHandlerOptions, type HandlerSettings, handlerSettings, type Protocol } from './options.ts'
import { problem, refused } from './problem.ts'
import { isJson, senderOf, textOf } from './read-request.ts'

/**
 * Creates the handler of an agent: conversations of its users, as streams of events that are resumed, and the commands that clients
 * send. It has no router: mount it at a path of your server; `toNodeListener` makes it a listener of Node.
 *
 * - `GET <url>?context=` is the stream: server-sent events after `Last-Event-ID`, for what the sender may see
 * - `POST <url>?context=` takes one command as JSON, and answers with its receipt. Its `contextId` is that of the URL
 * - `GET <url>/history?context=&before=` is an earlier page: `Stream.history`
 *
 * Without `context`, a user has one conversation, `main`. A conversation begins with its first message: before, it is 404. Names of
 * conversations belong to their user: nobody reaches those of another one.
 *
 * Other responses are JSON with an `error` for developers: 400 for a path or a cursor that cannot be read, 401 without a user, 403 for the origin of another site and by `mayAccess` of the store, 404,
 * 405, 409 for the page of another user, 413, 415 for a body that is not JSON, 421 for another host, 429 beyond a limit, 503 if the
 * store does not answer.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const handler = agentHandler({ store: memoryStore(), user: (request) => sessionOf(request)?.userId, agent })
 * createServer(toNodeListener(handler)).listen(3000)
 * ```
 */
export function agentHandler(options: AgentHandlerOptions): (request: Request) => Promise<Response> {
  const settings = handlerSettings(options)
  const access = accessOf(settings.hosts, settings.origins)
  const conversations = new Conversations(settings)
  return async (request) => {
    if (typeof request?.headers?.get !== 'function')
      throw mismatch('request', 'a Request, which toNodeListener(handler) makes of those of Node.js', request)
    const allowed = access(request)
    if (allowed.status === 'wrong-host') return problem(421, 'This host is not one of the option "hosts".')
    if (allowed.headers === undefined)
      return problem(403, 'The origin of this page is not one of the option "origins".')
    let response: Response
    try {
      response = await answer(request, settings, conversations)
    } catch (error) {
      response = error instanceof Refusal ? refused(error) : failed(error, settings)
    }
    const added = Object.entries(allowed.headers)
    // The headers of a response that a protocol has fetched cannot be changed.
    if (added.length > 0) response = new Response(response.body, response)
    for (const [name, value] of added) response.headers.set(name, value)
    return response
  }
}

function failed(error: unknown, { onError }: HandlerSettings): Response {
  onError(error)
  const code = (error as { code?: unknown } | null)?.code
  // Before a deployment, a store is closed: another process answers.
  return code === 'unavailable' || code === 'released'
    ? problem(503, 'The store does not answer.', { 'retry-after': '1' })
    : problem(500, 'The request failed.')
}

async function answer(
  request: Request,
  settings: HandlerSettings,
  conversations: Conversations,
): Promise<Response> {
  const { method } = request
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: preflightHeaders(request) })
  const sender = await senderOf(request, settings)
  if (sender === undefined) return problem(401, 'Nobody is signed in.')
  if (method !== 'GET' && method !== 'POST')
    return problem(405, 'Expected GET or POST.', { allow: 'GET, POST, OPTIONS' })
  let body: unknown
  if (method === 'POST') {
    if (!isJson(request)) return problem(415, 'Expected the content type application/json.')
    const text = await textOf(request, settings.limits.bodyBytes)
    if (text === undefined) return problem(413, `Expected at most ${settings.limits.bodyBytes} bytes.`)
    body = parsedJson(text)
  }
  const url = new URL(request.url)
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  const named = protocolIn(segments, settings.protocols)
  if (named !== undefined)
    return byProtocol(named.protocol, { request, path: named.path, body, sender }, settings, conversations)
  const contextId = url.searchParams.get('context') ?? 'main'
  // A page that shows a conversation means that one, also if another user has signed in since.
  const shown = request.headers.get('turnstream-stream')
  if (shown !== null && contextId !== '' && shown !== nameOf({ owner: sender.id, contextId }))
    return problem(409, 'The page shows the conversation of another user.')
  const isSend = isFields(body) && body.kind === 'task.send'
  const stream = await conversations.open(sender, contextId, isSend)
  if (stream instanceof Refusal) return refused(stream)
  if (method === 'POST') return submit(body, contextId, sender, stream, conversations)
  if (segments.at(-1) === 'history') return history(url, sender, stream)
  return live(request, sender, stream, settings, conversations)
}

/** Applies a command to a conversation of its sender. */
async function submit(
  body: unknown,
  contextId: string,
  sender: Sender,
  stream: Stream,
  conversations: Conversations,
): Promise<Response> {
  const command = isFields(body) ? { ...body, contextId } : body
  const refusal = conversations.refusalOf(sender, command)
  return refusal === undefined ? Response.json(await stream.submit(command, sender)) : refused(refusal)
}

/** An earlier page of a conversation. */
async function history(url: URL, { role: audience }: Sender, stream: Stream): Promise<Response> {
  const before = url.searchParams.get('before')
  return Response.json(await stream.history({ viewer: { audience }, ...(before && { before }) }))
}

/** The stream, until its reader leaves or signs out. */
function live(
  request: Request,
  sender: Sender,
  stream: Stream,
  settings: HandlerSettings,
  conversations: Conversations,
): Promise<Response> {
  return whileOpen(request, sender, settings, conversations, async (signal) => {
    const { heartbeatMs, paddingBytes } = settings
    const options = { viewer: { audience: sender.role }, signal, heartbeatMs, paddingBytes }
    const { status, headers, body } = stream.respond(request, options)
    return new Response(body, { status, headers: { ...headers } })
  })
}

/**
 * The protocol that a path names first, of several the one with the longest name, and the decoded segments below it; `undefined` if
 * it names none.
 */
function protocolIn(
  segments: readonly string[],
  protocols: Readonly<Record<string, Protocol>>,
): { readonly protocol: Protocol; readonly path: readonly string[] } | undefined {
  let found: { readonly at: number; readonly end: number; readonly protocol: Protocol } | undefined
  for (const [name, protocol] of Object.entries(protocols)) {
    const names = name.split('/')
    const at = segments.findIndex((_, i) => names.every((each, j) => segments[i + j] === each))
    const end = at + names.length
    const isBefore = found === undefined || at < found.at || (at === found.at && end > found.end)
    if (at !== -1 && isBefore) found = { at, end, protocol }
  }
  return found && { protocol: found.protocol, path: segments.slice(found.end).map(decoded) }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
