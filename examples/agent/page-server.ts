/** The server of the page and the agent. */
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { toNodeListener } from 'turnstream/server'

const HTML = `<!doctype html><title>Agent</title><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width">
<style>body { margin: 1.5rem; font-family: system-ui, sans-serif }</style><script type="module" src="/page.js"></script>`

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
