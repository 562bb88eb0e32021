/** Serves an agent at `/agent`, for pages of the AI SDK at `/agent/chat`, and the page. */
import { createServer, type Server } from 'node:http'
import { aiSdk } from 'turnstream/ai-sdk'
import { type Agent, agentHandler, memoryStore, toNodeListener } from 'turnstream/server'

const html =
  '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>'

/** @param script - The bundled page. */
export function chatServer(agent: Agent, script: string): Server {
  const listener = toNodeListener(
    agentHandler({
      store: memoryStore(),
      user: () => 'user-1', // Whom you have authenticated.
      agent,
      protocols: { chat: aiSdk() },
    }),
  )
  return createServer((request, response) => {
    const { url = '/' } = request
    if (url.startsWith('/agent')) return void listener(request, response)
    const [type, body] = url === '/page.js' ? ['text/javascript', script] : ['text/html', html]
    response.setHeader('content-type', type).end(body)
  })
}
