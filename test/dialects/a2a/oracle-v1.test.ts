// Proves A2A 1.0 against its SDK: codecs, server, clients and store.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  A2A_VERSION_HEADER,
  type AgentCard,
  Role,
  SendMessageRequest,
  StreamResponse,
  Task,
} from '@a2a-js/sdk'
import { JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client'
import {
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ResultManager,
  ServerCallContext,
} from '@a2a-js/sdk/server'
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import { A2AService } from '@a2a-js/sdk/server/grpc'
import express from 'express'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type A2aTask,
  type A2aV1StreamResponse,
  a2aSnapshot,
  isA2aStreamEnd,
} from '../../../src/dialects/a2a/index.ts'
import { eventsOfTask, legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { mount } from './mount.ts'
import { collect, jsonRpcFetch, playing, reportEvents, sseResponse } from './peers.ts'
import { closeTexts, runFromA2a, runToA2a, splitStreams, throughJson } from './support.ts'

const ids = { taskId: 'task-9', contextId: 'ctx-9' }

/** What the executors map for. */
const user = { audience: 'user', subtasks: 'all' } as const
const settings = [false, true].flatMap((extension) =>
  closeTexts.map((closeText) => ({ version: '1.0' as const, extension, closeText })),
)
const report = settings.map((options) => runToA2a(reportEvents(ids), options).out)

/** The items of a random task, in each setting. */
const anyItems: fc.Arbitrary<A2aV1StreamResponse[]> = fc
  .tuple(legalStreams({ subtasks: false }), fc.constantFrom(...settings))
  .map(([events, options]) => runToA2a(eventsOfTask(events, 'task-1'), options).out)
  // The SDK's decoder assigns the keys of a Struct, which loses a key `__proto__`.
  .filter((items) => !JSON.stringify(items).includes('"__proto__":'))

const card = (url: string): AgentCard =>
  ({
    name: 'Reporter',
    description: 'Writes reports',
    version: '1',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    supportedInterfaces: [
      { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
      { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: '' },
    ],
    securitySchemes: {},
    securityRequirements: [],
    signatures: [],
  }) as unknown as AgentCard

const request = (messageId: string, task?: { taskId: string; contextId: string }): SendMessageRequest =>
  SendMessageRequest.fromJSON({
    message: { messageId, role: 'ROLE_USER', parts: [{ text: 'Sales, please' }], ...task },
  })

const called = (): ServerCallContext => new ServerCallContext({ requestedVersion: '1.0' })

describe('A2A 1.0', () => {
  it('is emitted as the canonical JSON of its protocol buffers', () => {
    for (const item of report.flat())
      expect(StreamResponse.toJSON(StreamResponse.fromJSON(item))).toEqual(item)
    fc.assert(
      fc.property(anyItems, (items) => {
        for (const item of items) expect(StreamResponse.toJSON(StreamResponse.fromJSON(item))).toEqual(item)
      }),
      { numRuns: runs(100) },
    )
  })

  it('round-trips through binary gRPC unchanged', () => {
    const { responseSerialize, responseDeserialize } = A2AService.sendStreamingMessage
    const through = (item: A2aV1StreamResponse): unknown =>
      StreamResponse.toJSON(responseDeserialize(responseSerialize(StreamResponse.fromJSON(item))))
    for (const item of report.flat()) expect(through(item)).toEqual(item)
    fc.assert(
      fc.property(anyItems, (items) => {
        for (const item of items) expect(through(item)).toEqual(item)
      }),
      { numRuns: runs(100) },
    )
  })

  it.each([
    ['a field of 0.3', { statusUpdate: { ...ids, status: { state: 'TASK_STATE_WORKING' }, final: false } }],
    ['a state of 0.3', { statusUpdate: { ...ids, status: { state: 'working' } } }],
    [
      'a flag that is false',
      { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text: 'x' }] }, append: false } },
    ],
  ])('does not round-trip with %s', (_, item) => {
    expect(StreamResponse.toJSON(StreamResponse.fromJSON(item))).not.toEqual(item)
  })
})

describe('the result manager of the SDK', () => {
  it.each(settings)('stores the task of the snapshot: %o', async (options) => {
    const { out, state } = runToA2a(reportEvents(ids), options)
    const store = new InMemoryTaskStore()
    for (const stream of splitStreams(out)) {
      const manager = new ResultManager(store, called())
      for (const item of stream) {
        const { payload } = StreamResponse.fromJSON(item)
        if (payload !== undefined)
          await manager.processEvent({ kind: payload.$case, data: payload.value } as never)
      }
    }
    const kept = await store.load(ids.taskId, called())
    if (kept === undefined) throw new Error('The store has no task.')
    const task = Task.toJSON(kept) as A2aTask<'1.0'>
    const expected = throughJson(a2aSnapshot(state))
    expect({ ...task.status, message: undefined }).toEqual({ ...expected.status, message: undefined })
    expect(joined(task)).toEqual(joined(expected))
  })
})

/** Artifacts with neighboring texts joined, as a client displays them. */
function joined({ artifacts = [] }: A2aTask<'1.0'>): unknown {
  return artifacts.map(({ parts, ...artifact }) => {
    const text = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('')
    return { ...artifact, text, others: parts.filter((part) => !('text' in part)) }
  })
}

describe('the request handler of the SDK, which enforces the order', () => {
  const handlerOf = (executor: AgentExecutor): DefaultRequestHandler =>
    new DefaultRequestHandler(card('http://agent.example'), new InMemoryTaskStore(), executor)

  it.each([false, true])('accepts a whole task over several requests (extension %s)', async (extension) => {
    const handler = handlerOf(mount(playing(reportEvents), extension))
    const streams: A2aV1StreamResponse[][] = []
    let task: { taskId: string; contextId: string } | undefined
    while (streams.length < 5) {
      const stream = handler.sendMessageStream(request(`user-${streams.length}`, task), called())
      const items = (await collect(stream)).map((item) => StreamResponse.toJSON(item) as A2aV1StreamResponse)
      streams.push(items)
      task = idsOf(items)
      if (isDone(items)) break
    }
    expect(task).toBeDefined()
    const expected = splitStreams(
      runToA2a(reportEvents(task ?? ids), { version: '1.0', extension, viewer: user }).out,
    )
    expect(streams.map((stream) => stream.map(withoutHistory))).toEqual(expected)
    expect(streams.map((stream) => stream.map(isA2aStreamEnd).indexOf(true))).toEqual(
      expected.map((s) => s.length - 1),
    )
    const read = runFromA2a(streams.flat(), { extension })
    if (extension) expect(read.out).toEqual(reportEvents(task ?? ids))
    const lost = read.diagnostics.map(({ code }) => code).filter((code) => !code.startsWith('inferred:'))
    // The server adds the messages of the user, for which there is no event.
    expect(lost.filter((code) => code !== 'lossy:history')).toEqual([])
  })

  it('accepts random tasks', async () => {
    await fc.assert(
      fc.asyncProperty(
        legalStreams({ subtasks: false, maxChoices: 20 }),
        fc.boolean(),
        async (events, extension) => {
          const agent = playing((to) => events.map((event) => ({ ...event, ...to })))
          const handler = handlerOf(mount(agent, extension))
          const items = await collect(handler.sendMessageStream(request('user-1'), called()))
          const wire = items.map((item) => StreamResponse.toJSON(item) as A2aV1StreamResponse)
          const to = idsOf(wire) ?? ids
          const [expected] = splitStreams(
            runToA2a(
              events.map((event) => ({ ...event, ...to })),
              { version: '1.0', extension, viewer: user },
            ).out,
          )
          expect(wire.map(withoutHistory)).toEqual(expected)
        },
      ),
      { numRuns: runs(40) },
    )
  })

  it('rejects a stream that does not start with the task', async () => {
    const executor: AgentExecutor = {
      execute: async ({ taskId, contextId }, bus) => {
        const { payload } = StreamResponse.fromJSON({
          statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_WORKING' } },
        })
        if (payload?.$case === 'statusUpdate') bus.publish({ kind: payload.$case, data: payload.value })
        bus.finished()
      },
      cancelTask: async () => {},
    }
    const stream = handlerOf(executor).sendMessageStream(request('user-1'), called())
    await expect(collect(stream)).rejects.toThrow(/before initial/)
  })

  it('wraps items in the same JSON-RPC responses', async () => {
    const transport = new JsonRpcTransportHandler(handlerOf(mount(playing(reportEvents))))
    const body = {
      jsonrpc: '2.0',
      id: '7',
      method: 'SendStreamingMessage',
      params: SendMessageRequest.toJSON(request('u')) as object,
    }
    const answer = await transport.handle(body, called())
    if (!(Symbol.asyncIterator in answer)) throw new Error('The answer is no stream.')
    const responses = throughJson(await collect(answer)) as { result: A2aV1StreamResponse }[]
    const task = idsOf(responses.map(({ result }) => result)) ?? ids
    const [expected] = splitStreams(runToA2a(reportEvents(task), { version: '1.0' }).out)
    expect(
      responses.map(({ result, ...envelope }) => ({ ...envelope, result: withoutHistory(result) })),
    ).toEqual(expected?.map((result) => ({ jsonrpc: '2.0', id: '7', result })))
  })
})

function idsOf(items: readonly A2aV1StreamResponse[]): { taskId: string; contextId: string } | undefined {
  for (const item of items) {
    if ('task' in item) return { taskId: item.task.id, contextId: item.task.contextId ?? '' }
  }
  return undefined
}

function isDone(items: readonly A2aV1StreamResponse[]): boolean {
  const last = items.at(-1)
  return (
    last !== undefined && 'statusUpdate' in last && last.statusUpdate.status.state === 'TASK_STATE_COMPLETED'
  )
}

/** The server adds the user's messages, which the mapper does not know. */
function withoutHistory(item: A2aV1StreamResponse): A2aV1StreamResponse {
  if (!('task' in item)) return item
  const { history: _, ...task } = item.task
  return { task }
}

describe('the clients of the SDK', () => {
  const [stream = []] = splitStreams(report[1] ?? [])

  it('read JSON-RPC responses from SSE', async () => {
    const factory = new JsonRpcTransportFactory({ fetchImpl: jsonRpcFetch(stream) })
    const transport = await factory.create('http://agent.example/rpc', card('http://agent.example'))
    const items = await collect(transport.sendMessageStream(request('u')))
    expect(items.map((item) => StreamResponse.toJSON(item))).toEqual(stream)
  })

  it('read items from the SSE of HTTP+JSON', async () => {
    const factory = new RestTransportFactory({ fetchImpl: async () => sseResponse(stream, (item) => item) })
    const transport = await factory.create('http://agent.example/rest', card('http://agent.example'))
    const items = await collect(transport.sendMessageStream(request('u')))
    expect(items.map((item) => StreamResponse.toJSON(item))).toEqual(stream)
  })
})

describe('server and clients of the SDK over HTTP', () => {
  let server: Server
  let url: string
  beforeAll(async () => {
    server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const requestHandler = new DefaultRequestHandler(
      card(url),
      new InMemoryTaskStore(),
      mount(playing(reportEvents), true),
    )
    const app = express()
    const options = { requestHandler, userBuilder: UserBuilder.noAuthentication }
    app.use('/rpc', jsonRpcHandler(options))
    app.use('/rest', restHandler(options))
    server.on('request', app)
  })
  afterAll(() => void server.close())

  it.each([
    ['JSON-RPC', 'rpc', new JsonRpcTransportFactory()],
    ['HTTP+JSON', 'rest', new RestTransportFactory()],
  ])('transport the task and its answer over %s', async (_, path, factory) => {
    const transport = await factory.create(`${url}/${path}`, card(url))
    const options = { serviceParameters: { [A2A_VERSION_HEADER]: '1.0' } }
    const wire = async (message: SendMessageRequest): Promise<A2aV1StreamResponse[]> => {
      const items = await collect(transport.sendMessageStream(message, options))
      return items.map((item) => StreamResponse.toJSON(item) as A2aV1StreamResponse)
    }
    const first = await wire(request(`${path}-1`))
    const task = idsOf(first)
    const second = await wire(request(`${path}-2`, task))
    expect(runFromA2a([...first, ...second], { extension: true }).out).toEqual(reportEvents(task ?? ids))
  })
})

it('has the expected numbers of roles', () => {
  // The parser relies on this number.
  expect(Role.ROLE_USER).toBe(1)
})
