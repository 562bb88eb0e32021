// Proves that a replay is a stream that a client can read over dropped connections, and that others cannot read it.
import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { run as runMachine } from '../../src/index.ts'
import { inspectRecording } from '../../src/inspect/index.ts'
import { type SseMessage, sseDecoder } from '../../src/sse/index.ts'
import { readRecording, recordingPath } from '../support/recordings.ts'
import { mainFile } from './run.ts'

const children: ReturnType<typeof spawn>[] = []
afterAll(() => {
  for (const child of children) child.kill()
})

const started = new Map<string, Promise<string>>()

/** The address of a replay, which is started once. */
function serve(file: string, ...options: readonly string[]): Promise<string> {
  const name = [file, ...options].join(' ')
  const address = started.get(name) ?? start(file, options)
  started.set(name, address)
  return address
}

/** Starts a replay, and resolves to its address. */
function start(file: string, options: readonly string[]): Promise<string> {
  const args = [mainFile(), 'replay', recordingPath(file), '--speed', 'max', ...options]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (data) => resolve(String(data).trim()))
    child.once('exit', (code) => reject(new Error(`exited with ${code}`)))
  })
}

/** One connection: its status and messages, also if it is dropped. */
async function connect(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; messages: SseMessage[] }> {
  const response = await fetch(url, { headers })
  const { push } = runMachine(sseDecoder())
  const messages: SseMessage[] = []
  try {
    for await (const chunk of response.body ?? []) messages.push(...push(chunk))
  } catch {
    // Dropped.
  }
  return { status: response.status, messages }
}

describe('replay', () => {
  it('serves a recording that reads like the file', async () => {
    const url = await serve('core.sse')
    const { messages } = await connect(url)
    const text = messages.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join('')
    expect(await inspectRecording([text])).toEqual(await inspectRecording([readRecording('core.sse')]))
  })

  it('continues after the id that a client states, however often it is dropped', async () => {
    const url = await serve('core.sse', '--drop-after', '5')
    const whole: SseMessage[] = []
    let connections = 0
    for (;;) {
      const last = whole.at(-1)?.id
      const { status, messages } = await connect(url, last === undefined ? {} : { 'last-event-id': last })
      if (status === 204) break
      connections++
      whole.push(...messages)
      expect(connections).toBeLessThan(20)
    }
    expect(whole.map(({ id }) => id)).toEqual(Array.from({ length: 18 }, (_, i) => String(i + 1)))
    expect(connections).toBe(4)
  })

  it('ends a chat as its clients expect it', async () => {
    const { messages } = await connect(await serve('openai-chat.sse'))
    expect(messages.at(-1)?.data).toBe('[DONE]')
  })

  it('answers pages of this machine only', async () => {
    const url = await serve('core.sse')
    const allowed = async (origin: string) =>
      (await fetch(url, { headers: { origin } })).headers.get('access-control-allow-origin')
    expect(await allowed('http://localhost:3000')).toBe('http://localhost:3000')
    expect(await allowed('http://[::1]:3000')).toBe('http://[::1]:3000')
    expect(await allowed('http://localhost.example.com')).toBeNull()
    expect(await allowed('https://example.com')).toBeNull()
    const { hostname, port } = new URL(url)
    expect(hostname).toBe('127.0.0.1')
    const status = await new Promise((resolve) => {
      request({ host: hostname, port, headers: { host: 'example.com' } }, (response) =>
        resolve(response.statusCode),
      ).end()
    })
    expect(status).toBe(403)
  })

  it('answers a page without an origin only at the path that it prints', async () => {
    const url = await serve('core.sse')
    const allowed = async (path: string) =>
      (await fetch(new URL(path, url), { headers: { origin: 'null' } })).headers.get(
        'access-control-allow-origin',
      )
    const secret = new URL(url).pathname
    expect(secret).toMatch(/^\/[0-9a-f]{32}$/)
    for (const path of ['/', '/?a', `${secret}x`, `/x${secret}`, secret.slice(0, -1), `/?${secret}`]) {
      expect([path, await allowed(path)]).toEqual([path, null])
    }
    expect(await allowed(secret)).toBe('null')
    expect(await allowed(`${secret}?lastEventId=3`)).toBe('null')
    expect((await connect(new URL('/any/path', url).href)).messages.length).toBe(18)
  })

  it('answers what clients ask before they read', async () => {
    const url = await serve('ai-sdk.sse')
    const origin = 'http://localhost:3000'
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin } })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type')
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
  })

  it('starts from the first message after an unknown id', async () => {
    const { messages } = await connect(await serve('core.sse'), { 'last-event-id': 'nowhere' })
    expect(messages[0]?.id).toBe('1')
  })
})
