import { commandsFromChatRequest } from 'turnstream/ai-sdk'
import type { Ledger, Receipt, Sender } from 'turnstream/commands'

/** Takes what `useChat` posts: its commands go through the ledger, and the receipts state what became of them. */
export async function takeChat(ledger: Ledger, request: Request, sender: Sender): Promise<Response> {
  const body: unknown = await request.json().catch(() => undefined)
  const { commands, diagnostics } = commandsFromChatRequest(body, { requests: await ledger.requests() })
  const receipts: Receipt[] = []
  for (const command of commands) receipts.push(await ledger.submit(command, sender))
  const isRefused = receipts.some(({ status }) => status !== 'accepted' && status !== 'repeated')
  const status = commands.length === 0 ? 400 : isRefused ? 409 : 200
  return Response.json({ receipts, diagnostics }, { status })
}
