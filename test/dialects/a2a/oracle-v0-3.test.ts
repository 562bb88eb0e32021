// Proves A2A 0.3 against its SDK: server, clients and store.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AgentCard, Task } from 'a2a-sdk-03'
import { A2AClient, JsonRpcTransport } from 'a2a-sdk-03/client'
import {
  DefaultExecutionEventBus,
  DefaultRequestHandler,
  ExecutionEventQueue,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ResultManager,
} from 'a2a-sdk-03/server'
import { jsonRpcHandler, UserBuilder } from 'a2a-sdk-03/server/express'
import express from 'express'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type A2aV03StreamEvent, a2aSnapshot } from '../../../src/dialects/a2a/index.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { mountV03 } from './mount.ts'
import { collect, jsonRpcFetch, playing, reportEvents } from './peers.ts'
import { closeTexts, runFromA2a, runToA2a, splitStreams, throughJson } from './support.ts'

const ids = { taskId: 'task-9', contextId: 'ctx-9' }

/** What the executors map for. */
const user = { audience: 'user', subtasks: 'all' } as const
const settings = [false, true].flatMap((extension) =>
  closeTexts.map((closeText) => ({ version: '0.3' as const, extension, closeText })),
)

const card = (url: string): AgentCard => ({
  name: 'Reporter',
  description: 'Writes reports',
  version: '1',
  protocolVersion: '0.3.0',
  url: `${url}/rpc`,
  preferredTransport: 'JSONRPC',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  capabilities: { streaming: true },
})

const params = (
  messageId: string,
  task?: { taskId: string; contextId: string },
): Parameters<A2AClient['sendMessageStream']>[0] => ({
  message: {
    kind: 'message',
    messageId,
    role: 'user',
    parts: [{ kind: 'text', text: 'Sales, please' }],
    ...task,
  },
})

function idsOf(items: readonly unknown[]): { taskId: string; contextId: string } | undefined {
  const task = (items as readonly A2aV03StreamEvent[]).find((item) => item.kind === 'task')
  return task?.kind === 'task' ? { taskId: task.id, contextId: task.contextId } : undefined
}

/** The server adds the user's messages, which the mapper does not know. */
function withoutHistory(item: unknown): unknown {
  const { history: _, ...rest } = item as { history?: unknown }
  return rest
}

/** Artifacts with neighboring texts joined, as a client displays them. */
function joined({ artifacts = [] }: Pick<Task, 'artifacts'>): unknown {
  return artifacts.map(({ parts, ...artifact }) => {
    const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('')
    return { ...artifact, text, others: parts.filter((part) => part.kind !== 'text') }
  })
}

describe('the result manager of the SDK', () => {
  it.each(settings)('stores the task of the snapshot: %o', async (options) => {
    const { out, state } = runToA2a(reportEvents(ids), options)
    const store = new InMemoryTaskStore()
    for (const stream of splitStreams(out)) {
      const manager = new ResultManager(store)
      for (const item of stream) await manager.processEvent(structuredClone(item) as never)
    }
    const kept = await store.load(ids.taskId)
    if (kept === undefined) throw new Error('The store has no task.')
    const expected = throughJson(a2aSnapshot(state))
    expect({ ...kept.status, message: undefined }).toEqual({ ...expected.status, message: undefined })
    expect(joined(kept)).toEqual(joined(expected as Pick<Task, 'artifacts'>))
  })
})

describe('the event queue of the SDK', () => {
  it('ends where the stream ends', async () => {
    for (const stream of splitStreams(runToA2a(reportEvents(ids), { version: '0.3' }).out)) {
      const bus = new DefaultExecutionEventBus()
      const queue = new ExecutionEventQueue(bus)
      for (const item of stream) bus.publish(structuredClone(item) as never)
      expect(await collect(queue.events())).toEqual(stream)
    }
  })
})

describe('the request handler of the SDK', () => {
  const handlerOf = (agent: Parameters<typeof mountV03>[0], extension: boolean): DefaultRequestHandler =>
    new DefaultRequestHandler(
      card('http://agent.example'),
      new InMemoryTaskStore(),
      mountV03(agent, extension),
    )

  it.each([false, true])('forwards a whole task over several requests (extension %s)', async (extension) => {
    const handler = handlerOf(playing(reportEvents), extension)
    const streams: unknown[][] = []
    let task: { taskId: string; contextId: string } | undefined
    for (let i = 1; i <= 2; i++) {
      const items = throughJson(await collect(handler.sendMessageStream(params(`user-${i}`, task))))
      streams.push(items)
      task = idsOf(items)
    }
    const expected = splitStreams(
      runToA2a(reportEvents(task ?? ids), { version: '0.3', extension, viewer: user }).out,
    )
    expect(streams.map((stream) => stream.map(withoutHistory))).toEqual(expected)
    if (extension) expect(runFromA2a(streams.flat(), { extension }).out).toEqual(reportEvents(task ?? ids))
  })

  it('forwards random tasks', async () => {
    await fc.assert(
      fc.asyncProperty(
        legalStreams({ subtasks: false, maxChoices: 20 }),
        fc.boolean(),
        async (events, extension) => {
          const handler = handlerOf(
            playing((to) => events.map((event) => ({ ...event, ...to }))),
            extension,
          )
          const items = throughJson(await collect(handler.sendMessageStream(params('user-1'))))
          const to = idsOf(items) ?? ids
          const stream = events.map((event) => ({ ...event, ...to }))
          const [expected] = splitStreams(runToA2a(stream, { version: '0.3', extension, viewer: user }).out)
          expect(items.map(withoutHistory)).toEqual(expected)
        },
      ),
      { numRuns: runs(40) },
    )
  })

  it('wraps items in the same JSON-RPC responses', async () => {
    const transport = new JsonRpcTransportHandler(handlerOf(playing(reportEvents), false))
    const answer = await transport.handle({
      jsonrpc: '2.0',
      id: 7,
      method: 'message/stream',
      params: params('u'),
    })
    if (!(Symbol.asyncIterator in answer)) throw new Error('The answer is no stream.')
    const responses = throughJson(await collect(answer)) as { result: A2aV03StreamEvent }[]
    const task = idsOf(responses.map(({ result }) => result)) ?? ids
    const [expected] = splitStreams(runToA2a(reportEvents(task), { version: '0.3' }).out)
    expect(
      responses.map(({ result, ...envelope }) => ({ ...envelope, result: withoutHistory(result) })),
    ).toEqual(expected?.map((result) => ({ jsonrpc: '2.0', id: 7, result })))
  })
})

describe('the clients of the SDK', () => {
  const [stream = []] = splitStreams(runToA2a(reportEvents(ids), { version: '0.3', extension: true }).out)
  const endpoint = 'http://agent.example'

  it('read JSON-RPC responses from SSE', async () => {
    const transport = new JsonRpcTransport({ endpoint, fetchImpl: jsonRpcFetch(stream) })
    expect(await collect(transport.sendMessageStream(params('u')))).toEqual(stream)
  })

  it('read them with the older client, too', async () => {
    const client = new A2AClient(card(endpoint), { fetchImpl: jsonRpcFetch(stream) })
    expect(await collect(client.sendMessageStream(params('u')))).toEqual(stream)
  })
})

describe('server and client of the SDK over HTTP', () => {
  let server: Server
  let url: string
  beforeAll(async () => {
    server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const requestHandler = new DefaultRequestHandler(
      card(url),
      new InMemoryTaskStore(),
      mountV03(playing(reportEvents), true),
    )
    const app = express()
    app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }))
    server.on('request', app)
  })
  afterAll(() => void server.close())

  it('transport the task and its answer', async () => {
    const transport = new JsonRpcTransport({ endpoint: `${url}/rpc` })
    const first = await collect(transport.sendMessageStream(params('user-1')))
    const task = idsOf(first)
    const second = await collect(transport.sendMessageStream(params('user-2', task)))
    expect(runFromA2a([...first, ...second], { extension: true }).out).toEqual(reportEvents(task ?? ids))
  })
})
