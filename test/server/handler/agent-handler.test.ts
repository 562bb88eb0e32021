// Proves what the handler of an agent answers, over a real server of Node.
import { request as httpRequest } from 'node:http'
import { createCommand, type Receipt } from 'turnstream/commands'
import { agentHandler, memoryStore } from 'turnstream/server'
import { describe, expect, it, vi } from 'vitest'
import { echo, readUntil, served, userOf } from './served.ts'

const hello = () => createCommand({ kind: 'task.send', input: 'Hello' })
const receiptOf = async (response: Response): Promise<Receipt> => (await response.json()) as Receipt
const taskOf = async (response: Response): Promise<string> =>
  (await receiptOf(response)).results[0]?.taskId ?? ''

describe('a conversation', () => {
  it('begins with its first message, and is resumed after the last event', async () => {
    const { post, get, errors } = await served()
    expect((await get()).status).toBe(404)
    const receipt = await receiptOf(await post(hello()))
    expect(receipt).toMatchObject({ status: 'accepted' })
    const first = await readUntil(await get(), '"completed"')
    expect(first).toContain('Echo: Hello')
    expect(first).not.toContain('internal:')
    const [id = ''] = [...first.matchAll(/^id: ?(.+)$/gm)].map(([, id]) => id).slice(-1)
    await post(createCommand({ kind: 'task.send', input: 'Again' }))
    const second = await readUntil(await get('', { 'last-event-id': id }), 'Again')
    expect(second).not.toContain('Echo: Hello')
    expect(errors).toEqual([])
  })

  it('has heartbeats with padding', async () => {
    const { post, get } = await served({ heartbeatMs: 20, paddingBytes: 100 })
    await post(hello())
    const text = await readUntil(await get(), ' '.repeat(100))
    expect(text).toMatch(/^: ping {100}$/m)
  })

  it('is that of its user, whatever its name', async () => {
    const { post, get } = await served()
    await post(hello(), { 'x-user': 'ann' }, '?context=smith.main')
    for (const [user, context] of [
      ['bob', 'smith.main'],
      ['ann.smith', 'main'],
      ['ann', 'smith'],
      ['ann/smith.main', 'main'],
    ] as const) {
      expect((await get(`?context=${context}`, { 'x-user': user })).status).toBe(404)
    }
    expect((await get('?context=smith.main')).status).toBe(200)
  })

  it('gives its history, as its user may see it', async () => {
    const { post, get } = await served()
    await post(hello())
    await readUntil(await get(), '"completed"')
    const page = await get('/history')
    expect(page.status).toBe(200)
    const text = await page.text()
    expect(text).toContain('Echo: Hello')
    expect(text).not.toContain('internal:')
    expect((await get('/history', { 'x-user': 'bob' })).status).toBe(404)
  })

  it('takes the context of the URL, not that of the body', async () => {
    const { post, get } = await served()
    await post({ ...hello(), contextId: 'other' }, {}, '?context=mine')
    expect((await get('?context=other')).status).toBe(404)
    expect(await readUntil(await get('?context=mine'), 'completed')).toContain('"contextId":"mine"')
  })

  it('gives each command a receipt, and the same command the same', async () => {
    const { post } = await served()
    const command = hello()
    const first = await receiptOf(await post(command))
    const again = await receiptOf(await post(command))
    expect(again).toMatchObject({ status: 'repeated', results: [{ taskId: first.results[0]?.taskId }] })
    for (const [body, status] of [
      ['{"kind":', 'invalid'],
      [null, 'invalid'],
      [{ ...hello(), kind: 'task.praise' }, 'unknown-command'],
      [
        createCommand({ kind: 'input.respond', responses: [{ inputId: 'x', outcome: 'answered' }] }),
        'unknown-request',
      ],
      [createCommand({ kind: 'task.cancel', taskId: 'x' }), 'unknown-task'],
    ] as const) {
      const response = await post(body)
      expect([response.status, await receiptOf(response)]).toMatchObject([200, { status }])
    }
  })
})

describe('refusals', () => {
  it('answers each with its status', async () => {
    const { post, get, url } = await served({ limits: { bodyBytes: 1000 } })
    await post(hello())
    const statuses = async (responses: Promise<Response>[]): Promise<number[]> =>
      Promise.all(responses.map(async (response) => (await response).status))
    const put = fetch(`${url}/agent`, { method: 'PUT', headers: { 'x-user': 'ann' }, body: 'x' })
    expect(
      await statuses([
        fetch(`${url}/agent`),
        get('?context=none'),
        get(`?context=${'x'.repeat(9000)}`),
        get('/history?context=none'),
        put,
        post({ ...hello(), input: 'x'.repeat(2000) }),
        post(hello(), { 'content-type': 'text/plain' }),
        post(hello(), { 'content-type': 'application/x-www-form-urlencoded' }),
        post(createCommand({ kind: 'task.cancel' }), {}, '?context=none'),
      ]),
    ).toEqual([401, 404, 404, 404, 405, 413, 415, 415, 404])
  })

  it('refuses a body without a stated length that is too long', async () => {
    const { url } = await served({ limits: { bodyBytes: 1000 } })
    const chunks = Array.from({ length: 10 }, () => new TextEncoder().encode('x'.repeat(200)))
    const response = await fetch(`${url}/agent`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json', 'x-user': 'ann' } },
      ...{
        body: new ReadableStream({ pull: (c) => (chunks.length > 0 ? c.enqueue(chunks.pop()) : c.close()) }),
      },
      ...{ duplex: 'half' },
    } as RequestInit)
    expect(response.status).toBe(413)
  })

  it('refuses pages of other sites, and gives those of `origins` CORS headers', async () => {
    const { post, get, url } = await served({ origins: ['https://app.example.com'], hosts: ['127.0.0.1'] })
    for (const origin of ['https://evil.example.com', 'null', 'http://127.0.0.1:1']) {
      expect((await post(hello(), { origin })).status).toBe(403)
      expect((await get('', { origin })).status).toBe(403)
    }
    expect((await post(hello(), { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await post(hello(), { origin: url })).status).toBe(200)
    const origin = 'https://app.example.com'
    const answered = await post(hello(), { origin })
    expect([answered.status, answered.headers.get('access-control-allow-origin')]).toEqual([200, origin])
    const preflight = await fetch(`${url}/agent`, { method: 'OPTIONS', headers: { origin } })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toMatchObject([
      204,
      expect.stringContaining('content-type'),
    ])
    // A page learns of a failure, too.
    const failed = await post(hello(), { origin, 'x-user': '' })
    expect([failed.status, failed.headers.get('access-control-allow-origin')]).toEqual([401, origin])
  })

  it('refuses other hosts: the name of another site may lead here', async () => {
    const { url } = await served()
    const statusOf = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { host, origin: `http://${host}`, 'x-user': 'ann' }
        httpRequest(`${url}/agent`, { headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
          .on('error', reject)
          .end()
      })
    expect(await statusOf('evil.example:3000')).toBe(421)
    expect(await statusOf('localhost:3000')).toBe(404)
    expect(await statusOf('[::1]:3000')).toBe(404)
  })

  it('treats a failure of `user` as nobody, and reports mistakes in it and failures of the store', async () => {
    const failing = await served({ user: () => Promise.reject(new Error('no database')) })
    expect([(await failing.get()).status, failing.errors]).toEqual([401, []])
    const mistake = new TypeError('request.cookies is not a function')
    const mistaken = await served({ user: () => Promise.reject(mistake) })
    expect([(await mistaken.get()).status, mistaken.errors]).toEqual([401, [mistake]])
    for (const code of ['unavailable', 'released']) {
      const error = Object.assign(new Error('late'), { code })
      const store = { ...memoryStore(), open: () => Promise.reject(error) }
      const { get, errors } = await served({ store })
      const response = await get()
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
      expect(errors).toEqual([error])
    }
  })
})

it('prints what goes wrong, unless `onError` takes it', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  try {
    const cause = new Error('no key')
    const agent = (): never => {
      throw cause
    }
    const { get, post } = await served({ agent, onError: undefined as never })
    await post(hello())
    expect(await readUntil(await get(), '"failed"')).not.toContain('no key')
    expect(printed.mock.calls).toEqual([[cause]])
  } finally {
    printed.mockRestore()
  }
})

describe('limits', () => {
  it('bounds what one user may begin, run and read', async () => {
    const limits = { contextsPerUser: 2, tasksPerUser: 1, streamsPerUser: 1 }
    const finish: (() => void)[] = []
    const agent = async function* () {
      await new Promise<void>((resolve) => finish.push(resolve))
      yield { kind: 'content-complete', content: 'Done.' } as const
    }
    const { post, get } = await served({ limits, agent })
    expect((await post(hello(), {}, '?context=a')).status).toBe(200)
    expect((await post(hello(), {}, '?context=a')).status).toBe(429)
    expect((await post(hello(), { 'x-user': 'bob' })).status).toBe(200)
    await vi.waitUntil(() => finish.length === 2)
    for (const end of finish) end()
    const open = await get('?context=a')
    expect(open.status).toBe(200)
    expect((await get('?context=a')).status).toBe(429)
    await open.body?.cancel()
    await vi.waitUntil(async () => {
      const again = await get('?context=a')
      await again.body?.cancel()
      return again.status === 200
    })
    await vi.waitUntil(async () => (await post(hello(), {}, '?context=b')).status === 200)
    expect((await post(hello(), {}, '?context=c')).status).toBe(429)
  })
})

describe('messages while a task runs', () => {
  function held() {
    const began: string[] = []
    const release = new Map<string, () => void>()
    const agent = async function* (task: { input: unknown; turns: readonly unknown[]; signal: AbortSignal }) {
      began.push(`${String(task.input)} ${task.turns.length}`)
      await new Promise<void>((resolve) => {
        release.set(String(task.input), resolve)
        task.signal.addEventListener('abort', () => resolve())
      })
      yield { kind: 'content-complete', content: `Re: ${String(task.input)}` } as const
    }
    return { began, release, agent }
  }
  const say = (input: string) => createCommand({ kind: 'task.send', input })

  it('queues them: the second begins when the first has ended, and knows what it said', async () => {
    const { began, release, agent } = held()
    const { post, get } = await served({ agent })
    await post(say('one'))
    await post(say('two'))
    await readUntil(await get(), '"submitted"')
    expect(began).toEqual(['one 1'])
    release.get('one')?.()
    await vi.waitUntil(() => began.length === 2, 10_000)
    expect(began).toEqual(['one 1', 'two 3'])
    release.get('two')?.()
    expect(await readUntil(await get(), 'Re: two')).toContain('Re: one')
  })

  it('cancels one that is queued at once', async () => {
    const { began, release, agent } = held()
    const { post, get } = await served({ agent })
    await post(say('one'))
    const taskId = await taskOf(await post(say('two')))
    await readUntil(await get(), '"submitted"')
    await post(createCommand({ kind: 'task.cancel', taskId }))
    expect(await readUntil(await get(), '"canceled"')).toContain(taskId)
    release.get('one')?.()
    await readUntil(await get(), 'Re: one')
    expect(began).toEqual(['one 1'])
  })

  it('refuses them, or runs them side by side, if that is the option', async () => {
    const refusing = held()
    const { post } = await served({ agent: refusing.agent, whileRunning: 'refuse' })
    await post(say('one'))
    expect((await receiptOf(await post(say('two')))).status).toBe('busy')
    const parallel = held()
    const other = await served({ agent: parallel.agent, whileRunning: 'parallel' })
    await other.post(say('one'))
    await other.post(say('two'))
    await vi.waitUntil(() => parallel.began.length === 2, 10_000)
    for (const { release } of [refusing, parallel]) for (const go of release.values()) go()
  })

  it('never takes input for a task that runs and reads none as accepted', async () => {
    const { release, agent } = held()
    const { post } = await served({ agent })
    const taskId = await taskOf(await post(say('one')))
    const receipt = await receiptOf(await post({ ...say('more'), taskId }))
    expect(receipt).toMatchObject({ status: 'unsupported', results: [{ taskId }] })
    release.get('one')?.()
  })
})

it('ends an open stream soon after its reader has signed out', async () => {
  let isSignedIn = true
  const user = (request: Request) => (isSignedIn ? userOf(request) : undefined)
  const { post, get } = await served({ user, signedOutAfterMs: 10 })
  await post(hello())
  const open = await get()
  isSignedIn = false
  // The body ends by itself.
  expect(await open.text()).toContain('Echo: Hello')
  expect((await get()).status).toBe(401)
})

it('hands requests below its path to protocols, after access was checked', async () => {
  const protocols = {
    chat: async ({ path, body, sender, open }: Parameters<import('turnstream/server').Protocol>[0]) => {
      const stream = await open('main', { create: true })
      return Response.json({ path, body, sender, isOpen: stream !== undefined })
    },
  }
  const { url, get } = await served({ protocols })
  const headers = { 'x-user': 'ann', 'content-type': 'application/json' }
  const response = await fetch(`${url}/agent/chat/a%20b/stream`, { method: 'POST', headers, body: '{"a":1}' })
  expect(await response.json()).toEqual({
    ...{ path: ['a b', 'stream'], body: { a: 1 } },
    ...{ sender: { role: 'user', id: 'ann' }, isOpen: true },
  })
  expect((await get('/chat', { 'x-user': '' })).status).toBe(401)
})

it('gives pages of other origins what a protocol has fetched', async () => {
  const proxy = () => fetch('data:application/json,{}')
  const options = { hosts: ['127.0.0.1'], origins: ['https://app.example.com'], protocols: { proxy } }
  const { get, errors } = await served(options)
  const response = await get('/proxy', { origin: 'https://app.example.com' })
  expect([response.status, await response.json(), errors]).toEqual([200, {}, []])
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
})

it('asks nothing of a server: a request in, a response out', async () => {
  const handler = agentHandler({ store: memoryStore(), user: () => 'me', agent: echo })
  const command = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(hello()),
  }
  const response = await handler(new Request('http://localhost/anything', command))
  expect(await response.json()).toMatchObject({ status: 'accepted' })
})
