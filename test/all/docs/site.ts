/** The built site, and how it is served. */
import { spawn, spawnSync } from 'node:child_process'
import { createReadStream, existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lab } from '../lab.ts'
import { freePort } from '../redis/server.ts'
import { Skipped } from '../step.ts'

export interface RunningSite {
  readonly url: string
  close(): void
}

/** The folder of the site. */
export function siteOf({ root }: Lab): string {
  const folder = join(root, 'site')
  if (!existsSync(join(folder, 'index.html'))) throw new Skipped('there is no site: run `npm run docs`')
  return folder
}

/** All pages of the site, by path. */
export function pagesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'))
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

/** Serves files as they are named, and the `index.html` of folders. */
export async function serveSite(folder: string): Promise<RunningSite> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    const file = join(folder, path, path.endsWith('/') ? 'index.html' : '')
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
    return createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Start = (folder: string, port: number, lab: Lab) => readonly [program: string, ...args: string[]]

/** Servers of files, without any setting for this site. */
export const staticServers: Readonly<Record<string, Start>> = {
  'http.server of Python': (folder, port) => [
    ...(['python3', '-m', 'http.server', `${port}`] as const),
    ...['--bind', '127.0.0.1', '--directory', folder],
  ],
  nginx: (folder, port, { temporary }) => ['nginx', '-c', nginxConfig(folder, port, temporary)],
  'serve of npm': (folder, port, { root }) => {
    const program = join(root, 'test/all/docs/node_modules/serve/build/main.js')
    if (!existsSync(program)) throw new Skipped('run `npm install --prefix test/all/docs`')
    return [process.execPath, program, '--listen', `tcp://127.0.0.1:${port}`, '--no-port-switching', folder]
  },
}

function nginxConfig(folder: string, port: number, temporary: string): string {
  const own = mkdtempSync(join(temporary, 'static-'))
  const types = spawnSync('test', ['-f', '/etc/nginx/mime.types']).status === 0
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  )
  const config = join(own, 'nginx.conf')
  const lines = [
    `daemon off; pid ${own}/pid; error_log ${own}/error.log; events {}`,
    `http { access_log off; ${types ? 'include /etc/nginx/mime.types;' : ''} ${paths.join(' ')}`,
    `server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  ]
  writeFileSync(config, lines.join('\n'))
  return config
}

/** Starts one of them, and waits until it answers. */
export async function startServer(name: string, folder: string, lab: Lab): Promise<RunningSite> {
  const port = await freePort()
  const [program, ...args] = staticServers[name]?.(folder, port, lab) ?? ['']
  const child = spawn(program, args, { stdio: 'ignore' })
  let problem: Error | undefined
  child.on('error', (error) => {
    problem = new Skipped(`${program} does not start: ${error.message}`)
  })
  child.on('exit', (code) => {
    problem ??= new Error(`${name} ended with ${code}.`)
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 200; tries++) {
    if (problem !== undefined) throw problem
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok === true) return { url, close: () => child.kill() }
    await sleep(100)
  }
  child.kill()
  throw new Error(`${name} does not answer.`)
}
