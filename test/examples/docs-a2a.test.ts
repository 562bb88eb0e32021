// Proves that the server that docs/a2a.md shows has a card for clients of both versions, and answers each call.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { ClientFactory } from '@a2a-js/sdk/client'
import { A2AClient } from 'a2a-sdk-03/client'
import { afterAll, expect, it } from 'vitest'
import { serve } from '../../examples/docs/a2a-server.ts'
import { agent } from '../../examples/docs/plain-agent.ts'

const probe = serve(agent, () => undefined, 'http://127.0.0.1:0')
await once(probe, 'listening')
const { port } = probe.address() as AddressInfo
await new Promise((resolve) => probe.close(resolve))

const origin = `http://127.0.0.1:${port}`
const server = serve(agent, () => 'ann', origin)
await once(server, 'listening')
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

it('serves a client of 1.0', async () => {
  const client = await new ClientFactory().createFromUrl(`${origin}/`, '.well-known/agent-card.json')
  expect(await client.getAgentCard()).toMatchObject({ name: 'Payments' })
})

it('serves a client of 0.3: send, stream, get, subscribe and cancel', async () => {
  const client = await A2AClient.fromCardUrl(`${origin}/.well-known/agent-card.json`)
  const message = (id: string, parts: object[], more: object = {}) =>
    ({ message: { kind: 'message', role: 'user', messageId: id, parts, ...more } }) as never
  const items: { id?: string; contextId?: string; status?: { state: string } }[] = []
  for await (const item of client.sendMessageStream(message('m-1', [{ kind: 'text', text: 'it' }])))
    items.push(structuredClone(item) as never)
  expect(items.at(-1)?.status?.state).toBe('input-required')
  const [{ id: taskId = '', contextId } = {}] = items
  expect(await client.getTask({ id: taskId })).toMatchObject({ result: { id: taskId } })
  const answer = [{ kind: 'data', data: { approved: true } }]
  const answered = await client.sendMessage(message('m-2', answer, { taskId, contextId }))
  expect(answered).toMatchObject({ result: { status: { state: 'completed' } } })
  const waiting = await client.sendMessage(message('m-3', [{ kind: 'text', text: 'that' }]))
  const { id } = (waiting as { result: { id: string } }).result
  const again = client.resubscribeTask({ id })
  expect((await again.next()).value).toMatchObject({ kind: 'task', id })
  expect(await client.cancelTask({ id })).toMatchObject({ result: { status: { state: 'canceled' } } })
  const rest: unknown[] = []
  for await (const item of again) rest.push(structuredClone(item))
  expect(rest.at(-1)).toMatchObject({ kind: 'status-update', status: { state: 'canceled' } })
})
