/** Serves one chat: `GET /chat`, `POST /chat/messages`, `GET /chat/events`, and the page. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { UIMessage } from 'ai'
import type { Chat } from './chat.ts'

/** @param script - The bundled page. */
export function chatServer(chat: Chat, script: string): Server {
  return createServer(async (request, response) => {
    const send = (type: string, body: string): void => void response.setHeader('content-type', type).end(body)
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        send(
          'text/html',
          '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>',
        )
        return
      case 'GET /page.js':
        send('text/javascript', script)
        return
      case 'GET /chat':
        send('application/json', JSON.stringify(chat.load()))
        return
      case 'POST /chat/messages': {
        const { message } = JSON.parse(await textOf(request)) as { message: UIMessage }
        send('application/json', JSON.stringify(await chat.send(message)))
        return
      }
      case 'GET /chat/events': {
        const disconnected = new AbortController()
        response.on('close', () => disconnected.abort())
        const { status, headers, body } = chat.stream.respond(request.headers['last-event-id']?.toString(), {
          viewer: { audience: 'user' }, // Of the user you have authenticated.
          signal: disconnected.signal,
        })
        response.writeHead(status, headers).flushHeaders()
        await pipeline(body ?? [], response).catch(() => response.destroy())
        return
      }
      default:
        response.writeHead(404).end()
    }
  })
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
