// Proves that the clients of both versions of A2A use an agent behind a handler: send, stream, answer, get, subscribe and cancel.
import type { Message, SendMessageRequest, StreamResponse } from '@a2a-js/sdk'
import { Role } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client'
import { A2AClient } from 'a2a-sdk-03/client'
import { a2a } from 'turnstream/a2a'
import type { Agent } from 'turnstream/server'
import { describe, expect, it } from 'vitest'
import { onWire } from '../../../../src/dialects/a2a/serve/task-id.ts'
import type { TaskEvents } from '../../../../src/server/protocol/read-task.ts'
import {
  booking,
  eventually,
  handled,
  root,
  secret,
  textAfter,
  textBefore,
  textDeclined,
} from '../../../support/protocols.ts'

const url = `${root}/a2a`
const skills = [{ id: 'book', name: 'Book', description: 'Books trains.', tags: ['trains'] }]
const common = {
  ...{ name: 'Booking', description: 'Books trains.', version: '1.0.0', skills },
  ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
  capabilities: { streaming: true },
}
const cards = {
  '1.0': { ...common, supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] },
  '0.3': { ...common, protocolVersion: '0.3.0', url, preferredTransport: 'JSONRPC' },
}

function served(agent: Agent, version: keyof typeof cards = '1.0') {
  const server = handled({ agent, protocols: { a2a: a2a({ card: cards[version] }) } })
  let id = 0
  /** A call of JSON-RPC by hand. */
  const call = async (method: string, params: object, user = 'ann') => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
    const response = await server.fetchAs(user)(url, { method: 'POST', headers, body })
    const text = await response.text()
    const lines = text.startsWith('data: ')
      ? text.split('\n').filter((line) => line.startsWith('data: '))
      : []
    return lines.length > 0
      ? lines.map((line) => JSON.parse(line.slice(6)) as Reply)
      : [JSON.parse(text) as Reply]
  }
  return { ...server, call }
}

interface Reply {
  readonly id: number
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of it depends on the test.
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string }
}

const text = (value: unknown): string => JSON.stringify(value)

describe('version 1.0, by its SDK', () => {
  const message = (parts: object[], more: object = {}): SendMessageRequest => ({
    ...{ tenant: '', metadata: undefined, configuration: undefined },
    message: {
      ...{ messageId: `m-${Math.random()}`, contextId: '', taskId: '', role: Role.ROLE_USER },
      ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
      ...more,
      parts,
    } as unknown as Message,
  })
  const say = (value: string) => ({
    ...{ content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' },
  })
  const data = (value: object) => ({
    ...{ content: { $case: 'data', value }, metadata: undefined, filename: '', mediaType: '' },
  })

  async function connected(agent: Agent, user = 'ann', server = served(agent)) {
    const fetchImpl = server.fetchAs(user) as typeof fetch
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    })
    const client = await factory.createFromUrl(`${url}/`, '.well-known/agent-card.json')
    return { server, client }
  }

  async function streamOf(client: Client, request: SendMessageRequest): Promise<StreamResponse[]> {
    const items: StreamResponse[] = []
    for await (const item of client.sendMessageStream(request)) items.push(structuredClone(item))
    return items
  }

  const idsOf = (items: readonly StreamResponse[]) => {
    const [{ payload } = {}] = items as readonly { payload?: StreamResponse['payload'] }[]
    if (payload?.$case !== 'task') throw new TypeError('Expected a task first.')
    return { taskId: payload.value.id, contextId: payload.value.contextId }
  }

  it('streams, asks, and is answered', async () => {
    const agent = booking()
    const { client, server } = await connected(agent.agent)
    const first = await streamOf(client, message([say('Book')]))
    const ids = idsOf(first)
    expect(text(first)).toContain('a train')
    expect(text(first.at(-1))).toContain('Run book?')
    expect(text(first)).not.toContain(secret)
    const asked = await client.getTask({ tenant: '', id: ids.taskId, historyLength: undefined })
    expect(text(asked.history)).toContain('Book')
    const second = await streamOf(client, message([data({ approved: true })], ids))
    expect(idsOf(second)).toEqual(ids)
    expect([text(second.at(-1)).includes('"state":3'), agent.calls, agent.begun]).toEqual([true, 1, ['Book']])
    const task = await client.getTask({ tenant: '', id: ids.taskId, historyLength: undefined })
    expect(text(task.artifacts)).toContain(textAfter)
    expect(server.errors).toEqual([])
  })

  it('sends and waits, in the conversation that is named', async () => {
    const agent = booking()
    const { client } = await connected(agent.agent)
    const first = await client.sendMessage(message([say('Book')], { contextId: 'trip' }))
    const { id, contextId } = first as { id: string; contextId: string }
    expect(contextId).toBe('trip')
    const declined = await client.sendMessage(message([data({ approved: false })], { taskId: id }))
    expect(text(declined)).toContain(textDeclined)
    expect(agent.calls).toBe(0)
  })

  it('subscribes to a task that waits, and gets what another client answers', async () => {
    const agent = booking()
    const { client, server } = await connected(agent.agent)
    const { taskId: id } = idsOf(await streamOf(client, message([say('Book')], { contextId: 'trip' })))
    const items: StreamResponse[] = []
    const reading = (async () => {
      for await (const item of client.resubscribeTask({ tenant: '', id })) items.push(structuredClone(item))
    })()
    await eventually(() => expect(items).toHaveLength(1))
    await server.answer('ann', 'trip')
    await reading
    expect(text(items[0])).toContain(textBefore)
    expect(text(items.slice(1))).toContain(textAfter)
    expect(items.map(({ payload }) => payload?.$case)).toEqual([
      'task',
      ...items.slice(1).map(() => expect.stringContaining('Update')),
    ])
    expect(text(items[1])).toContain('"state":2')
    await expect(client.resubscribeTask({ tenant: '', id }).next()).rejects.toThrow()
  })

  it('cancels', async () => {
    const agent = booking()
    const { client } = await connected(agent.agent)
    const { taskId: id } = idsOf(await streamOf(client, message([say('Book')])))
    const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined })
    expect(canceled.status?.state).toBe(5)
    await expect(client.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toThrow()
    expect(agent.aborted).toEqual(['Book'])
  })

  it('is nobody else’s', async () => {
    const agent = booking()
    const { client, server } = await connected(agent.agent)
    const ids = idsOf(await streamOf(client, message([say('Book')])))
    const other = await connected(agent.agent, 'bob', server)
    await expect(
      other.client.getTask({ tenant: '', id: ids.taskId, historyLength: undefined }),
    ).rejects.toThrow()
    await expect(other.client.sendMessage(message([data({ approved: true })], ids))).rejects.toThrow()
    expect(agent.calls).toBe(0)
  })
})

describe('version 0.3, by its SDK', () => {
  const message = (parts: object[], more: object = {}) => ({
    message: { kind: 'message', role: 'user', messageId: `m-${Math.random()}`, parts, ...more } as never,
  })

  async function connected(agent: Agent) {
    const server = served(agent, '0.3')
    const fetchImpl = server.fetchAs('ann') as typeof fetch
    const client = await A2AClient.fromCardUrl(`${url}/.well-known/agent-card.json`, { fetchImpl })
    return { server, client }
  }

  it('streams, asks, is answered, and gets the task', async () => {
    const agent = booking()
    const { client } = await connected(agent.agent)
    const items: { kind: string; id?: string; contextId?: string; final?: boolean }[] = []
    for await (const item of client.sendMessageStream(message([{ kind: 'text', text: 'Book' }])))
      items.push(structuredClone(item))
    const [{ id: taskId, contextId } = {}] = items as readonly { id?: string; contextId?: string }[]
    expect([items[0]?.kind, items.at(-1)?.final]).toEqual(['task', true])
    const answer = [{ kind: 'data', data: { approved: true } }]
    const sent = await client.sendMessage(message(answer, { taskId, contextId }))
    expect(sent).toMatchObject({ result: { kind: 'task', id: taskId, status: { state: 'completed' } } })
    expect(text(sent)).toContain(textAfter)
    const got = await client.getTask({ id: taskId ?? '' })
    expect(got).toMatchObject({ result: { kind: 'task', history: [{ parts: [{ text: 'Book' }] }] } })
    const again: unknown[] = []
    for await (const item of client.resubscribeTask({ id: taskId ?? '' })) again.push(item)
    expect(again).toHaveLength(1)
    expect(await client.cancelTask({ id: taskId ?? '' })).toMatchObject({ error: { code: -32002 } })
  })
})

it.each(['0.3', '1.0'] as const)(
  'a stream of a subscriber has one task in version %s, also if the task goes on',
  async (version) => {
    const agent = booking()
    const { call, answer, fetchAs } = served(agent.agent, version)
    const isOlder = version === '0.3'
    const part = isOlder ? { kind: 'text', text: 'Book' } : { text: 'Book' }
    const message = {
      messageId: 'm-1',
      contextId: 'trip',
      role: isOlder ? 'user' : 'ROLE_USER',
      parts: [part],
    }
    const [sent] = (await call(isOlder ? 'message/send' : 'SendMessage', { message })) as [Reply]
    const { id } = sent.result.task ?? sent.result
    const reading = call(isOlder ? 'tasks/resubscribe' : 'SubscribeToTask', { id })
    await eventually(async () => expect((await fetchAs('ann')(`${root}/history?context=trip`)).ok).toBe(true))
    await new Promise((resolve) => setTimeout(resolve, 50))
    await answer('ann', 'trip')
    const kinds = (await reading).map(({ result }) => result.kind ?? Object.keys(result)[0])
    expect(kinds.length).toBeGreaterThan(2)
    expect(kinds.filter((kind) => kind === 'task')).toEqual(['task'])
  },
)

describe('requests', () => {
  const said = (messageId: string, value = 'Book') => ({
    message: { messageId, role: 'ROLE_USER', parts: [{ text: value }] },
  })

  it('are answered as before if they are sent again', async () => {
    const agent = booking()
    const { call } = served(agent.agent)
    const results = async () => (await call('SendStreamingMessage', said('m-1'))).map(({ result }) => result)
    const first = await results()
    expect(await results()).toEqual(first)
    expect(agent.begun).toEqual(['Book'])
    const [other] = await call('SendMessage', said('m-1'), 'bob')
    expect(other?.result.task.id).not.toBe(first[0].task.id)
  })

  it('return at once if they ask for it', async () => {
    const agent = booking({ isHeld: true })
    const { call } = served(agent.agent)
    const configuration = { returnImmediately: true }
    const [sent] = await call('SendMessage', { ...said('m-1'), configuration })
    expect(sent?.result.task.status.state).toBe('TASK_STATE_SUBMITTED')
    agent.go()
  })

  it('name which of several questions they answer', async () => {
    const agent = booking({ calls: 2 })
    const { call, fetchAs } = served(agent.agent)
    const inTrip = { message: { ...said('m-1').message, contextId: 'trip' } }
    const [sent] = (await call('SendMessage', inTrip)) as [Reply]
    const { id: taskId } = sent.result.task
    await eventually(async () => {
      const history = await (await fetchAs('ann')(`${root}/history?context=trip`)).text()
      expect(history.match(/"kind":"input-required"/g)).toHaveLength(2)
    })
    const reply = (messageId: string, metadata?: object) => ({
      message: { messageId, taskId, role: 'ROLE_USER', parts: [{ data: { approved: true } }], metadata },
    })
    const [unnamed] = await call('SendMessage', reply('m-2'))
    expect(unnamed?.error?.code).toBe(-32602)
    const [unclear] = await call('SendMessage', { message: { ...said('m-2b', 'Both').message, taskId } })
    expect(unclear?.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('one open request'),
    })
    const inputIdIn = (value: unknown): string => /"inputId":"([^"]+)"/.exec(text(value))?.[1] ?? ''
    const [next] = await call('SendMessage', reply('m-3', { inputId: inputIdIn(sent.result.task.status) }))
    expect(next?.result.task.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
    const [last] = await call('SendMessage', reply('m-4', { inputId: inputIdIn(next?.result.task.status) }))
    expect([last?.result.task.status.state, agent.calls]).toEqual(['TASK_STATE_COMPLETED', 2])
    const [late] = await call('SendMessage', { message: { ...said('m-5').message, taskId } })
    expect(late?.error?.code).toBe(-32004)
  })

  it('that are wrong have errors of JSON-RPC', async () => {
    const { call, fetchAs, errors } = served(booking().agent)
    const post = async (body: string, headers: Record<string, string> = {}) => {
      const response = await fetchAs('ann')(url, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
      })
      return [response.status, ((await response.json()) as Reply).error?.code]
    }
    expect(await post('{')).toEqual([200, -32700])
    expect(await post('[]')).toEqual([200, -32600])
    expect(await post('{"jsonrpc":"2.0","method":"GetTask"}')).toEqual([200, -32600])
    const get = '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"trip:none"}}'
    expect(await post(get)).toEqual([200, -32001])
    expect(await post(get, { 'a2a-version': '0.2' })).toEqual([200, -32009])
    const codes = async (method: string, params: object) => (await call(method, params))[0]?.error?.code
    expect(await codes('Praise', {})).toBe(-32601)
    expect(await codes('SendMessage', {})).toBe(-32602)
    expect(await codes('SendMessage', { message: { ...said('m-1').message, taskId: 'x' } })).toBe(-32001)
    const elsewhere = { ...said('m-1').message, taskId: 'a:b', contextId: 'c' }
    expect(await codes('SendMessage', { message: elsewhere })).toBe(-32602)
    expect(await codes('tasks/pushNotificationConfig/set', {})).toBe(-32003)
    expect(await codes('ListTasks', {})).toBe(-32004)
    expect(await codes('GetExtendedAgentCard', {})).toBe(-32007)
    expect(await codes('CancelTask', { id: '%:x' })).toBe(-32001)
    expect((await fetchAs('ann')(url)).status).toBe(404)
    expect(errors).toEqual([])
  })

  it('of clients with the extension get all events', async () => {
    const { fetchAs } = served(booking().agent)
    const headers = {
      ...{ 'content-type': 'application/json', 'a2a-version': '1.0' },
      'a2a-extensions': (await import('turnstream/a2a')).a2aExtensionUri,
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: said('m-1') })
    const response = await fetchAs('ann')(url, { method: 'POST', headers, body })
    expect(response.headers.get('a2a-extensions')).toBe(headers['a2a-extensions'])
    const all = await response.text()
    expect(all).toContain('input-required')
    expect(all).not.toContain(secret)
  })
})

it.each(['return', 'throw'] as const)(
  'ends the events of a task when nobody reads them any more: %s',
  async (how) => {
    let isOver = false
    async function* events(): TaskEvents['future'] {
      try {
        for (;;) yield [event]
      } finally {
        isOver = true
      }
    }
    const event = {
      kind: 'task-status',
      status: 'working',
      contextId: 'c',
      taskId: 't',
      timestamp: '',
    } as const
    const task = { taskId: 't', past: [event], skipped: 0, isBlocked: false, future: events() }
    const { taskId, past, future } = onWire(task, 'a b')
    expect([taskId, past[0]?.taskId, (await future.next()).value]).toEqual([
      ...['a%20b:t', 'a%20b:t'],
      [{ ...event, taskId: 'a%20b:t' }],
    ])
    if (how === 'return') await future.return(undefined)
    else await expect(future.throw(new Error('gone'))).rejects.toThrow('gone')
    expect(isOver).toBe(true)
  },
)
