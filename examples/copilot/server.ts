/**
 * `npx tsx examples/copilot/server.ts [port]`
 *
 * Serves a page on the client of AG-UI, and the agent that it talks to.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { answer } from '../docs/ag-ui-server.ts'
import { bookTrip } from './agent.ts'

const HTML =
  '<!doctype html><title>Trips</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'

/** Creates the server. The caller calls `listen`. */
export async function copilotServer(): Promise<Server> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  const script = outputFiles[0]?.text ?? ''
  return createServer(async (request, response) => {
    if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script)
    else if (request.url !== '/agent')
      response.setHeader('content-type', 'text/html; charset=utf-8').end(HTML)
    else {
      const { status, headers, body } = await answer(webRequest(request), bookTrip)
      response.writeHead(status, Object.fromEntries(headers))
      // A page that leaves ends its run.
      await pipeline(Readable.fromWeb(body as never), response).catch(() => undefined)
    }
  })
}

function webRequest(request: IncomingMessage): Request {
  const body = Readable.toWeb(request) as ReadableStream<Uint8Array>
  return new Request('http://localhost/agent', { method: 'POST', body, duplex: 'half' } as RequestInit)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = Number(process.argv[2] ?? 3000)
  const server = await copilotServer()
  server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`))
}
