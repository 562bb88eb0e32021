// An agent that speaks ACP by a script, and a stream that runs it.
import type { ContextAnyEvent } from 'turnstream'
import { run } from 'turnstream'
import { acpAgent } from 'turnstream/acp'
import { createCommand, type Receipt, type Sender } from 'turnstream/commands'
import { memoryStore, runAgent, type Store } from 'turnstream/server'
import { emptyView, foldEvents, type TaskView, verifier } from 'turnstream/streams'
import { afterEach, expect, vi } from 'vitest'
import type { AcpAgentOptions } from '../../src/acp/acp-agent.ts'
import type { AcpStream } from '../../src/acp/connection.ts'
import type { StoreOptions } from '../../src/server/store.ts'
import type { OpenRequest } from '../../src/streams/open-request.ts'
import { anyone } from '../support/anyone.ts'

export type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: unknown
}
export type Send = (message: object) => void
type Script = (send: Send, message: Message) => unknown

/** A fake agent, what it has received, and how its connection ended. */
export interface FakeAgent {
  readonly connect: () => AcpStream
  readonly received: Message[]
  readonly state: { isOpen: boolean; isCanceled: boolean }
}

/** Connections with an agent, whose answers are a script. What it leaves out is answered as usual. */
export function agentOf(script: Script): FakeAgent {
  const received: Message[] = []
  const state = { isOpen: false, isCanceled: false }
  const connect = () => {
    state.isOpen = true
    const toClient = new TransformStream<unknown, unknown>()
    const writer = toClient.writable.getWriter()
    writer.closed.catch(() => {
      state.isCanceled = true
    })
    const send: Send = (message) => void writer.write({ jsonrpc: '2.0', ...message }).catch(() => {})
    const end = (): void => {
      state.isOpen = false
    }
    const writable = new WritableStream<unknown>({
      async write(value) {
        const message = value as Message
        received.push(message)
        const { id, method } = message
        if ((await script(send, message)) !== undefined) return
        if (method === 'initialize') send({ id, result: { protocolVersion: 1 } })
        else if (method === 'session/new') send({ id, result: { sessionId: 's' } })
      },
      close: end,
      abort: end,
    })
    return { readable: toClient.readable, writable }
  }
  return { connect, received, state }
}

export const update = (fields: object, sessionId = 's'): object => ({
  method: 'session/update',
  params: { sessionId, update: fields },
})
export const say = (text: string, of = 'message', sessionId = 's'): object =>
  update({ sessionUpdate: `agent_${of}_chunk`, content: { type: 'text', text } }, sessionId)
export const call = (toolCallId: string, fields: object): object =>
  update({ sessionUpdate: 'tool_call_update', toolCallId, ...fields })

export const choices: Readonly<
  Record<'allow_once' | 'allow_always' | 'reject_once' | 'reject_always', object>
> = {
  allow_once: { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  allow_always: { optionId: 'always', name: 'Always', kind: 'allow_always' },
  reject_once: { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  reject_always: { optionId: 'never', name: 'Never', kind: 'reject_always' },
}
export const once: readonly object[] = [choices.allow_once, choices.reject_once]

export const permission = (
  id: unknown,
  toolCall: object,
  options: unknown = once,
  sessionId = 's',
): object => ({
  id,
  method: 'session/request_permission',
  params: { sessionId, toolCall, options },
})

const user: Sender = { role: 'user', id: 'ann' }
const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

type Decide = 'answered' | 'declined'

interface Seen {
  readonly events: readonly ContextAnyEvent[]
  readonly task: TaskView | undefined
  readonly tools: TaskView['parts']
}

/** A stream that runs an agent. */
export interface Served {
  readonly codes: string[]
  readonly errors: string[]
  requests(): Promise<readonly OpenRequest[]>
  asked(): Promise<OpenRequest>
  answer(inputId: string, outcome: Decide): Promise<Receipt>
  cancel(): Promise<Receipt>
  /** Answers all requests, until the task ends. */
  ended(outcomeOf?: (inputId: string) => Decide): Promise<Seen>
  events(): Promise<Seen>
}

/** Runs the agent in a stream. */
export async function served(
  connect: AcpAgentOptions['connect'],
  options: Partial<AcpAgentOptions> = {},
  storeOptions: StoreOptions = {},
): Promise<Served> {
  const store = memoryStore({ ...anyone, ...storeOptions })
  stores.push(store)
  const codes: string[] = []
  const errors: string[] = []
  const agent = acpAgent({ connect, onDiagnostic: ({ code }) => codes.push(code), ...options })
  let done: Promise<void> | undefined
  const stream = await store.open('s', {
    onInput: (stream, input) => {
      done = runAgent(stream, input, agent, (error) => errors.push(String(error)))
      return done.catch((error) => errors.push(String(error)))
    },
  })
  const submit = (command: object) => stream.submit(command, user)
  await submit(createCommand({ kind: 'task.send', contextId: 'c', input: 'When is high tide?' }))
  const asked = () => vi.waitUntil(async () => (await stream.requests())[0]) as Promise<OpenRequest>
  const answer = (inputId: string, outcome: Decide) =>
    submit(createCommand({ kind: 'input.respond', contextId: 'c', responses: [{ inputId, outcome }] }))
  return {
    codes,
    errors,
    requests: () => stream.requests(),
    asked,
    answer,
    cancel: () => submit(createCommand({ kind: 'task.cancel', contextId: 'c' })),
    async ended(outcomeOf = () => 'answered') {
      let isDone = false
      done
        ?.catch(() => undefined)
        .finally(() => {
          isDone = true
        })
      await vi.waitUntil(async () => {
        for (const { id } of await stream.requests()) await answer(id, outcomeOf(id))
        return isDone
      })
      return eventsOf()
    },
    events: eventsOf,
  }

  async function eventsOf(): Promise<Seen> {
    const { events } = (await stream.log.read()) as unknown as { events: ContextAnyEvent[] }
    const { push } = run(verifier({ mode: 'strict' }))
    const found = events.flatMap((event) => push(event)).filter(({ severity }) => severity === 'error')
    expect(found).toEqual([])
    const task = foldEvents(emptyView, events).tasks[0]
    return { events, task, tools: task?.parts.filter(({ type }) => type === 'tool') ?? [] }
  }
}
