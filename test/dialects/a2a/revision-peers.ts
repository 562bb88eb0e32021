/** The SDKs for JavaScript with texts that are replaced: a client that reads and stores them, an agent that sends them. */

import { type AgentCard, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk'
import { JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import {
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  ResultManager,
  ServerCallContext,
} from '@a2a-js/sdk/server'
import { JsonRpcTransport } from 'a2a-sdk-03/client'
import * as v03 from 'a2a-sdk-03/server'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import { collect, jsonRpcFetch } from './peers.ts'
import { throughJson } from './support.ts'

/** An update of the text of an artifact. Without text, sent again, it has no parts. */
export interface TextUpdate {
  readonly artifactId: string
  readonly append: boolean
  readonly text: string
}

type Texts = (readonly [artifactId: string, text: string])[]

export interface Sdk {
  /** The texts that the client and the task store make of a stream. */
  readonly read: (items: readonly unknown[]) => Promise<Texts>
  /** The stream of an agent, and the texts in its store. */
  readonly serve: (updates: readonly TextUpdate[]) => Promise<{ items: unknown[]; texts: Texts }>
}

const url = 'http://agent.example/rpc'
const message = { messageId: 'm', parts: [{ kind: 'text' as const, text: 'Write' }] }

export const sdkV03: Sdk = {
  async read(items) {
    const transport = new JsonRpcTransport({ endpoint: url, fetchImpl: jsonRpcFetch(items) })
    const params = { message: { kind: 'message' as const, role: 'user' as const, ...message } }
    const store = new v03.InMemoryTaskStore()
    const manager = new v03.ResultManager(store)
    for (const item of await collect(transport.sendMessageStream(params))) await manager.processEvent(item)
    return textsOf(await store.load('t'))
  },
  async serve(updates) {
    const store = new v03.InMemoryTaskStore()
    const executor: v03.AgentExecutor = {
      async execute({ taskId, contextId }, bus) {
        const ids = { taskId, contextId }
        bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'working' } })
        for (const { artifactId, append, text } of updates) {
          const parts = text === '' ? [] : [{ kind: 'text' as const, text }]
          bus.publish({ kind: 'artifact-update', ...ids, append, artifact: { artifactId, parts } })
        }
        bus.publish({ kind: 'status-update', ...ids, status: { state: 'completed' }, final: true })
        bus.finished()
      },
      cancelTask: async () => {},
    }
    const card = { url, capabilities: { streaming: true } } as unknown as ConstructorParameters<
      typeof v03.DefaultRequestHandler
    >[0]
    const handler = new v03.DefaultRequestHandler(card, store, executor)
    const params = { message: { kind: 'message' as const, role: 'user' as const, ...message } }
    const items = throughJson(await collect(handler.sendMessageStream(params)))
    return { items, texts: textsOf(await store.load((items[0] as { id: string }).id)) }
  },
}

const request = SendMessageRequest.fromJSON({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Write' }] },
})
const card = {
  capabilities: { streaming: true, extensions: [] },
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
} as unknown as AgentCard
const called = (): ServerCallContext => new ServerCallContext({ requestedVersion: '1.0' })

/** An item of the SDK as its agents publish it. */
function published(item: unknown): never {
  const { payload } = StreamResponse.fromJSON(item)
  return { kind: payload?.$case, data: payload?.value } as never
}

export const sdkV1: Sdk = {
  async read(items) {
    const transport = await new JsonRpcTransportFactory({ fetchImpl: jsonRpcFetch(items) }).create(url, card)
    const store = new InMemoryTaskStore()
    const manager = new ResultManager(store, called())
    for (const item of await collect(transport.sendMessageStream(request))) {
      await manager.processEvent(published(StreamResponse.toJSON(item)))
    }
    return textsOf(await stored(store, 't'))
  },
  async serve(updates) {
    const store = new InMemoryTaskStore()
    const executor: AgentExecutor = {
      async execute({ taskId, contextId }, bus) {
        const ids = { taskId, contextId }
        const publish = (item: object): void => bus.publish(published(item))
        publish({ task: { id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' } } })
        for (const { artifactId, append, text } of updates) {
          const parts = text === '' ? [] : [{ text }]
          publish({ artifactUpdate: { ...ids, append, artifact: { artifactId, parts } } })
        }
        publish({ statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' } } })
        bus.finished()
      },
      cancelTask: async () => {},
    }
    const handler = new DefaultRequestHandler(card, store, executor)
    const sent = await collect(handler.sendMessageStream(request, called()))
    const items = sent.map((item) => StreamResponse.toJSON(item))
    const { task } = items[0] as { task: { id: string } }
    return { items, texts: textsOf(await stored(store, task.id)) }
  },
}

async function stored(store: InMemoryTaskStore, id: string): Promise<unknown> {
  const task = await store.load(id, called())
  return task && Task.toJSON(task)
}

/** The texts in the task store of an SDK after a stream, and what it refuses. */
export async function storedTexts(
  version: A2aVersion,
  items: readonly { readonly task?: { readonly id: string }; readonly id?: string }[],
): Promise<string[]> {
  const id = items[0]?.task?.id ?? items[0]?.id ?? ''
  if (version === '0.3') {
    const store = new v03.InMemoryTaskStore()
    const manager = new v03.ResultManager(store)
    for (const item of items) await manager.processEvent(structuredClone(item) as never)
    return textsOf(await store.load(id)).map(([, text]) => text)
  }
  const store = new InMemoryTaskStore()
  const manager = new ResultManager(store, called())
  for (const item of items) await manager.processEvent(published(item))
  return textsOf(await stored(store, id)).map(([, text]) => text)
}

/** The texts of a task, in the order of the ids, without those that are empty. */
function textsOf(task: unknown): Texts {
  const { artifacts = [] } = (task ?? {}) as {
    artifacts?: readonly { artifactId: string; parts?: readonly { text?: string }[] }[]
  }
  return artifacts
    .map(({ artifactId, parts = [] }) => [artifactId, parts.map(({ text }) => text ?? '').join('')] as const)
    .filter(([, text]) => text !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
}
