// Proves that agents of all protocols ask the users of all protocols: servers of our own writers, read by agents of a stream.
import { type ContextAnyEvent, createEmitter, type Machine, run } from 'turnstream'
import { commandsFromA2a, toA2a } from 'turnstream/a2a'
import { commandsFromRunAgentInput, toAgUi } from 'turnstream/ag-ui'
import { a2aAgent, agUiAgent, chatAgent } from 'turnstream/agents'
import { commandsFromChatRequest, toUiMessageStream } from 'turnstream/ai-sdk'
import { createCommand, type Sender } from 'turnstream/commands'
import { type Agent, memoryStore, runAgent, type Store } from 'turnstream/server'
import { encodeJson } from 'turnstream/sse'
import { emptyView, foldEvents, verifier } from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RemoteResponse } from '../../../src/agents/remote/options.ts'
import type { OpenRequest } from '../../../src/streams/open-request.ts'
import { anyone } from '../../support/anyone.ts'
import { hastenWaits } from '../../support/fake-time.ts'

hastenWaits()

const user: Sender = { role: 'user', id: 'ann' }
const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

const toolCall = { id: 'k', function: { name: 'pay', arguments: '{"amount":3}' } }
const question = {
  inputId: 'q',
  inputType: 'tool-execution',
  prompt: 'Pay 3?',
  metadata: { toolCall },
} as const
const pay = { toolCallId: 'k', toolName: 'pay' }

/** What the agent of a server does at first, and once a user has decided. */
function turn(taskId: string, decision?: boolean): ContextAnyEvent[] {
  const { emit } = createEmitter({ contextId: 'remote', taskId })
  if (decision === undefined) {
    return [
      emit({ kind: 'task-created', initiator: 'user' }),
      emit({ kind: 'task-status', status: 'working' }),
      emit({ kind: 'content-complete', contentId: 'a', content: 'Looking.' }),
      emit({ kind: 'input-required', ...question }),
      emit({ kind: 'task-status', status: 'waiting-input', metadata: { blockedBy: 'q' } }),
    ]
  }
  const outcome = decision ? {} : { outcome: 'declined' as const }
  return [
    emit({ kind: 'input-received', inputId: 'q', providedBy: 'user', userId: 'u', ...outcome }),
    emit({ kind: 'task-status', status: 'working' }),
    ...(decision
      ? [
          emit({ kind: 'tool-start', ...pay, arguments: { amount: 3 } }),
          emit({ kind: 'tool-complete', ...pay, success: true, result: { paid: 3 } }),
        ]
      : []),
    emit({ kind: 'content-complete', contentId: 'b', content: decision ? 'Paid.' : 'Not paid.' }),
    emit({ kind: 'task-status', status: 'completed' }),
    emit({ kind: 'task-complete' }),
  ]
}

type Writer = Machine<object, ContextAnyEvent, never, never>

/** Answers with events, by a writer that continues where it was if the task does. */
function server(writer: (request: never) => unknown, wrap: (item: never, request: never) => unknown) {
  let state: object | undefined
  return (request: unknown, events: readonly ContextAnyEvent[]): RemoteResponse => {
    if (events[0]?.kind === 'task-created') state = undefined
    const mapper = run(writer(request as never) as Writer, { ...(state !== undefined && { state }) })
    const items = [...events.flatMap((event) => mapper.push(event)), ...mapper.end()]
    state = mapper.state
    const messages = items.map((item) => encodeJson(wrap(item, request as never)))
    return { ok: true, status: 200, body: messages }
  }
}

interface Remote {
  readonly agent: (post: (request: unknown) => RemoteResponse) => Agent
  /** The decision in a request; `undefined` if it has a prompt. */
  readonly decisionIn: (request: never) => boolean | undefined
  readonly server: () => ReturnType<typeof server>
}

interface Posted {
  readonly threadId: string
  readonly runId: string
  readonly id: string
  readonly resume?: readonly { readonly status: string }[]
  readonly params: {
    readonly message: {
      readonly taskId?: string
      readonly parts: readonly { data?: { approved?: boolean } }[]
    }
  }
  readonly messages: readonly {
    readonly parts: readonly { readonly approval?: { readonly approved: boolean } }[]
  }[]
}

const remotes: Readonly<Record<string, Remote>> = {
  'AG-UI': {
    agent: (post) => agUiAgent({ post }),
    decisionIn: ({ resume }: Posted) => resume && resume[0]?.status === 'resolved',
    server: () =>
      server(
        ({ threadId, runId }: Posted) => toAgUi({ threadId, runId, messages: [] }),
        (item) => item,
      ),
  },
  A2A: {
    agent: (post) => a2aAgent({ post }),
    decisionIn: ({ params: { message } }: Posted) =>
      message.taskId === undefined ? undefined : message.parts[0]?.data?.approved === true,
    server: () =>
      server(
        () => toA2a({ version: '1.0' }),
        (result, { id }: Posted) => ({ jsonrpc: '2.0', id, result }),
      ),
  },
  'A2A 0.3': {
    agent: (post) => a2aAgent({ post, card: { protocolVersion: '0.3.0' } }),
    decisionIn: ({ params: { message } }: Posted) =>
      message.taskId === undefined ? undefined : message.parts[0]?.data?.approved === true,
    server: () =>
      server(
        () => toA2a({ version: '0.3' }),
        (result, { id }: Posted) => ({ jsonrpc: '2.0', id, result }),
      ),
  },
  'AI SDK': {
    agent: (post) => chatAgent({ post }),
    decisionIn: ({ messages }: Posted) =>
      messages.at(-1)?.parts.flatMap(({ approval }) => approval?.approved ?? [])[0],
    server: () =>
      server(
        () => toUiMessageStream(),
        (item) => item,
      ),
  },
}

/** An agent of a protocol, and what its server was posted. */
function remoteOf({ agent, decisionIn, server: serverOf }: Remote) {
  const answer = serverOf()
  const posted: unknown[] = []
  let tasks = 0
  const post = (request: unknown): RemoteResponse => {
    posted.push(JSON.parse(JSON.stringify(request)))
    const decision = decisionIn(request as never)
    if (decision === undefined) tasks++
    return answer(request, turn(`remote-${tasks}`, decision))
  }
  return { agent: agent(post), posted }
}

/** An agent here that does the same. */
const own: Agent = async function* (task) {
  yield { kind: 'content-complete', contentId: 'a', content: 'Looking.' }
  const [approval] = yield* task.approve([{ toolCallId: 'k', toolName: 'pay', arguments: '{"amount":3}' }])
  if (approval?.status === 'approved') {
    yield { kind: 'tool-start', ...pay, arguments: { amount: 3 } }
    yield { kind: 'tool-complete', ...pay, success: true, result: { paid: 3 } }
  }
  const content = approval?.status === 'approved' ? 'Paid.' : 'Not paid.'
  yield { kind: 'content-complete', contentId: 'b', content }
  yield { kind: 'task-complete' }
}

/** What a page posts to answer a request, as commands. */
const pages: Readonly<Record<string, (request: OpenRequest, approved: boolean) => readonly object[]>> = {
  native: ({ id: inputId }, approved) => [
    createCommand({
      ...{ kind: 'input.respond', contextId: 'c' },
      responses: [{ inputId, outcome: approved ? 'answered' : 'declined' }],
    }),
  ],
  'AG-UI': (request, approved) => {
    const resume = approved
      ? { interruptId: request.id, status: 'resolved', payload: { approved } }
      : { interruptId: request.id, status: 'cancelled' }
    const input = { threadId: 'c', runId: 'p', messages: [], tools: [], context: [], resume: [resume] }
    return commandsFromRunAgentInput(input, { requests: [request] }).commands
  },
  A2A: (request, approved) => {
    const { id: inputId, taskId } = request
    const message = {
      messageId: 'p',
      role: 'ROLE_USER',
      taskId,
      parts: [{ data: { approved } }],
      metadata: { inputId },
    }
    const posted = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }
    return commandsFromA2a(posted, { requests: [request] }).commands
  },
  'AI SDK': (request, approved) => {
    const part = {
      ...{ type: 'tool-pay', toolCallId: 'k', state: 'approval-responded', input: { amount: 3 } },
      approval: { id: request.id, approved },
    }
    const messages = [{ id: request.taskId, role: 'assistant', parts: [part] }]
    return commandsFromChatRequest({ id: 'c', messages, trigger: 'submit-message' }, { requests: [request] })
      .commands
  },
}

/** Serves an agent in a stream. */
async function served(agent: Agent) {
  const store = memoryStore(anyone)
  stores.push(store)
  const errors: unknown[] = []
  let done: Promise<void> | undefined
  const stream = await store.open('s', {
    onInput: (stream, input) => {
      done = runAgent(stream, input, agent, (error) => errors.push(error))
      return done.catch((error) => errors.push(error))
    },
  })
  return {
    errors,
    send: (input: string) => stream.submit(createCommand({ kind: 'task.send', contextId: 'c', input }), user),
    cancel: (taskId: string) =>
      stream.submit(createCommand({ kind: 'task.cancel', contextId: 'c', taskId }), user),
    submit: (command: object) => stream.submit(command, user),
    asked: () => vi.waitUntil(async () => (await stream.requests())[0]),
    events: async () => {
      await done
      const { events } = (await stream.log.read()) as unknown as { events: ContextAnyEvent[] }
      const { push } = run(verifier({ mode: 'strict' }))
      expect(events.flatMap((event) => push(event)).filter(({ severity }) => severity === 'error')).toEqual(
        [],
      )
      return events
    },
  }
}

const agents: Readonly<Record<string, () => Agent>> = {
  native: () => own,
  ...Object.fromEntries(Object.entries(remotes).map(([name, each]) => [name, () => remoteOf(each).agent])),
}

describe.each(Object.keys(agents))('an agent of %s', (name) => {
  describe.each(Object.keys(pages))('with a page of %s', (page) => {
    it.each([true, false])('goes on with the decision %s', async (approved) => {
      const { send, submit, asked, events, errors } = await served((agents[name] as () => Agent)())
      await send('Pay.')
      for (const command of (pages[page] as (typeof pages)[string])(await asked(), approved))
        await submit(command)
      const all = await events()
      const task = foldEvents(emptyView, all).tasks[0]
      expect(errors).toEqual([])
      expect(task).toMatchObject({ status: 'completed', input: 'Pay.' })
      const texts = task?.parts.flatMap((part) => (part.type === 'text' ? part.text : []))
      expect(texts).toEqual(['Looking.', approved ? 'Paid.' : 'Not paid.'])
      const requests = task?.parts.filter(({ type }) => type === 'input')
      expect(requests).toMatchObject([{ status: approved ? 'answered' : 'declined' }])
      const results = task?.parts.flatMap((part) =>
        part.type === 'tool' && part.status === 'succeeded' ? [part.result] : [],
      )
      // A2A has no calls.
      expect(results).toEqual(approved && !name.startsWith('A2A') ? [{ paid: 3 }] : [])
    })
  })
})

describe.each(Object.entries(remotes))('an agent of %s', (_, remote) => {
  it('gets the next input in the same conversation', async () => {
    const { agent, posted } = remoteOf(remote)
    const { send, submit, asked, events } = await served(agent)
    await send('Pay.')
    for (const command of (pages.native as (typeof pages)[string])(await asked(), true)) await submit(command)
    await events()
    await send('Again.')
    await asked()
    expect(posted).toHaveLength(3)
    expect(JSON.stringify(posted[2])).toContain('Again.')
  })

  it('fails if it cannot be reached', async () => {
    const agent = remote.agent(() => ({ ok: false, status: 500, body: null }))
    const { send, events, errors } = await served(agent)
    await send('Pay.')
    expect(foldEvents(emptyView, await events()).tasks[0]).toMatchObject({ status: 'failed' })
    expect(errors).toHaveLength(1)
  })

  it('fails if it stops', async () => {
    const { send, events } = await served(remote.agent(() => ({ ok: true, status: 200, body: [] })))
    await send('Pay.')
    expect(foldEvents(emptyView, await events()).tasks[0]).toMatchObject({ status: 'failed' })
  })

  it('is canceled', async () => {
    const { agent, posted } = remoteOf(remote)
    const { send, cancel, asked, events } = await served(agent)
    await send('Pay.')
    const { taskId } = await asked()
    await cancel(taskId)
    expect(foldEvents(emptyView, await events()).tasks[0]).toMatchObject({ status: 'canceled' })
    expect(posted.length).toBeGreaterThan(0)
  })
})

it.each([agUiAgent, a2aAgent, chatAgent])('requires a function to post', (agent) => {
  expect(() => agent({ post: 'url' as never })).toThrow('"post" must be a function')
})
