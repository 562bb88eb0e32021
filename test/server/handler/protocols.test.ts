// Proves that what the handler checks holds for other protocols too: limits, sign-outs, and clients that leave.
import { agUi } from 'turnstream/ag-ui'
import { aiSdk } from 'turnstream/ai-sdk'
import { createCommand } from 'turnstream/commands'
import { chatCompletions } from 'turnstream/openai'
import { memoryStore, type Protocol } from 'turnstream/server'
import { expect, it } from 'vitest'
import type { ProtocolRequest } from '../../../src/server/handler/options.ts'
import { booking, eventually, handled, root, secret } from '../../support/protocols.ts'

const headers = { 'content-type': 'text/event-stream' }
const posting = (command: object) => ({
  ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
  body: JSON.stringify(command),
})

/** A protocol that keeps each response open until its signal is aborted. */
function openProtocol() {
  const requests: ProtocolRequest[] = []
  const protocol: Protocol = async (request) => {
    requests.push(request)
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(': open\n\n'))
        request.signal.addEventListener('abort', () => controller.close())
      },
    })
    return new Response(body, { headers })
  }
  return { requests, protocol }
}

it('ends a response when its user signs out, and when its client leaves', async () => {
  const { requests, protocol } = openProtocol()
  let isSignedIn = true
  const { handler, errors } = handled({
    agent: booking().agent,
    protocols: { open: protocol },
    user: () => (isSignedIn ? 'ann' : undefined),
    signedOutAfterMs: 10,
  })
  const left = await handler(new Request(`${root}/open`))
  const reader = left.body?.getReader()
  await reader?.read()
  await new Promise(setImmediate)
  // The body is waiting for more when its client leaves.
  const next = reader?.read()
  await new Promise(setImmediate)
  await reader?.cancel()
  expect(await next).toEqual({ done: true, value: undefined })
  await new Promise(setImmediate)
  expect([requests[0]?.signal.aborted, errors]).toEqual([true, []])
  const response = await handler(new Request(`${root}/open`))
  isSignedIn = false
  // What has come is not all, and must not look like it.
  await expect(response.text()).rejects.toThrow('signed out')
})

it('counts open responses as streams of their user', async () => {
  const { requests, protocol } = openProtocol()
  const limits = { streamsPerUser: 1 }
  const { fetchAs } = handled({ agent: booking().agent, protocols: { open: protocol }, limits })
  const open = await fetchAs('ann')(`${root}/open`)
  expect((await fetchAs('ann')(`${root}/open`)).status).toBe(429)
  expect((await fetchAs('bob')(`${root}/open`)).status).toBe(200)
  await open.body?.cancel()
  expect((await fetchAs('ann')(`${root}/open`)).status).toBe(200)
  expect(requests).toHaveLength(3)
})

it('applies commands within the limits', async () => {
  const results: unknown[] = []
  const protocol: Protocol = async ({ body, open, submit }) => {
    const stream = await open('main', { create: true })
    if (stream !== undefined) results.push(await submit(stream, body))
    return new Response(null, { status: 204 })
  }
  const agent = booking({ isHeld: true })
  const limits = { tasksPerUser: 1 }
  const { fetchAs } = handled({ agent: agent.agent, protocols: { send: protocol }, limits })
  const message = () => posting(createCommand({ kind: 'task.send', input: 'Book' }))
  await fetchAs('ann')(`${root}/send`, message())
  await eventually(() => expect(agent.begun).toHaveLength(1))
  await fetchAs('ann')(`${root}/send`, message())
  expect(results).toMatchObject([{ receipt: { status: 'accepted' } }, { refusal: { status: 429 } }])
})

it.each([
  ['?context=c', createCommand({ kind: 'task.send', input: 'Hi' })],
  ['/chat', { id: 'c', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] }],
  ['/ag-ui', { threadId: 'c', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'Hi' }] }],
  ['/ag-ui/connect', { threadId: 'c', runId: 'r', messages: [] }],
  ['/v1/chat/completions', { model: 'm', user: 'c', messages: [{ role: 'user', content: 'Hi' }] }],
])('answers whom mayAccess refuses with 403, by %j', async (path, body) => {
  const protocols = { chat: aiSdk(), 'ag-ui': agUi(), 'v1/chat/completions': chatCompletions() }
  let isAllowed = true
  const store = memoryStore({ mayAccess: () => isAllowed })
  const { fetchAs, errors } = handled({ agent: booking().agent, protocols, store })
  const hello = createCommand({ kind: 'task.send', input: 'Hi' })
  expect((await fetchAs('ann')(`${root}?context=c`, posting(hello))).status).toBe(200)
  isAllowed = false
  const response = await fetchAs('ann')(`${root}${path}`, posting(body))
  expect([response.status, await response.json()]).toEqual([403, { error: expect.stringContaining('user') }])
  expect(errors).toEqual([])
})

it('reports the error that a response fails with', async () => {
  const protocol: Protocol = async () =>
    new Response(new ReadableStream({ pull: () => Promise.reject(new Error('broken')) }), { headers })
  const { fetchAs, errors } = handled({ agent: booking().agent, protocols: { broken: protocol } })
  const response = await fetchAs('ann')(`${root}/broken`)
  await expect(response.text()).rejects.toThrow()
  expect(errors).toMatchObject([{ message: 'broken' }])
})

it('allows pages of listed origins the headers of their clients, and no others', async () => {
  const origin = 'https://app.example.com'
  const { handler } = handled({ agent: booking().agent, origins: [origin], hosts: ['localhost'] })
  const preflight = async (from: string, more: Record<string, string> = {}) => {
    const response = await handler(
      new Request(root, { method: 'OPTIONS', headers: { origin: from, ...more } }),
    )
    return [response.status, response.headers.get('access-control-allow-headers')]
  }
  const asked = { 'access-control-request-headers': 'a2a-version, x-stainless-lang' }
  expect(await preflight(origin, asked)).toEqual([204, 'a2a-version, x-stainless-lang'])
  expect(await preflight(origin)).toEqual([
    204,
    'content-type, authorization, last-event-id, turnstream-stream',
  ])
  expect(await preflight('https://evil.example.com', asked)).toEqual([403, null])
})

it('ends a resume that is held when its user signs out', async () => {
  let isSignedIn = true
  const agent = booking()
  const user = () => (isSignedIn ? 'ann' : undefined)
  const server = handled({ agent: agent.agent, protocols: { chat: aiSdk() }, user, signedOutAfterMs: 10 })
  const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Book' }] }]
  await server.postAs('ann')('/chat', { id: 'main', messages })
  const held = server.fetchAs('ann')(`${root}/chat/main/stream`)
  await new Promise((resolve) => setTimeout(resolve, 30))
  isSignedIn = false
  expect((await held).status).toBe(204)
  expect(agent.aborted).toEqual([])
})

it('shows a sender of another role what that role sees', async () => {
  const user = () => ({ role: 'operator', id: 'ann' }) as const
  const server = handled({ agent: booking().agent, protocols: { chat: aiSdk() }, user })
  const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Book' }] }]
  expect(await server.postAs('ann')('/chat', { id: 'main', messages })).toContain(secret)
})
