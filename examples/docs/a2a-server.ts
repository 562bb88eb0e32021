import { createServer, type Server } from 'node:http'
import { a2a } from 'turnstream/a2a'
import { type Agent, agentHandler, memoryStore, toNodeListener } from 'turnstream/server'

/** Serves an agent to clients of A2A 1.0 and 0.3: card, send, stream, get, subscribe and cancel. */
export function serve(
  agent: Agent,
  userOf: (request: Request) => string | undefined,
  origin = 'http://localhost:3000',
): Server {
  const url = `${origin}/agent/a2a`
  const text = ['text/plain']
  const card = {
    name: 'Payments',
    description: 'Pays invoices.',
    version: '1.0.0',
    skills: [{ id: 'pay', name: 'Pay', description: 'Pays an invoice.', tags: ['payments'] }],
    defaultInputModes: text,
    defaultOutputModes: text,
    capabilities: { streaming: true },
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    // Clients of 0.3 read these.
    ...{ url, preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' },
  }
  const handler = agentHandler({
    store: memoryStore({ needsApproval: ({ toolName }) => toolName === 'pay' }),
    user: userOf,
    agent,
    protocols: { a2a: a2a({ card }) },
    onError: console.error,
  })
  const listener = toNodeListener(handler)
  return createServer((request, response) => {
    if (request.url !== '/.well-known/agent-card.json') return listener(request, response)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(card))
  }).listen(Number(new URL(origin).port))
}
