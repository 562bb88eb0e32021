// Proves that the page beside a server shows its stream, and that nobody but who knows its path can send the request.
import { once } from 'node:events'
import { createServer, type OutgoingHttpHeaders, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { devServer } from '../../src/cli/dev/server.ts'
import { targetOf } from '../../src/cli/remote/target.ts'
import { run } from './run.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listening(server: Server): Promise<string> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The page beside a server that answers so, and the requests that the server gets. */
async function beside(
  answer: (response: ServerResponse) => unknown,
  options: Readonly<Record<string, string | string[]>> = {},
): Promise<{ address: string; asked: object[]; log: string[]; server: string }> {
  const asked: object[] = []
  const log: string[] = []
  const other = createServer(async ({ method, headers }, response) => {
    asked.push({
      method,
      lastEventId: headers['last-event-id'],
      key: headers['x-key'],
      origin: headers.origin,
    })
    answer(response)
  })
  const server = await listening(other)
  const target = await targetOf({ operands: [`${server}/stream`], rest: [], options })
  const page = '<p>page</p>'
  const onLog = (text: string): void => void log.push(text)
  const address = await listening(devServer({ page, target, secretPath: '/s3cret', onLog }))
  return { address, asked, log, server }
}

const SSE = { 'content-type': 'text/event-stream' }

describe('dev', () => {
  it('relays a stream as it comes, with the headers of the call', async () => {
    let other: ServerResponse | undefined
    const { address, asked } = await beside(
      (response) => {
        other = response
        response.writeHead(200, SSE).write('id: 1\ndata: {"a":1}\n\n')
      },
      { header: ['x-key: k'] },
    )
    const headers = { 'last-event-id': '7', origin: address }
    const { status, body, headers: own } = await fetch(`${address}/s3cret/stream`, { headers })
    expect([status, own.get('content-type')]).toEqual([200, 'text/event-stream'])
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    // The rest is sent only once this has arrived.
    expect((await reader?.read())?.value).toBe('id: 1\ndata: {"a":1}\n\n')
    other?.end('data: {"a":2}\n\n')
    expect((await reader?.read())?.value).toBe('data: {"a":2}\n\n')
    expect((await reader?.read())?.done).toBe(true)
    expect(asked).toEqual([{ method: 'GET', lastEventId: '7', key: 'k', origin: undefined }])
  })

  it('ends the stream of the server when the page leaves', async () => {
    let isClosed: Promise<unknown> | undefined
    const { address } = await beside((response) => {
      isClosed = once(response, 'close')
      response.writeHead(200, SSE).write('data: {"a":1}\n\n')
    })
    const { body } = await fetch(`${address}/s3cret/stream`)
    await body?.cancel()
    await isClosed
  })

  it('sends a body once for each load of the page, and never to resume', async () => {
    const { address, asked } = await beside((response) => response.writeHead(200, SSE).end('data: 1\n\n'), {
      data: '{}',
    })
    expect((await fetch(`${address}/s3cret/stream`)).status).toBe(200)
    expect((await fetch(`${address}/s3cret/stream`, { headers: { 'last-event-id': '1' } })).status).toBe(409)
    expect(asked).toMatchObject([{ method: 'POST' }])
  })

  it('drops the connection of the page when that of the server is dropped', async () => {
    const { address, log } = await beside((response) => {
      response.writeHead(200, SSE)
      response.write('data: {"a":1}\n\n', () => setImmediate(() => response.destroy()))
    })
    await expect((await fetch(`${address}/s3cret/stream`)).text()).rejects.toThrow()
    expect(log).toEqual(['Connected.', 'The connection was lost: terminated.'])
  })

  it('names what the server answers instead of a stream', async () => {
    const { address, log } = await beside((response) => response.writeHead(401).end('who?'))
    const response = await fetch(`${address}/s3cret/stream`)
    const text = await response.text()
    expect([response.status, log]).toEqual([502, [text.trim()]])
    expect(text).toContain('Expected status 200, got 401. It answers: who? Send credentials with -H')
  })

  it('answers this machine only, and only at its path', async () => {
    const { address, asked } = await beside((response) => response.end())
    const status = async (path: string, init?: RequestInit) => (await fetch(address + path, init)).status
    expect(await (await fetch(`${address}/s3cret/`)).text()).toBe('<p>page</p>')
    for (const path of ['/', '/stream', '/s3cre/stream', '/s3crets/stream', '/s3cret/streams', '/s3cret'])
      expect([path, await status(path)]).toEqual([path, 404])
    expect(await status('/s3cret/stream', { method: 'POST' })).toBe(405)
    const { hostname, port } = new URL(address)
    const foreign = await new Promise((resolve) => {
      const headers = { host: 'example.com' }
      request({ host: hostname, port, path: '/s3cret/stream', headers }, ({ statusCode }) =>
        resolve(statusCode),
      ).end()
    })
    expect([foreign, asked]).toEqual([403, []])
  })

  it('answers no page of another origin', async () => {
    const { address, asked } = await beside((response) => response.writeHead(200, SSE).end('data: 1\n\n'))
    // Fetch of this process sets this header itself.
    const status = (path: string, headers: OutgoingHttpHeaders): Promise<number | undefined> =>
      new Promise((resolve) => {
        request(address + path, { headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        }).end()
      })
    for (const path of ['/s3cret/', '/s3cret/stream']) {
      for (const origin of ['null', 'https://example.com', 'http://localhost:3000'])
        expect([origin, await status(path, { origin })]).toEqual([origin, 403])
      for (const site of ['cross-site', 'same-site'])
        expect([site, await status(path, { 'sec-fetch-site': site })]).toEqual([site, 403])
    }
    expect(asked).toEqual([])
    for (const site of ['none', 'same-origin'])
      expect([site, await status('/s3cret/', { 'sec-fetch-site': site })]).toEqual([site, 200])
  })

  it.each<[what: string, args: string[], message: string]>([
    ['no URL', [], 'Expected the URL of a stream'],
    ['a port that is none', ['http://localhost:1/', '--port', 'x'], 'Expected --port as an integer'],
  ])('ends with 2 for %s', async (_, args, message) => {
    const { code, out, err } = await run('dev', ...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
  })
})
