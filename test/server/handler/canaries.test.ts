// Proves that what is hidden from a user reaches none of its clients, whatever protocol they speak: neither live nor of what is stored.
import fc from 'fast-check'
import { type ContextAnyEvent, isTaskEnd } from 'turnstream'
import { a2a } from 'turnstream/a2a'
import { agUi } from 'turnstream/ag-ui'
import { aiSdk } from 'turnstream/ai-sdk'
import { createCommand } from 'turnstream/commands'
import { chatCompletions } from 'turnstream/openai'
import { type Agent, memoryStore } from 'turnstream/server'
import { expect, it } from 'vitest'
import { editorOf } from '../../acp/editor.ts'
import { SECRET, secrets, withSecrets } from '../../support/canaries.ts'
import { eventsOfTask, legalStreams, taskIds } from '../../support/legal-streams.ts'
import { type Handled, handled, root } from '../../support/protocols.ts'
import { runs } from '../../support/runs.ts'
import { readUntil } from './served.ts'

const protocols = {
  chat: aiSdk(),
  'ag-ui': agUi({ extension: true }),
  a2a: a2a({ card: {} }),
  'v1/chat/completions': chatCompletions(),
}

type Post = ReturnType<Handled['postAs']>

const last = 'That is all.'
const user = { id: 'm', role: 'user', content: 'Go' }
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

/** What begins a task, by the name of the conversation. */
const begins: Readonly<Record<string, (post: Post) => Promise<string>>> = {
  native: (post) =>
    post('?context=native', createCommand({ kind: 'task.send', input: 'Go', contextId: 'native' })),
  chat: (post) =>
    post('/chat', {
      id: 'chat',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Go' }] }],
    }),
  'ag-ui': (post) => post('/ag-ui', { threadId: 'ag-ui', runId: 'r', messages: [user] }),
  a2a: (post) =>
    post(
      '/a2a',
      rpc('SendStreamingMessage', { message: { messageId: 'm', contextId: 'a2a', parts: [{ text: 'Go' }] } }),
    ),
  openai: (post) =>
    post('/v1/chat/completions', { metadata: { conversation: 'openai' }, stream: true, messages: [user] }),
}

/** What an agent may yield of a stream: what is of its own task, and no request that nobody answers. */
function* draftsOf(events: readonly ContextAnyEvent[]): Generator<never> {
  for (const { contextId, taskId, ...draft } of events) {
    if (!/^(task|subtask|input|auth|x)-/.test(draft.kind)) yield draft as never
  }
}

/** A stream of a conversation, whose tasks have ended, so that nobody waits for them. */
function stored(events: readonly ContextAnyEvent[], contextId: string): ContextAnyEvent[] {
  const at = events.at(-1)?.timestamp ?? ''
  const end = { kind: 'task-status', contextId, timestamp: at, status: 'canceled' } as const
  const open = taskIds(events).filter((taskId) => !eventsOfTask(events, taskId).some(isTaskEnd))
  const note = { kind: 'content-complete', contextId, taskId: 'note', timestamp: at, content: last } as const
  const own = events.map((event) => ({ ...event, contextId }))
  return [...own, ...open.reverse().map((taskId) => ({ ...end, taskId })), note, { ...end, taskId: 'note' }]
}

/** All that is read of a conversation that is stored, by the way. Its last text is known. */
async function read(server: Handled, context: string): Promise<ReadonlyMap<string, string>> {
  const [get, post] = [server.fetchAs('ann'), server.postAs('ann')]
  const url = (path: string) => `${root}${path}?context=${context}`
  const textOf = async (response: Promise<Response>) => (await response).text()
  const out = new Map<string, string>()
  out.set('history', await textOf(get(url('/history'))))
  out.set('chat', await textOf(get(url(`/chat/${context}`))))
  out.set('chat, resumed', await textOf(get(url(`/chat/${context}/stream`))))
  out.set('ag-ui', await post('/ag-ui/connect', { threadId: context, runId: 'r2', messages: [] }))
  const ids = new Set([...(out.get('history') ?? '').matchAll(/"taskId":"([^"]+)"/g)].map(([, id]) => id))
  for (const id of ids) {
    out.set(`a2a ${id}`, await post('/a2a', rpc('GetTask', { id: `${context}:${id}` })))
    out.set(`a2a ${id}, resumed`, await post('/a2a', rpc('SubscribeToTask', { id: `${context}:${id}` })))
  }
  for (const [way, headers] of [
    ['stream', {}],
    ['reset', { 'last-event-id': 'malformed' }],
  ] as const)
    out.set(way, await readUntil(await get(url(''), { headers }), last))
  return out
}

const leaksIn = (out: ReadonlyMap<string, string>): readonly string[] =>
  [...out].filter(([, text]) => text.includes(SECRET)).map(([way]) => way)

it('no secret of a running task reaches a client', async () => {
  await fc.assert(
    fc.asyncProperty(legalStreams({ maxChoices: 30, subtasks: false }), secrets, async (events, places) => {
      const all = withSecrets(events, places)
      const agent: Agent = async function* () {
        yield* draftsOf(all)
        // A text of its own: not every format can replace one that is open.
        yield { kind: 'content-complete', contentId: 'last', content: last }
      }
      const server = handled({ agent, protocols })
      for (const [name, begin] of Object.entries(begins)) {
        const text = await begin(server.postAs('ann'))
        expect([name, text.includes(SECRET), name === 'native' || text.includes(last)]).toEqual([
          name,
          false,
          true,
        ])
      }
      const out = await read(server, 'chat')
      expect(leaksIn(out)).toEqual([])
      for (const way of ['history', 'chat', 'ag-ui', 'stream', 'reset']) expect(out.get(way)).toContain(last)
      const editor = await editorOf(agent as never)
      await editor.prompt(await editor.newSession(), 'Go')
      expect(JSON.stringify(editor.updates)).toContain(last)
      expect(JSON.stringify(editor.updates)).not.toContain(SECRET)
      expect(server.errors).toEqual([])
    }),
    { numRuns: runs(30) },
  )
})

it('no secret of a stored conversation reaches a client', async () => {
  await fc.assert(
    fc.asyncProperty(legalStreams({ maxChoices: 30 }), secrets, async (events, places) => {
      const store = memoryStore()
      const server = handled({ agent: async function* () {}, protocols, store })
      const stream = await store.open({ owner: 'ann', contextId: 'old' })
      for (const event of stored(withSecrets(events, places), 'old')) await stream.append(event)
      const out = await read(server, 'old')
      expect(leaksIn(out)).toEqual([])
      for (const way of ['history', 'chat', 'stream', 'reset']) expect(out.get(way)).toContain(last)
      expect(server.errors).toEqual([])
    }),
    { numRuns: runs(30) },
  )
})
