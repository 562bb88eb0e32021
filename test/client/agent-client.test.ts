// Proves what a client shows and sends, against a real handler on a real server.
import { uiMessages } from 'turnstream/ai-sdk'
import { type AgentState, agentClient, CommandError } from 'turnstream/client'
import type { Agent } from 'turnstream/server'
import { describe, expect, it, vi } from 'vitest'
import type { OpenRequest } from '../../src/streams/open-request.ts'
import { hastenWaits } from '../support/fake-time.ts'
import { isDone, openShop, textsOf } from './pages.ts'

hastenWaits()

describe('a conversation', () => {
  it('is idle before its first message, and shows the answer as it comes', async () => {
    const { page } = await openShop()
    const { client, until } = page('ann')
    expect(client.getSnapshot().connection).toBe('connecting')
    await until(({ connection }) => connection === 'idle')
    expect((await client.send('Hello')).status).toBe('accepted')
    const state = await until(isDone(1))
    expect(state.connection).toBe('open')
    expect(textsOf(state)).toEqual(['Hello > You said Hello'])
    expect(state).not.toHaveProperty('error')
  })

  it('is the same on all devices of its user, and nobody else sees it', async () => {
    const { page } = await openShop()
    const [here, there, other] = [page('ann'), page('ann'), page('bob')]
    await here.client.send('Hello')
    await there.client.send('Again')
    for (const { until } of [here, there]) expect(textsOf(await until(isDone(2)))).toHaveLength(2)
    await other.client.send('Mine')
    expect(textsOf(await other.until(isDone(1)))).toEqual(['Mine > You said Mine'])
  })

  it('goes on after a lost connection, with each event once', async () => {
    const { page, disconnect } = await openShop()
    const { client, until } = page('ann')
    await client.send('One')
    await until(isDone(1))
    disconnect()
    await until(({ connection }) => connection === 'reconnecting')
    await client.send('Two')
    const state = await until(isDone(2))
    expect(textsOf(state)).toEqual(['One > You said One', 'Two > You said Two'])
    expect(state.view.diagnostics).toEqual([])
  })

  it('continues after a reload with what was saved', async () => {
    const { page, statuses } = await openShop()
    const first = page('ann')
    await first.client.send('One')
    await first.until(isDone(1))
    first.leave()
    const saved = JSON.parse(JSON.stringify(first.client.save()))
    const second = page('ann', { saved })
    expect(textsOf(second.client.getSnapshot())).toEqual(['One > You said One'])
    await second.client.send('Two')
    expect((await second.until(isDone(2))).isStale).toBe(false)
    expect(statuses).not.toContain(410)
  })

  it('shows the newest messages first, and earlier ones page by page', async () => {
    const { page } = await openShop()
    const first = page('ann')
    const messages = ['One', 'Two', 'Three'].map((word) => word.padEnd(400_000, '.'))
    for (const [n, message] of messages.entries()) {
      await first.client.send(message)
      await first.until(isDone(n + 1))
    }
    // What newcomers get is shared for a second.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const late = page('ann')
    const newest = await late.until(isDone(1))
    expect(textsOf(newest)).toEqual(textsOf(first.client.getSnapshot()).slice(2))
    expect(newest.view.older).toBe(newest.view.tasks[0]?.taskId)
    expect(await late.client.older()).toBe(true)
    expect(textsOf(late.client.getSnapshot())).toHaveLength(2)
    expect(await late.client.older()).toBe(false)
    expect(textsOf(late.client.getSnapshot())).toEqual(textsOf(first.client.getSnapshot()))
    expect(late.client.getSnapshot().view.older).toBeUndefined()
    await late.client.send('Four')
    expect(textsOf(await late.until(isDone(4)))).toHaveLength(4)
  })

  it('connects with the first listener, leaves with the last, and continues with the next', async () => {
    const connections: AbortSignal[] = []
    const send: typeof fetch = async (_, init) => {
      if (init?.signal) connections.push(init.signal)
      return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
    }
    const client = agentClient('http://shop.test/agent', { fetch: send })
    expect(connections).toEqual([])
    const [leave, other] = [client.subscribe(() => undefined), client.subscribe(() => undefined)]
    leave()
    leave()
    await vi.waitFor(() => expect(client.getSnapshot().connection).toBe('open'))
    expect(connections.map(({ aborted }) => aborted)).toEqual([false])
    other()
    await vi.waitFor(() => expect(connections.map(({ aborted }) => aborted)).toEqual([true]))
    const again = client.subscribe(() => undefined)
    await vi.waitFor(() => expect(connections.map(({ aborted }) => aborted)).toEqual([true, false]))
    again()
  })

  it('goes on when a listener throws, which is reported as the platform does', async () => {
    const { page } = await openShop()
    const { client, until } = page('ann')
    const reported: unknown[] = []
    const report = (error: unknown): unknown => reported.push(error)
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', report)
    const leave = client.subscribe(() => {
      throw new Error('It cannot be rendered.')
    })
    try {
      await client.send('Hello')
      expect((await until(isDone(1))).connection).toBe('open')
      await vi.waitFor(() => expect(reported).toContainEqual(new Error('It cannot be rendered.')))
    } finally {
      leave()
      // What was thrown last is reported after this.
      await new Promise((resolve) => setTimeout(resolve))
      process.removeListener('unhandledRejection', report)
      for (const other of others) process.on('unhandledRejection', other)
    }
  })

  it('has another conversation for each name', async () => {
    const { page } = await openShop()
    const [main, trip] = [page('ann'), page('ann', { contextId: 'a trip/&?' })]
    await main.client.send('Hello')
    await trip.client.send('Pack')
    expect(textsOf(await main.until(isDone(1)))).toEqual(['Hello > You said Hello'])
    expect(textsOf(await trip.until(isDone(1)))).toEqual(['Pack > You said Pack'])
  })
})

describe('requests', () => {
  it('are approved on one page, and all see it', async () => {
    const { page } = await openShop()
    const [here, there] = [page('ann'), page('ann')]
    await here.client.send('pay')
    const { requests } = await there.until((state) => state.requests.length === 1)
    expect(requests[0]?.call).toMatchObject({ toolName: 'pay', arguments: '{"amount":5}' })
    expect((await there.client.approve(requests[0]?.id ?? '')).status).toBe('accepted')
    const state = await here.until(isDone(1))
    expect(textsOf(state)).toEqual(['pay > You said pay: approved'])
    expect(state.requests).toEqual([])
  })

  it('are declined with a reason, and answered once', async () => {
    const { page } = await openShop()
    const { client, until } = page('ann')
    await client.send('pay')
    const { requests } = await until((state) => state.requests.length === 1)
    const id = requests[0]?.id ?? ''
    expect((await client.decline(id, 'Too much.')).status).toBe('accepted')
    expect(textsOf(await until(isDone(1)))).toEqual(['pay > You said pay: declined'])
    expect((await client.approve(id)).status).not.toBe('accepted')
  })

  it('are parts of the AI SDK, live on each page, and answered by the id of the approval', async () => {
    const { page } = await openShop()
    const [here, there] = [page('ann'), page('ann')]
    const partsOf = ({ view }: AgentState) =>
      uiMessages(view).flatMap(({ role, parts }) => parts.map((part) => ({ role, ...part })))
    await here.client.send('pay')
    const asked = partsOf(await there.until((state) => state.requests.length === 1))
    expect(asked[0]).toMatchObject({ role: 'user', type: 'text', text: 'pay' })
    const approval = asked.flatMap((part) => ('approval' in part && part.approval) || [])[0]
    expect((await there.client.approve(approval?.id ?? '')).status).toBe('accepted')
    for (const { until } of [here, there])
      expect(partsOf(await until(isDone(1)))).toContainEqual(
        expect.objectContaining({ toolName: 'pay', state: 'output-available', output: 'paid' }),
      )
  })

  it('of two tasks with the same id are answered by their task, and none by the id alone', async () => {
    const asked = new Map<string, string>()
    const agent: Agent = async function* (task) {
      const question = { inputId: 'q', prompt: `${task.input}?`, timeoutMs: 60_000 }
      const reply = yield* task.ask(question)
      asked.set(String(task.input), reply.status === 'answered' ? String(reply.value) : reply.status)
      const start = { toolCallId: 'c', toolName: 'look', arguments: {} }
      yield { kind: 'tool-start', ...start, metadata: { provider: 'client' } }
      const toolCall = { id: 'c', function: { name: 'look', arguments: '{}' } }
      const metadata = { provider: 'client' as const, toolCall }
      yield { kind: 'input-required', inputId: 'i', inputType: 'tool-execution', prompt: 'Look.', metadata }
      yield { kind: 'task-status', status: 'waiting-input' }
      await new Promise((resolve) => task.signal.addEventListener('abort', resolve))
    }
    const { page } = await openShop({ agent, whileRunning: 'parallel' })
    const { client, until } = page('ann')
    await client.send('One')
    await client.send('Two')
    const both = await until(({ requests }) => requests.length === 2)
    const of = (text: string, { requests }: AgentState = both) => {
      const { tasks } = client.getSnapshot().view
      const { taskId } = tasks.find(({ input }) => input === text) as { taskId: string }
      return requests.find((request) => request.taskId === taskId) as OpenRequest
    }
    for (const act of [client.answer('q', 'No'), client.approve('q'), client.decline('q')])
      expect((await act).results[0]?.status).toBe('ambiguous')
    expect(asked.size).toBe(0)
    expect((await client.answer(of('Two'), 'To you')).status).toBe('accepted')
    await until(({ requests }) => requests.some(({ call }) => call !== undefined))
    expect([...asked]).toEqual([['Two', 'To you']])
    // The only one that is left has the id alone.
    expect((await client.decline('q')).status).toBe('accepted')
    const calls = await until(
      ({ requests }) => requests.filter(({ call }) => call !== undefined).length === 2,
    )
    expect([...asked]).toEqual([
      ['Two', 'To you'],
      ['One', 'declined'],
    ])
    expect((await client.result('c', 'quay')).results[0]?.status).toBe('ambiguous')
    expect((await client.result(of('One', calls), 'quay')).status).toBe('accepted')
    const left = await until(({ requests }) => requests.length === 1)
    expect(left.requests[0]?.taskId).toBe(of('Two', calls).taskId)
    expect((await client.result('c', 'sea')).status).toBe('accepted')
    await client.cancel()
  })

  it('take no other arguments than the request lets be edited', async () => {
    const { page } = await openShop()
    const { client, until } = page('ann')
    await client.send('pay')
    const { requests } = await until((state) => state.requests.length === 1)
    expect((await client.approve(requests[0]?.id ?? '', '{"amount":500}')).status).toBe('invalid')
  })

  it('end with their task', async () => {
    const { page } = await openShop()
    const { client, until } = page('ann')
    await client.send('pay')
    await until((state) => state.requests.length === 1)
    expect((await client.cancel()).status).toBe('accepted')
    const state = await until(({ view }) => view.tasks[0]?.status === 'canceled')
    expect(state.requests).toEqual([])
  })
})

describe('what the server has lost', () => {
  it('stays, marked, before the first message after it', async () => {
    const { page, loseAll } = await openShop()
    const { client, until } = page('ann')
    await client.send('One')
    await until(isDone(1))
    loseAll()
    const lost = await until(({ connection }) => connection === 'idle')
    expect(lost.isStale).toBe(true)
    expect(textsOf(lost)).toEqual(['One > You said One'])
    await client.send('Two')
    const state = await until(isDone(2))
    expect(textsOf(state)).toEqual(['One > You said One', 'Two > You said Two'])
    expect(state).toMatchObject({ isStale: true, connection: 'open' })
    expect(client.save().view.tasks).toHaveLength(1)
  })

  it('stays if another page has begun the conversation anew', async () => {
    const { page, loseAll } = await openShop()
    const [here, there] = [page('ann'), page('ann')]
    await here.client.send('One')
    await here.until(isDone(1))
    here.leave()
    there.leave()
    loseAll()
    const saved = here.client.save()
    const other = page('ann')
    await other.client.send('Two')
    await other.until(isDone(1))
    const again = page('ann', { saved })
    expect(textsOf(await again.until(isDone(2)))).toEqual(['One > You said One', 'Two > You said Two'])
    expect(again.client.getSnapshot().isStale).toBe(true)
  })

  it('stays as long as the server has nothing, and after a reload', async () => {
    const { page, loseAll } = await openShop()
    const { client, until } = page('ann')
    await client.send('One')
    await until(isDone(1))
    loseAll()
    await until(({ connection }) => connection === 'idle')
    // It looks again, and finds nothing.
    await expect(client.cancel()).rejects.toMatchObject({ status: 404 })
    const again = page('ann', { saved: JSON.parse(JSON.stringify(client.save())) })
    const state = await again.until(({ connection }) => connection === 'idle')
    expect([textsOf(state), state.isStale]).toEqual([['One > You said One'], true])
  })

  it('is not shown to another user who signs in after it was lost', async () => {
    const { page, loseAll } = await openShop()
    const mine = page('ann')
    await mine.client.send('Secret')
    await mine.until(isDone(1))
    loseAll()
    await mine.until(({ connection }) => connection === 'idle')
    const bob = page('bob')
    await bob.client.send('Hello')
    await bob.until(isDone(1))
    mine.user = 'bob'
    await mine.client.send('Again').catch(() => undefined)
    await mine.client.send('More').catch(() => undefined)
    const saved = page('bob', { saved: mine.client.save() })
    for (const each of [mine, saved]) {
      const state = await each.until((now) => textsOf(now).some((text) => text.includes('Hello')))
      expect(textsOf(state).join()).not.toContain('Secret')
      expect(JSON.stringify(each.client.save())).not.toContain('Secret')
    }
  })

  it('has no requests that can be answered', async () => {
    const { page, loseAll } = await openShop()
    const { client, until } = page('ann')
    await client.send('pay')
    await until(({ requests }) => requests.length === 1)
    loseAll()
    const state = await until(({ connection }) => connection === 'idle')
    expect(state.requests).toEqual([])
  })

  it.each(['with', 'without'])('is not shown to another user who signs in %s a conversation', async (has) => {
    const { page, disconnect } = await openShop()
    const mine = page('ann')
    await mine.client.send('Secret')
    await mine.until(isDone(1))
    if (has === 'with') {
      const bob = page('bob')
      await bob.client.send('Hello')
      await bob.until(isDone(1))
    }
    mine.user = 'bob'
    disconnect()
    const isBobs = has === 'with' ? isDone(1) : () => true
    const state = await mine.until(
      (now) =>
        isBobs(now) && ['idle', 'open'].includes(now.connection) && !textsOf(now).join().includes('Secret'),
    )
    expect(state.isStale).toBe(false)
    expect(JSON.stringify(mine.client.save())).not.toContain('Secret')
  })
})

describe('failures', () => {
  it('keeps what it shows when a proxy answers that there is nothing', async () => {
    const { page, disconnect } = await openShop()
    let isGone = false
    const mine = page('ann')
    const send: typeof fetch = (input, init) => {
      if (isGone) return Promise.resolve(new Response('<h1>Not found</h1>', { status: 404 }))
      return fetch(input, { ...init, headers: { ...(init?.headers as object), 'x-user': 'ann' } })
    }
    await mine.client.send('One')
    const other = page('ann', { fetch: send })
    await other.until(isDone(1))
    isGone = true
    disconnect()
    const state = await other.until(({ connection }) => connection === 'idle')
    expect(textsOf(state)).toEqual(['One > You said One'])
    isGone = false
    await other.client.send('Two')
    expect(await other.until(isDone(2))).toMatchObject({ isStale: false })
  })

  it('says that nobody is signed in, and goes on when somebody is', async () => {
    const { page } = await openShop()
    const mine = page(undefined)
    await mine.until(({ connection }) => connection === 'signed-out')
    await expect(mine.client.send('Hello')).rejects.toMatchObject({ name: 'CommandError', status: 401 })
    mine.user = 'ann'
    await mine.client.send('Hello')
    expect(textsOf(await mine.until(isDone(1)))).toEqual(['Hello > You said Hello'])
  })

  it('sends nothing of one user as another who has signed in since', async () => {
    const { page } = await openShop()
    const mine = page('ann')
    await mine.client.send('One')
    await mine.until(isDone(1))
    const bob = page('bob')
    await bob.client.send('Hello')
    await bob.until(isDone(1))
    mine.user = 'bob'
    await expect(mine.client.send('Secret')).rejects.toMatchObject({ status: 409 })
    await expect(mine.client.older()).rejects.toMatchObject({ status: 409 })
    expect(textsOf(bob.client.getSnapshot())).toEqual(['Hello > You said Hello'])
  })

  it('looks again after it has ended, once something is sent', async () => {
    const { page, disconnect } = await openShop()
    let isWrong = false
    const send: typeof fetch = (input, init) => {
      if (isWrong && init?.method === undefined) return Promise.resolve(new Response('<html>'))
      return fetch(input, { ...init, headers: { ...(init?.headers as object), 'x-user': 'ann' } })
    }
    const { client, until } = page('ann', { fetch: send })
    await client.send('One')
    await until(isDone(1))
    isWrong = true
    disconnect()
    await until(({ connection }) => connection === 'ended')
    isWrong = false
    await client.send('Two')
    expect(await until(isDone(2))).toMatchObject({ connection: 'open' })
  })

  it('states why it has ended', async () => {
    const page = async (): Promise<Response> =>
      new Response('<html>', { headers: { 'content-type': 'text/html' } })
    const client = agentClient('http://shop.test/agent', { fetch: page })
    const leave = client.subscribe(() => undefined)
    await vi.waitFor(() => expect(client.getSnapshot().connection).toBe('ended'))
    expect(client.getSnapshot().error).toMatchObject({ name: 'ResponseError', contentType: 'text/html' })
    await expect(client.send('Hello')).rejects.toThrow(CommandError)
    leave()
  })

  it('sends a command again, with the same id, until it has a receipt', async () => {
    const bodies: string[] = []
    const send: typeof fetch = async (_, init) => {
      bodies.push(String(init?.body))
      if (bodies.length === 1) throw new TypeError('fetch failed')
      if (bodies.length === 2) return Response.json({ error: 'The store does not answer.' }, { status: 503 })
      return Response.json({ status: 'accepted', results: [] })
    }
    const client = agentClient('http://shop.test/agent', { fetch: send })
    expect(await client.send('Hello')).toMatchObject({ status: 'accepted' })
    expect(new Set(bodies).size).toBe(1)
    expect(bodies).toHaveLength(3)
  })

  it('sends a command again that has no answer in time', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort())
    try {
      const send = vi.fn<typeof fetch>(async (_, init) => {
        if (send.mock.calls.length > 1) return Response.json({ status: 'accepted', results: [] })
        init?.signal?.throwIfAborted()
        return new Promise(() => {})
      })
      const client = agentClient('http://shop.test/agent', { fetch: send })
      expect(await client.send('Hello')).toMatchObject({ status: 'accepted' })
      expect(timeout.mock.calls[0]).toEqual([30_000])
    } finally {
      timeout.mockRestore()
    }
  })

  it.each([400, 403, 409, 413, 415, 429])(
    'does not repeat a command that is refused with %d',
    async (status) => {
      const send = vi.fn<typeof fetch>(async () => Response.json({ error: 'No.' }, { status }))
      const client = agentClient('http://shop.test/agent', { fetch: send })
      const error = await client.cancel().catch((error: unknown) => error)
      expect(error).toMatchObject({ status, message: `Expected a receipt, got status ${status}: No.` })
      expect(send).toHaveBeenCalledTimes(1)
    },
  )
})

describe('forms', () => {
  const formOf = (fields: Readonly<Record<string, string>>): FormData => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return form
  }

  it('send the text of their field, or all fields; not an empty text', async () => {
    const { page } = await openShop()
    const { client, until } = page('ann')
    expect(client.send(formOf({ text: 'Hello' }))).toBeUndefined()
    await until(isDone(1))
    client.send(formOf({ text: ' ' }))
    client.send(formOf({ from: 'Bern', to: 'Rome' }))
    const { view } = await until(isDone(2))
    expect(view.tasks.map(({ input }) => input)).toEqual(['Hello', { from: 'Bern', to: 'Rome' }])
  })

  it('state why they were not sent, until one is', async () => {
    const { page } = await openShop({ limits: { bodyBytes: 400 } })
    const { client, until } = page('ann')
    client.send(formOf({ text: 'long '.repeat(100) }))
    expect((await until(({ error }) => error !== undefined)).error).toMatchObject({ status: 413 })
    client.send(formOf({ text: 'short' }))
    await until(({ error, view }) => error === undefined && view.tasks.length === 1)
  })

  it('send no files', () => {
    const client = agentClient('http://shop.test/agent')
    const form = new FormData()
    form.set('photo', new Blob(['x']))
    expect(() => client.send(form)).toThrow(TypeError)
  })
})
