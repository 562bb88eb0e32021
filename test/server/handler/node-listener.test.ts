// Proves that a handler runs in the servers of Node: whatever has read the body, and wherever it is mounted.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type ClientHttp2Session, connect, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect as connectSocket } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { createCommand } from 'turnstream/commands'
import { agentHandler, memoryStore, toNodeListener } from 'turnstream/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { clientOf, echo, listening, readUntil, userOf } from './served.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const listener = () => toNodeListener(agentHandler({ store: memoryStore(), user: userOf, agent: echo }))
const hello = () => createCommand({ kind: 'task.send', input: 'Grüße' })

/** Starts a server of each framework, and returns its URL. */
const servers: Readonly<Record<string, () => Promise<string>>> = {
  http: () => listening(listener()),
  Express: () => listening(express().all('/agent{/*path}', listener())),
  'Express with a parser': () => listening(express().use(express.json()).all('/agent{/*path}', listener())),
  'Express with a text parser': () =>
    listening(
      express()
        .use(express.text({ type: '*/*' }))
        .all('/agent{/*path}', listener()),
    ),
  'Express with a raw parser': () =>
    listening(
      express()
        .use(express.raw({ type: '*/*' }))
        .use('/agent', listener()),
    ),
  'app.use': () => listening(express().use(express.json()).use('/agent', listener())),
  async Fastify() {
    const app = fastify({ forceCloseConnections: true })
    const answer = listener()
    app.all('/agent', (request, reply) => {
      reply.hijack()
      return answer(Object.assign(request.raw, { body: request.body }), reply.raw)
    })
    ends.push(() => app.close())
    return app.listen({ host: '127.0.0.1', port: 0 })
  },
}

describe.each(Object.entries(servers))('%s', (_, start) => {
  it('takes commands and streams events', async () => {
    const { post, get } = clientOf(await start())
    const receipt = await post(hello())
    expect([receipt.status, await receipt.json()]).toMatchObject([200, { status: 'accepted' }])
    const open = await get()
    expect(open.headers.get('content-type')).toContain('text/event-stream')
    expect(await readUntil(open, '"completed"')).toContain('Echo: Grüße')
  })
})

it('runs over HTTP/2', async () => {
  const server = createHttp2Server(listener())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const session: ClientHttp2Session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  ends.push(
    () => server.close(),
    () => session.destroy(),
  )
  const headers = { ':path': '/agent', 'x-user': 'ann' }
  const post = session.request({ ...headers, ':method': 'POST', 'content-type': 'application/json' })
  post.end(JSON.stringify(hello()))
  const [answered] = await once(post, 'response')
  expect(answered[':status']).toBe(200)
  const open = session.request(headers)
  const [opened] = await once(open, 'response')
  expect(opened['content-type']).toContain('text/event-stream')
  let text = ''
  for await (const bytes of open) {
    text += String(bytes)
    if (text.includes('"completed"')) break
  }
  expect(text).toContain('Echo: Grüße')
})

describe('a listener', () => {
  async function started(
    handler: (request: Request) => Promise<Response>,
  ): Promise<{ server: Server; url: string }> {
    const server = createServer(toNodeListener(handler))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ends.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  it('aborts the signal of the request, and cancels the body, when the client leaves', async () => {
    const seen: string[] = []
    const { url } = await started(async ({ signal }) => {
      signal.addEventListener('abort', () => seen.push('signal'))
      const body = new ReadableStream({ cancel: () => void seen.push('body') })
      return new Response(body)
    })
    const left = new AbortController()
    await fetch(url, { signal: left.signal })
    left.abort()
    await vi.waitUntil(() => seen.length === 2)
    expect(seen.sort()).toEqual(['body', 'signal'])
  })

  it('answers 500 if the handler fails, and keeps cookies apart', async () => {
    const { url } = await started(async (request) => {
      if (request.url.endsWith('/fails')) throw new Error('secret')
      const headers = new Headers()
      headers.append('set-cookie', 'a=1')
      headers.append('set-cookie', 'b=2')
      return new Response('ok', { headers })
    })
    const failed = await fetch(`${url}/fails`)
    expect([failed.status, await failed.text()]).toEqual([500, ''])
    expect((await fetch(url)).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it.each([
    ['an empty host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
    ['a host that is none', 'GET / HTTP/1.1\r\nHost: a b@:c\r\n\r\n'],
    ['a method that requests of the web cannot have', 'TRACE / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('answers 400 to %s', async (_, text) => {
    const { url } = await started(async () => new Response('ok'))
    const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
    socket.end(text)
    const [status] = await once(socket.setEncoding('utf8'), 'data')
    expect(status).toMatch(/^HTTP\/1.1 400 /)
  })

  it('writes no faster than the client reads', async () => {
    let pulled = 0
    const { url } = await started(async () => {
      const bytes = new Uint8Array(65_536)
      const body = new ReadableStream(
        {
          pull(controller) {
            pulled++
            controller.enqueue(bytes)
          },
        },
        { highWaterMark: 0 },
      )
      return new Response(body)
    })
    const response = await fetch(url)
    const reader = response.body?.getReader()
    await reader?.read()
    let before = -1
    await vi.waitUntil(
      () => {
        const isStill = pulled === before
        before = pulled
        return isStill
      },
      { interval: 100, timeout: 30_000 },
    )
    expect(pulled).toBeLessThan(1000)
    await reader?.cancel()
  })
})
