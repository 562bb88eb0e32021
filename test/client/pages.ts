/** An agent behind a real server of Node, and its pages. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AgentClient, type AgentState, agentClient } from 'turnstream/client'
import { type Agent, agentHandler, memoryStore, type Store, toNodeListener } from 'turnstream/server'
import { afterEach } from 'vitest'
import type { AgentClientOptions } from '../../src/client/options.ts'
import type { AgentHandlerOptions } from '../../src/server/handler/options.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Answers, and asks about payments. */
export const shop: Agent = async function* (task) {
  const text = String(task.input)
  if (text === 'pay') {
    const call = { toolCallId: 'c1', toolName: 'pay', arguments: '{"amount":5}' }
    const [approval] = yield* task.approve([call])
    if (approval?.status === 'approved') {
      yield { kind: 'tool-start', toolCallId: 'c1', toolName: 'pay', arguments: { amount: 5 } }
      yield { kind: 'tool-complete', toolCallId: 'c1', toolName: 'pay', success: true, result: 'paid' }
    }
    yield { kind: 'content-delta', delta: `You said pay: ${approval?.status}` }
    return
  }
  yield { kind: 'content-delta', delta: 'You said ' }
  yield { kind: 'content-delta', delta: text }
}

export interface Shop {
  readonly url: string
  /** A page of a user, and what it shows. */
  page(user: string | undefined, options?: AgentClientOptions): Page
  /** What each request was answered with. */
  readonly statuses: number[]
  /** Replaces the store, as a restart without a database does. */
  loseAll(): void
  /** Ends the open connections. */
  disconnect(): void
}

export interface Page {
  readonly client: AgentClient
  user: string | undefined
  /** Waits for a state. */
  until(isIt: (state: AgentState) => boolean): Promise<AgentState>
  leave(): void
}

export async function openShop(options: Partial<AgentHandlerOptions> = {}): Promise<Shop> {
  const statuses: number[] = []
  const handlerOf = (store: Store) =>
    agentHandler({
      store,
      user: (request) => request.headers.get('x-user') ?? undefined,
      agent: shop,
      ...options,
    })
  const newStore = (): Store => memoryStore({ needsApproval: ({ toolName }) => toolName === 'pay' })
  let handler = handlerOf(newStore())
  const listener = toNodeListener(async (request) => {
    const response = await handler(request)
    statuses.push(response.status)
    return response
  })
  const server = createServer(listener as RequestListener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`
  return {
    url,
    statuses,
    loseAll() {
      handler = handlerOf(newStore())
      server.closeAllConnections()
    },
    disconnect: () => server.closeAllConnections(),
    page: (user, more) => pageOf(url, user, more),
  }
}

function pageOf(url: string, user: string | undefined, options: AgentClientOptions = {}): Page {
  const send: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    if (page.user !== undefined) headers.set('x-user', page.user)
    return fetch(input, { ...init, headers })
  }
  const client = agentClient(url, { fetch: send, ...options })
  const checks = new Set<() => void>()
  const leave = client.subscribe(() => {
    for (const check of checks) check()
  })
  ends.push(leave)
  const page: Page = {
    client,
    user,
    leave,
    until: (isIt) =>
      new Promise((resolve) => {
        const check = (): void => {
          const state = client.getSnapshot()
          if (!isIt(state)) return
          checks.delete(check)
          resolve(state)
        }
        checks.add(check)
        check()
      }),
  }
  return page
}

/** What a page shows: the messages and the texts of their answers. */
export const textsOf = ({ view }: AgentState): string[] =>
  view.tasks.map(({ input, parts }) =>
    [input, ...parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))].join(' > '),
  )

export const isDone =
  (count: number) =>
  ({ view }: AgentState): boolean =>
    view.tasks.filter(({ status }) => status === 'completed').length === count
