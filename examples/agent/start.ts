/**
 * `npx tsx start.ts [port]`
 *
 * Serves the agent and its page, with a model without a key unless `OPENAI_API_KEY` is set.
 */
import { createServer, type Server } from 'node:http'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { toNodeListener } from 'turnstream/server'
import { startModel } from './model.ts'

const HTML =
  '<!doctype html><title>Agent</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'

/** A server of the page and the agent. Whoever opens the page is signed in as `ann`, unless a cookie names somebody else. */
export async function pageServer(handler: (request: Request) => Promise<Response>): Promise<Server> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.tsx', import.meta.url))],
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  const script = outputFiles[0]?.text ?? ''
  const agent = toNodeListener(handler)
  return createServer((request, response) => {
    if (request.url?.startsWith('/agent')) void agent(request, response)
    else if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script)
    else {
      if (!request.headers.cookie?.includes('user='))
        response.setHeader('set-cookie', 'user=ann; SameSite=Lax')
      response.setHeader('content-type', 'text/html; charset=utf-8').end(HTML)
    }
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = Number(process.argv[2] ?? 3000)
  if (process.env.OPENAI_API_KEY === undefined)
    Object.assign(process.env, { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: (await startModel()).url })
  const { handler } = await import('./server.ts')
  const server = await pageServer(handler)
  server.listen(port, '127.0.0.1', () => console.log(`http://localhost:${port}`))
}
