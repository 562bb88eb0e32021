// Proves that a user answers a login that a remote agent asks for, as far as its protocol has an answer.
import type { ContextAnyEvent } from 'turnstream'
import { commandsFromA2a } from 'turnstream/a2a'
import { a2aAgent, agUiAgent, chatAgent } from 'turnstream/agents'
import { createCommand, type Sender } from 'turnstream/commands'
import { type Agent, memoryStore, runAgent, type Store } from 'turnstream/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RemoteResponse } from '../../../src/agents/remote/options.ts'
import { anyone } from '../../support/anyone.ts'

const user: Sender = { role: 'user', id: 'ann' }
const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

async function served(agent: Agent) {
  const store = memoryStore({ ...anyone, verifyAuth: async () => ({ status: 'completed' }) })
  stores.push(store)
  const errors: string[] = []
  let done: Promise<void> | undefined
  const stream = await store.open('s', {
    onInput(stream, input) {
      done = runAgent(stream, input, agent, (error) => void errors.push(String(error)))
      return done
    },
  })
  await stream.submit(createCommand({ kind: 'task.send', contextId: 'c', input: 'Go.' }), user)
  return {
    errors,
    asked: () => vi.waitUntil(async () => (await stream.requests())[0], { interval: 1 }),
    async respond(outcome: 'completed' | 'denied'): Promise<void> {
      const [{ id: authId = '' } = {}] = await stream.requests()
      const receipt = await stream.submit(createCommand({ kind: 'auth.respond', authId, outcome }), user)
      expect(receipt.status).toBe('accepted')
    },
    async events(): Promise<ContextAnyEvent[]> {
      await done
      const { events } = (await stream.log.read()) as unknown as { events: ContextAnyEvent[] }
      expect(await stream.requests()).toEqual([])
      return events
    },
  }
}

const timestamp = '2026-01-01T00:00:00Z'
const of = { taskId: 't', contextId: 'x' }
const prompt = {
  messageId: 'm',
  role: 'ROLE_AGENT',
  parts: [{ text: 'Log in.' }, { data: { authId: 'login' } }],
}
const status = (state: string, message?: object): object => ({
  statusUpdate: { ...of, status: { state: `TASK_STATE_${state}`, timestamp, ...(message && { message }) } },
})
const begun = { task: { id: 't', contextId: 'x', status: { state: 'TASK_STATE_WORKING', timestamp } } }
const done = { messageId: 'd', role: 'ROLE_AGENT', parts: [{ text: 'Done.' }] }

const line = (id: unknown, result: object): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`

type Posted = { readonly id: string; readonly params: { readonly message: { readonly taskId?: string } } }

/** An agent of A2A that asks for a login: its response ends, or stays open until it is left, or goes on by itself. */
function a2aPeer(how: 'ends' | 'stays open' | 'goes on') {
  const posted: Posted[] = []
  let login = (): void => {}
  const loggedIn = new Promise<void>((resolve) => (login = resolve))
  const left = vi.fn()
  const post = (request: unknown, { signal }: { signal: AbortSignal }): RemoteResponse => {
    const each = request as Posted
    posted.push(each)
    async function* body() {
      if (each.params.message.taskId !== undefined) {
        yield line(each.id, status('COMPLETED', done))
        return
      }
      yield line(each.id, begun)
      yield line(each.id, status('AUTH_REQUIRED', prompt))
      if (how === 'ends') return
      if (how === 'goes on') await loggedIn
      else
        await new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => {
            left()
            resolve()
          }),
        )
      yield line(each.id, status('WORKING'))
      yield line(each.id, status('COMPLETED', done))
    }
    return { ok: true, status: 200, body: body() }
  }
  return { agent: a2aAgent({ post }), posted, login: () => login(), left }
}

const kinds = (events: readonly ContextAnyEvent[]): string[] =>
  events
    .map((event) => (event.kind === 'task-status' ? event.status : event.kind))
    .filter((name) => !name.startsWith('content'))

describe('an agent of A2A', () => {
  it.each(['ends', 'stays open'] as const)('is told of the login if its response %s', async (how) => {
    const { agent, posted, left } = a2aPeer(how)
    const { asked, respond, events } = await served(agent)
    expect(await asked()).toMatchObject({ type: 'auth', id: 'login', prompt: 'Log in.' })
    await respond('completed')
    expect(kinds(await events())).toEqual([
      ...['task-created', 'working', 'auth-required', 'waiting-auth', 'auth-completed', 'working'],
      ...['task-complete', 'completed'],
    ])
    const { message } = posted[1]?.params ?? {}
    expect(message).toMatchObject({
      taskId: 't',
      parts: [{ data: { approved: true } }],
      metadata: { authId: 'login' },
    })
    expect(left).toHaveBeenCalledTimes(how === 'ends' ? 0 : 1)
  })

  it('goes on by itself once the user has logged in there', async () => {
    const { agent, posted, login } = a2aPeer('goes on')
    const { asked, events } = await served(agent)
    await asked()
    login()
    expect(kinds(await events())).toEqual([
      ...['task-created', 'working', 'auth-required', 'waiting-auth', 'auth-completed', 'working'],
      ...['task-complete', 'completed'],
    ])
    expect(posted).toHaveLength(1)
  })

  it('is told that the user does not log in', async () => {
    const { agent, posted } = a2aPeer('ends')
    const { asked, respond, events } = await served(agent)
    await asked()
    await respond('denied')
    await events()
    expect(posted[1]?.params.message).toMatchObject({ parts: [{ data: { approved: false } }] })
  })

  it('of this library takes the message as a claim, which its server decides about', () => {
    const request = {
      type: 'auth',
      contextId: 'x',
      taskId: 't',
      id: 'login',
      prompt: '?',
      requireUser: true,
    } as const
    const read = (data: object, name = 'login') => {
      const message = { messageId: 'n', taskId: 't', parts: [{ data }], metadata: { authId: name } }
      return commandsFromA2a({ method: 'SendMessage', params: { message } }, { requests: [request] })
    }
    const named = { kind: 'auth.respond', commandId: 'n', contextId: 'x', taskId: 't', authId: 'login' }
    expect(read({ approved: true }).commands).toMatchObject([{ ...named, outcome: 'completed' }])
    expect(read({ approved: false }).commands).toMatchObject([{ ...named, outcome: 'denied' }])
    expect(read({ code: 1 }).commands).toMatchObject([{ ...named, outcome: 'completed', claim: { code: 1 } }])
    expect(read({ approved: true }, 'other').commands).toMatchObject([
      { kind: 'auth.respond', authId: 'other' },
    ])
  })
})

it.each(['completed', 'denied'] as const)('an agent of AG-UI is told of a login: %s', async (outcome) => {
  const posted: { readonly runId: string; readonly threadId: string; readonly resume?: object }[] = []
  const post = (request: unknown): RemoteResponse => {
    const { threadId, runId, resume } = request as (typeof posted)[number]
    posted.push(request as (typeof posted)[number])
    const interrupt = {
      id: 'login',
      reason: 'auth-required',
      message: 'Log in.',
      metadata: { authType: 'custom' },
    }
    const end = resume ? { type: 'success' } : { type: 'interrupt', interrupts: [interrupt] }
    const events = [
      { type: 'RUN_STARTED', threadId, runId },
      { type: 'RUN_FINISHED', threadId, runId, outcome: end },
    ]
    return { ok: true, status: 200, body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`) }
  }
  const { asked, respond, events } = await served(agUiAgent({ post: post as never }))
  expect(await asked()).toMatchObject({ type: 'auth', id: 'login' })
  await respond(outcome)
  expect(kinds(await events())).toContain('completed')
  const status = outcome === 'completed' ? 'resolved' : 'cancelled'
  expect(posted[1]?.resume).toMatchObject([{ interruptId: 'login', status }])
})

it('an agent of the AI SDK fails with a reason: its protocol has no answer', async () => {
  const chunks = [
    { type: 'start', messageId: 'm' },
    {
      type: 'data-auth',
      id: 'a',
      data: { authId: 'a', status: 'required', request: { authType: 'custom', prompt: 'Log in.' } },
    },
  ]
  const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  const { events, errors } = await served(chatAgent({ post: () => ({ ok: true, status: 200, body }) }))
  const all = await events()
  expect(kinds(all)).not.toContain('auth-required')
  expect(all.at(-1)).toMatchObject({
    status: 'failed',
    error: { code: 'unsupported', message: expect.stringContaining('login') },
  })
  expect(errors.join()).toContain('authentication')
})
