/** A handler behind a real server of Node, and clients of it. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Agent, agentHandler, memoryStore, toNodeListener } from 'turnstream/server'
import { afterEach } from 'vitest'
import type { AgentHandlerOptions } from '../../../src/server/handler/options.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Answers with what it was sent. */
export const echo: Agent = async function* (task) {
  yield { kind: 'content-complete', content: `Echo: ${String(task.input)}` }
}

/** The user of a request: of the header `x-user`. */
export const userOf = (request: Request): string | undefined => request.headers.get('x-user') ?? undefined

/** Starts a server, and returns its URL. */
export async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface Served {
  readonly url: string
  readonly errors: unknown[]
  post(body: unknown, headers?: Record<string, string>, query?: string): Promise<Response>
  get(path?: string, headers?: Record<string, string>): Promise<Response>
}

export async function served(options: Partial<AgentHandlerOptions> = {}): Promise<Served> {
  const errors: unknown[] = []
  const store = memoryStore()
  ends.push(() => store.close())
  const onError = (error: unknown): void => void errors.push(error)
  const url = await listening(
    toNodeListener(
      agentHandler({ store, user: userOf, agent: echo, onError, ...options }),
    ) as RequestListener,
  )
  return { url, errors, ...clientOf(url) }
}

/** Requests of one user, `ann` unless the headers name another. */
export function clientOf(url: string): Pick<Served, 'post' | 'get'> {
  return {
    post: (body, headers = {}, query = '') =>
      fetch(`${url}/agent${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-user': 'ann', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path = '', headers = {}) =>
      fetch(`${url}/agent${path}`, { headers: { 'x-user': 'ann', ...headers } }),
  }
}

/** Reads a stream until a text has come, or it ends. */
export async function readUntil(response: Response, text: string): Promise<string> {
  let read = ''
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  while (!read.includes(text)) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done) break
    read += decoder.decode(value, { stream: true })
  }
  await reader?.cancel()
  return read
}
