import type { Store } from 'turnstream/server'
import { openConversation } from '../recipes/approval/agent.ts'
import { isOwnSite } from '../recipes/own-site.ts'

/** `GET /stream`: the events of the conversation, from the last one that the client has. */
export async function readStream(store: Store, request: Request, userId: string): Promise<Response> {
  const stream = await openConversation(store, userId)
  const { status, headers, body } = stream.respond(request, { signal: request.signal })
  return new Response(body, { status, headers })
}

/** `POST /commands`: applies a command and responds with its receipt. */
export async function takeCommand(store: Store, request: Request, userId: string): Promise<Response> {
  if (!isOwnSite(request.headers.get('sec-fetch-site'))) return new Response(null, { status: 403 })
  const isJson = request.headers.get('content-type')?.startsWith('application/json')
  if (isJson !== true) return new Response(null, { status: 415 })
  const stream = await openConversation(store, userId)
  const command: unknown = await request.json().catch(() => undefined) // A body that is not JSON is `invalid`.
  return Response.json(await stream.submit(command, { role: 'user', id: userId }))
}
