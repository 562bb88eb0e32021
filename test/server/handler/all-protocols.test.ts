// Proves that one agent and one store are behind all protocols: a task that one client has begun is answered by any other, also after
// a restart of the server, and all of them show the same.
import type { ContextAnyEvent } from 'turnstream'
import { a2a } from 'turnstream/a2a'
import { agUi } from 'turnstream/ag-ui'
import { aiSdk } from 'turnstream/ai-sdk'
import { chatCompletions } from 'turnstream/openai'
import { memoryStore, type Store } from 'turnstream/server'
import { sqlite, sqlStore } from 'turnstream/sql'
import { emptyView, foldEvents } from 'turnstream/streams'
import { afterEach, describe, expect, it } from 'vitest'
import {
  booking,
  completionIn,
  eventually,
  type Handled,
  handled,
  root,
  secret,
  textAfter,
  textBefore,
} from '../../support/protocols.ts'
import { createSqlite, sqliteNames } from '../../support/sqlite-databases.ts'

const protocols = {
  chat: aiSdk(),
  'ag-ui': agUi(),
  a2a: a2a({ card: {} }),
  'v1/chat/completions': chatCompletions(),
}

type Post = (path: string, body: object) => Promise<string>

/** A client: begins a task in the conversation `trip`, and approves what it shows. Both return what came. */
interface Client {
  begin(post: Post): Promise<string>
  approve(post: Post, asked: Asked): Promise<string>
}

/** What a client needs to know of a question to answer it. */
interface Asked {
  readonly taskId: string
  readonly inputId: string
  readonly toolCallId: string
}

const user = { role: 'user', content: 'Book' }

const clients: Readonly<Record<string, Client>> = {
  native: {
    begin: (post) => post('?context=trip', command({ kind: 'task.send', input: 'Book' })),
    approve: (post, { inputId, taskId }) =>
      post(
        '?context=trip',
        command({ kind: 'input.respond', responses: [{ inputId, taskId, outcome: 'answered' }] }),
      ),
  },
  'ai-sdk': {
    begin: (post) =>
      post('/chat', {
        id: 'trip',
        messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Book' }] }],
      }),
    approve(post, { taskId, inputId, toolCallId }) {
      const approval = { id: inputId, approved: true }
      const input = { seat: Number(toolCallId.at(-1)) }
      const call = { type: 'dynamic-tool', toolName: 'book', toolCallId, input }
      const part = { ...call, state: 'approval-responded', approval }
      return post('/chat', { id: 'trip', messages: [{ id: taskId, role: 'assistant', parts: [part] }] })
    },
  },
  'ag-ui': {
    begin: (post) => post('/ag-ui', { threadId: 'trip', runId: 'r-1', messages: [{ id: 'm', ...user }] }),
    approve(post, { inputId: interruptId }) {
      const resume = [{ interruptId, status: 'resolved', payload: { approved: true } }]
      return post('/ag-ui', { threadId: 'trip', runId: 'r-2', messages: [{ id: 'm', ...user }], resume })
    },
  },
  a2a: {
    begin: (post) => post('/a2a', rpc({ messageId: 'm', contextId: 'trip', parts: [{ text: 'Book' }] })),
    approve: (post, { taskId, inputId }) =>
      post(
        '/a2a',
        rpc({
          ...{ messageId: 'n', taskId: `trip:${taskId}`, metadata: { inputId } },
          parts: [{ data: { approved: true } }],
        }),
      ),
  },
  openai: {
    begin: (post) =>
      post('/v1/chat/completions', { metadata: { conversation: 'trip' }, stream: true, messages: [user] }),
    async approve(post) {
      const [path, body] = ['/v1/chat/completions', { metadata: { conversation: 'trip' }, stream: true }]
      // What is no answer is asked again.
      const content = completionIn(await post(path, { ...body, messages: [user] }))
      const messages = [user, { role: 'assistant', content }, { role: 'user', content: 'approve' }]
      return post(path, { ...body, messages })
    },
  },
}

const rpc = (message: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendStreamingMessage',
  params: { message },
})
const command = (fields: object) => ({
  ...{ commandId: `c-${Math.random()}`, timestamp: '2026-03-04T05:06:07Z' },
  ...fields,
})

const postTo =
  ({ postAs }: Handled): Post =>
  async (path, body) => {
    const text = await postAs('ann')(path, body)
    expect(text).not.toContain(secret)
    return text
  }

/** The questions, as soon as the conversation has so many. */
const allAskedIn = ({ fetchAs }: Handled, count: number): Promise<Asked[]> =>
  eventually(async () => {
    const page = await (await fetchAs('ann')(`${root}/history?context=trip`)).text()
    const events = [...page.matchAll(/\{"kind":"input-required".*?"toolCall":\{"id":"([^"]+)"/g)]
    expect(events).toHaveLength(count)
    return events.map(([text = '', toolCallId = '']) => {
      const nameIn = (name: string): string => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1] ?? ''
      expect(toolCallId).not.toBe('')
      return { taskId: nameIn('taskId'), inputId: nameIn('inputId'), toolCallId }
    })
  })

/** The last question, as soon as the conversation has so many. */
const askedIn = async (server: Handled, count = 1): Promise<Asked> =>
  (await allAskedIn(server, count)).at(-1) as Asked

const names = Object.keys(clients)
const pairs = names.flatMap((begun) => names.map((answered) => [begun, answered] as const))

describe.each(names)('when the log has forgotten its beginning, %s', (name) => {
  it('answers, and shows the rest', async () => {
    const agent = booking()
    const store = memoryStore({ limits: { maxEvents: 12 } })
    const server = handled({ agent: agent.agent, protocols, store })
    await clients.native?.begin(postTo(server))
    await askedIn(server)
    await server.answer('ann', 'trip', 'declined')
    await clients.native?.begin(postTo(server))
    const asked = await askedIn(server, 2)
    const page = server.fetchAs('ann')
    const held = page(`${root}/chat/trip/stream`)
    const last = await clients[name]?.approve(postTo(server), asked)
    if (name !== 'native') expect(last).toContain(textAfter)
    const deltas = (await (await held).text()).matchAll(/"delta":"([^"]*)"/g)
    expect([...deltas].map(([, delta]) => delta).join('')).toBe(textBefore + textAfter)
    expect([agent.calls, server.errors]).toEqual([1, []])
  })
})

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

describe.each(pairs)('a task that %s has begun and %s answers', (begun, answered) => {
  it('runs once, and ends the same for all', async () => {
    const agent = booking()
    const server = handled({ agent: agent.agent, protocols })
    const post = postTo(server)
    const page = server.fetchAs('ann')
    const first = await clients[begun]?.begin(post)
    if (begun !== 'native') expect(first).toContain('a train')
    const asked = await askedIn(server)
    const held = page(`${root}/chat/trip/stream`)
    const last = await clients[answered]?.approve(post, asked)
    if (answered !== 'native') expect(last).toContain(textAfter)
    expect(await (await held).text()).toContain(textAfter)
    const messages = (await (await page(`${root}/chat/trip`)).json()) as object[]
    expect(JSON.stringify(messages)).toContain(textBefore)
    expect([messages.length, agent.calls, agent.begun, server.errors]).toEqual([2, 1, ['Book'], []])
  })
})

/** Opens a store on one database: each time as another process. */
async function processes(): Promise<() => Promise<Store>> {
  const file = await createSqlite(sqliteNames[0] ?? '')
  ends.push(() => file.end())
  return async () => {
    const store = sqlStore({ database: sqlite(await file.connect()), leaseMs: 300 })
    ends.push(() => store.close())
    await store.createTables()
    return store
  }
}

describe.each(names)('after a restart, %s', (name) => {
  it('answers what was asked before', async () => {
    const opened = await processes()
    const store = await opened()
    const before = booking()
    const first = handled({ agent: before.agent, protocols, store })
    await clients['ai-sdk']?.begin(postTo(first))
    const asked = await askedIn(first)
    await store.close()
    const after = booking()
    const second = handled({ agent: after.agent, protocols, store: await opened() })
    const last = await clients[name]?.approve(postTo(second), asked)
    if (name !== 'native') expect(last).toContain(textAfter)
    await eventually(() => expect([before.calls, after.calls]).toEqual([0, 1]))
  })
})

// A text that a client of OpenAI sends answers all that is asked.
describe.each([
  ['native', 'ai-sdk'],
  ['ai-sdk', 'ag-ui'],
  ['ag-ui', 'a2a'],
  ['a2a', 'openai'],
  ['ag-ui', 'native'],
] as const)(
  'the calls of one turn, of which %s answers the first and, after a restart, %s the second',
  (one, other) => {
    it('run once both are answered', async () => {
      const opened = await processes()
      const store = await opened()
      const before = booking({ calls: 2 })
      const first = handled({ agent: before.agent, protocols, store })
      await clients.native?.begin(postTo(first))
      const [call, next] = await allAskedIn(first, 2)
      await clients[one]?.approve(postTo(first), call as Asked)
      const statusIn = async ({ fetchAs }: Handled): Promise<string | undefined> => {
        const page = await (await fetchAs('ann')(`${root}/history?context=trip`)).json()
        const { tasks } = foldEvents(emptyView, (page as { events: ContextAnyEvent[] }).events)
        return tasks[0]?.status ?? undefined
      }
      expect(await statusIn(first)).toBe('waiting-input')
      await store.close()
      const after = booking({ calls: 2 })
      const second = handled({ agent: after.agent, protocols, store: await opened() })
      const last = await clients[other]?.approve(postTo(second), next as Asked)
      if (other !== 'native') expect(last).toContain(textAfter)
      await eventually(async () => {
        expect([before.calls, after.calls]).toEqual([0, 2])
        expect(await statusIn(second)).toBe('completed')
      })
      expect([first.errors, second.errors]).toEqual([[], []])
    })
  },
)
