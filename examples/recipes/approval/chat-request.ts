import { commandsFromChatRequest } from 'turnstream/ai-sdk'
import type { Receipt, Sender } from 'turnstream/commands'
import type { Stream } from 'turnstream/server'
import { isOwnSite } from '../own-site.ts'

/** Takes what `useChat` posts: submits its commands to the stream, and responds with their receipts. */
export async function takeChat(stream: Stream, request: Request, sender: Sender): Promise<Response> {
  if (!isOwnSite(request.headers.get('sec-fetch-site'))) return new Response(null, { status: 403 })
  const isJson = request.headers.get('content-type')?.startsWith('application/json')
  if (isJson !== true) return new Response(null, { status: 415 })
  const body: unknown = await request.json().catch(() => undefined)
  const { commands, diagnostics } = commandsFromChatRequest(body, { requests: await stream.requests() })
  const receipts: Receipt[] = []
  for (const command of commands) receipts.push(await stream.submit(command, sender))
  const isRefused = receipts.some(({ status }) => status !== 'accepted' && status !== 'repeated')
  const status = commands.length === 0 ? 400 : isRefused ? 409 : 200
  return Response.json({ receipts, diagnostics }, { status })
}
