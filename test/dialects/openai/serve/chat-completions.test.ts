// Proves that the SDK of OpenAI talks to an agent behind a handler: streamed and whole, with history, usage, questions and errors.
import OpenAI from 'openai'
import { chatCompletions } from 'turnstream/openai'
import type { Agent } from 'turnstream/server'
import { describe, expect, it, vi } from 'vitest'
import { continued, taskWriter } from '../../../../src/dialects/openai/serve/task-writer.ts'
import type { ContextAnyEvent } from '../../../../src/events/event.ts'
import type { AgentHandlerOptions } from '../../../../src/server/handler/options.ts'
import type { TaskEvents } from '../../../../src/server/protocol/read-task.ts'
import type { WrittenEnd } from '../../../../src/server/protocol/write-task.ts'
import { hastenWaits } from '../../../support/fake-time.ts'
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

hastenWaits()

const path = 'v1/chat/completions'

function served(agent: Agent, options: Partial<AgentHandlerOptions> = {}) {
  const server = handled({
    agent,
    protocols: { [path]: chatCompletions() },
    user: (request) => request.headers.get('authorization')?.slice('Bearer '.length) || undefined,
    ...options,
  })
  const clientOf = (apiKey: string, headers: Record<string, string> = {}) =>
    new OpenAI({
      ...{ apiKey, baseURL: `${root}/v1`, defaultHeaders: headers, maxRetries: 2 },
      fetch: (url, init) => server.handler(new Request(url as string, init as RequestInit)),
    })
  return { ...server, clientOf, client: clientOf('ann') }
}

const say = (content: string) => ({ role: 'user', content }) as const
const said = (content: string) => ({ role: 'assistant', content }) as const
const model = 'harbour'

/** Tells what it knows of the conversation. */
const echo: Agent = async function* (task) {
  const known = task.turns.map((turn) =>
    turn.role === 'user' ? `u:${String(turn.content)}` : `a:${'text' in turn ? turn.text : ''}`,
  )
  const usage = [{ model, inputTokens: 3, outputTokens: 2, totalTokens: 5 }]
  yield { kind: 'content-complete', content: known.join(' '), metadata: { usage } }
}

describe('a completion', () => {
  it('has the answer, the usage, and an agent that knows the earlier messages', async () => {
    const { client, errors } = served(echo)
    const messages = [{ role: 'system', content: 'Be kind.' } as const, say('One'), said('1'), say('Two')]
    const whole = await client.chat.completions.create({ model, messages })
    expect(whole).toMatchObject({
      ...{
        object: 'chat.completion',
        model,
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      },
      choices: [{ message: { role: 'assistant', content: 'u:One a:1 u:Two' }, finish_reason: 'stop' }],
    })
    const stream = client.chat.completions.stream({
      ...{ model, messages, stream_options: { include_usage: true } },
    })
    const streamed = await stream.finalChatCompletion()
    expect([streamed.choices[0]?.message.content, streamed.usage?.total_tokens]).toEqual([
      'u:One a:1 u:Two',
      5,
    ])
    expect(errors).toEqual([])
  })

  it('adds to the conversation that it names, whatever it repeats of it', async () => {
    const { client, clientOf } = served(echo)
    const metadata = { conversation: 'trip' }
    await client.chat.completions.create({ model, metadata, messages: [say('One')] })
    const messages = [say('One'), said('u:One'), say('Two')]
    const second = await client.chat.completions.create({ model, metadata, messages })
    expect(second.choices[0]?.message.content).toBe('u:One a:u:One u:Two')
    const named = clientOf('ann', { 'x-conversation': 'trip' })
    const third = await named.chat.completions.create({ model, messages: [say('Three')] })
    expect(third.choices[0]?.message.content).toContain('u:Two a:u:One a:u:One u:Two u:Three')
    const other = await clientOf('bob').chat.completions.create({ model, metadata, messages: [say('Mine')] })
    expect(other.choices[0]?.message.content).toBe('u:Mine')
  })

  it('is the same if the client sends it again', async () => {
    const begun: unknown[] = []
    const agent: Agent = async function* (task) {
      begun.push(task.input)
      yield { kind: 'content-complete', content: 'Once.' }
    }
    const { handler } = served(agent)
    let isBroken = true
    const fetch = async (url: unknown, init?: unknown): Promise<Response> => {
      const response = await handler(new Request(url as string, init as RequestInit))
      if (!isBroken) return response
      isBroken = false
      throw new TypeError('fetch failed')
    }
    const client = new OpenAI({ apiKey: 'ann', baseURL: `${root}/v1`, fetch })
    const messages = [say('Hi')]
    const again = await client.chat.completions.create({ model, messages })
    expect([again.choices[0]?.message.content, begun]).toEqual(['Once.', ['Hi']])
    const key = { headers: { 'idempotency-key': 'k-1' } }
    const first = await client.chat.completions.create({ model, messages }, key)
    expect((await client.chat.completions.create({ model, messages }, key)).id).toBe(first.id)
    expect(begun).toEqual(['Hi', 'Hi'])
  })
})

describe('a question', () => {
  const metadata = { conversation: 'trip' }

  async function asked(calls = 1) {
    const agent = booking({ calls })
    const server = served(agent.agent)
    const first = await server.client.chat.completions.create({ model, metadata, messages: [say('Book')] })
    const text = first.choices[0]?.message.content ?? ''
    const reply = (content: string) =>
      server.client.chat.completions.create({
        model,
        metadata,
        messages: [say('Book'), said(text), say(content)],
      })
    return { agent, server, first, text, reply }
  }

  it('is text, and the next message is the answer', async () => {
    const { agent, first, text, reply } = await asked()
    expect(first.choices[0]).toMatchObject({ finish_reason: 'stop' })
    const [question, number, end] = text.split(/(?<=\n\(Question )([0-9a-f]{8})(?=\))/)
    expect([question, number]).toEqual([
      `${textBefore}\n\nRun book?\nbook {"seat":0}\n(Question `,
      expect.any(String),
    ])
    expect(end).toBe(')\n\nReply "approve" or "decline".')
    const approved = await reply('Approve.')
    expect(approved.choices[0]).toMatchObject({ message: { content: textAfter }, finish_reason: 'stop' })
    expect([agent.calls, agent.begun]).toEqual([1, ['Book']])
    expect(JSON.stringify([first, approved])).not.toContain(secret)
  })

  it('is declined, for all calls that were shown', async () => {
    const { agent, reply } = await asked(2)
    const declined = await reply('decline')
    expect([declined.choices[0]?.message.content, agent.calls]).toEqual([textDeclined, 0])
  })

  it('is asked again if the message is no answer to it', async () => {
    const { agent, reply } = await asked()
    const again = await reply('What is the weather?')
    expect(again.choices[0]?.message.content).toContain('Run book?\nbook {"seat":0}')
    expect([agent.begun, agent.calls]).toEqual([['Book'], 0])
    expect((await reply('approve')).choices[0]?.message.content).toBe(textAfter)
  })

  it('is not answered by a client that has not shown it', async () => {
    const { agent, server } = await asked()
    const messages = [say('approve')]
    const other = await server.client.chat.completions.create({ model, metadata, messages })
    expect(other.choices[0]?.message.content).toContain('Run book?')
    const stolen = await server.clientOf('bob').chat.completions.create({ model, metadata, messages })
    expect(stolen.choices[0]?.message.content).toContain('Run book?')
    expect([agent.calls, agent.begun]).toEqual([0, ['Book', 'approve']])
  })

  it('is not answered by a late answer to the same question asked before', async () => {
    const { agent, server, reply } = await asked()
    await reply('decline')
    const messages = [say('Book')]
    const again = await server.client.chat.completions.create({ model, metadata, messages })
    expect(again.choices[0]?.message.content).toContain('Run book?')
    const late = await reply('approve')
    expect(late.choices[0]?.message.content).toContain('Run book?')
    expect([agent.calls, agent.begun]).toEqual([0, ['Book', 'Book']])
  })

  it('streams as a message of its own behind the answer, with the calls that ran', async () => {
    const { server, text } = await asked(2)
    const messages = [say('Book'), said(text), say('approve')]
    const stream = server.client.chat.completions.stream({ model, metadata, messages })
    const { message, finish_reason } = (await stream.finalChatCompletion()).choices[0] ?? {}
    expect([message?.content, finish_reason, message?.tool_calls?.length ?? 0]).toEqual([
      textAfter,
      'stop',
      2,
    ])
  })

  it('cancels the task where nobody can answer', async () => {
    const agent = booking()
    const { client } = served(agent.agent)
    const alone = await client.chat.completions.create({ model, messages: [say('Book')] })
    expect(alone.choices[0]?.message.content).toContain('no name')
    await eventually(() => expect(agent.aborted).toEqual(['Book']))
  })

  it('may be answered by another client', async () => {
    const { agent, server, text } = await asked()
    const native = server.answer('ann', 'trip')
    expect(await native).toMatchObject({ status: 'accepted' })
    await eventually(() => expect(agent.calls).toBe(1))
    const messages = [say('Book'), said(text), say('approve')]
    // It is consent to nothing else.
    const late = server.client.chat.completions.create({ model, metadata, messages })
    await expect(late).rejects.toMatchObject({ status: 409 })
    expect([agent.begun, agent.calls]).toEqual([['Book'], 1])
  })

  it.each([undefined, 'key-1'])(
    'is approved once, however often that is sent, with the key %s',
    async (key) => {
      const { agent, server, text } = await asked()
      let lost = 0
      const client = server.client.withOptions({
        async fetch(url, init) {
          const response = await server.handler(new Request(url as string, init as RequestInit))
          if (lost++ >= 2) return response
          await response.text()
          throw new TypeError('The connection was lost.')
        },
      })
      const messages = [say('Book'), said(text), say('approve')]
      const options = key === undefined ? {} : { idempotencyKey: key }
      const answer = await client.chat.completions.create({ model, metadata, messages }, options)
      expect([agent.begun, agent.calls, lost]).toEqual([['Book'], 1, 3])
      expect(answer.choices[0]?.message.content).not.toContain('approve')
    },
  )

  it('of words is answered with words', async () => {
    const agent: Agent = async function* (task) {
      const reply = yield* task.ask({ inputId: 'where', prompt: 'Where to?' })
      yield {
        kind: 'content-complete',
        content: `To ${reply.status === 'answered' ? String(reply.value) : '-'}.`,
      }
    }
    const { client } = served(agent)
    const first = await client.chat.completions.create({ model, metadata, messages: [say('Go')] })
    const text = first.choices[0]?.message.content ?? ''
    const messages = [say('Go'), said(text), say('Brest')]
    const second = await client.chat.completions.create({ model, metadata, messages })
    expect(text).toMatch(/^\s*Where to\?\n\(Question [0-9a-f]{8}\)\s*$/)
    expect(second.choices[0]?.message.content).toBe('To Brest.')
  })
})

it('cancels what asks in a conversation without a name, also if its client has left before', async () => {
  let goOn = (): void => {}
  const told = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let begun = 0
  const agent: Agent = async function* (task) {
    begun++
    await told
    yield* task.ask({ inputId: 'where', prompt: 'Where to?' })
  }
  const { client } = served(agent, { limits: { tasksPerUser: 1 } })
  const leaving = new AbortController()
  const ask = (signal?: AbortSignal) =>
    client.chat.completions.create(
      { model, messages: [say('Go')] },
      { signal: signal ?? null, maxRetries: 0 },
    )
  const left = ask(leaving.signal).catch(() => undefined)
  await eventually(() => expect(begun).toBe(1))
  leaving.abort()
  await left
  await expect(ask()).rejects.toMatchObject({ status: 429 })
  goOn()
  await eventually(async () => expect((await ask()).choices[0]?.message.content).toContain('Where to?'))
})

it.each(['waiting', 'ended', 'blocked', undefined] as const)(
  'is over for the task that waits, and for no other: %s',
  async (end) => {
    const onWaiting = vi.fn(async () => {})
    const outputs = async function* (): AsyncGenerator<never, WrittenEnd> {
      yield* []
      return end
    }
    const chunks: unknown[] = []
    for await (const chunk of continued({ skipped: 0 } as TaskEvents, outputs(), onWaiting))
      chunks.push(chunk)
    expect(onWaiting).toHaveBeenCalledTimes(end === 'waiting' ? 1 : 0)
    expect(chunks).toHaveLength(end === 'blocked' ? 1 : 0)
  },
)

it('leaves what a subtask asks the client to run to it, beside other questions', () => {
  const replies = { call: '', other: '' }
  const writer = taskWriter('t', { model, viewer: { audience: 'user' } }, replies, undefined)
  const place = { contextId: 'c', timestamp: '2026-01-01T00:00:00.000Z' }
  const below = { ...place, taskId: 's', parentTaskId: 't' }
  const toolCall = { id: 'k', function: { name: 'pay', arguments: '{"n":1}' } }
  const asks = { ...below, kind: 'input-required', inputType: 'tool-execution', prompt: 'Pay.' }
  const events = [
    { ...place, taskId: 't', kind: 'task-created', initiator: 'user' },
    { ...place, taskId: 't', kind: 'subtask-created', subtaskId: 's', prompt: 'Help.' },
    { ...below, kind: 'task-created', initiator: 'agent' },
    { ...asks, inputId: 'i', metadata: { toolCall, provider: 'client' } },
    { ...below, kind: 'input-required', inputId: 'j', inputType: 'custom', prompt: 'Well?' },
    { ...place, taskId: 't', kind: 'task-status', status: 'waiting-subtask' },
  ] as ContextAnyEvent[]
  const chunks = events.flatMap((event) => [...writer.push(event)])
  const calls = chunks.flatMap((chunk) =>
    chunk !== null && 'choices' in chunk ? chunk.choices.flatMap(({ delta }) => delta.tool_calls ?? []) : [],
  )
  expect(calls.map((call) => [call.id, call.function?.name])).toContainEqual(['k', 'pay'])
  expect(JSON.stringify(chunks)).toContain('Well?')
})

describe('errors', () => {
  it('are those of OpenAI, and are not sent again', async () => {
    const agent = vi.fn(async function* () {
      yield { kind: 'content-delta', delta: 'One' } as const
      throw new Error('secret cause')
    })
    const { client, handler, errors } = served(agent as Agent)
    const whole = client.chat.completions.create({ model, messages: [say('Hi')] })
    await expect(whole).rejects.toMatchObject({ status: 500, code: 'internal', type: 'internal' })
    const reading = async () => {
      const stream = await client.chat.completions.create({ model, stream: true, messages: [say('Hi')] })
      for await (const _ of stream);
    }
    await expect(reading()).rejects.toThrow('The task failed.')
    expect(agent).toHaveBeenCalledTimes(2)
    await eventually(() => expect(errors).toHaveLength(2))
    await expect(client.chat.completions.create({ model, messages: [] })).rejects.toMatchObject({
      ...{ status: 400, code: 'invalid', type: 'invalid_request_error' },
    })
    await expect(client.chat.completions.create({} as never)).rejects.toMatchObject({ status: 400 })
    await expect(
      new OpenAI({
        apiKey: 'x',
        baseURL: `${root}/v1`,
        fetch: (url) => handler(new Request(url as string)),
      }).chat.completions.create({ model, messages: [say('Hi')] }),
    ).rejects.toMatchObject({ status: 401 })
  })

  it('answers any body, and never with 500', async () => {
    const { handler } = served(echo)
    const bodies = [
      '',
      '{',
      '[]',
      '3',
      '{"messages":{}}',
      '{"messages":[3,null]}',
      '{"messages":[{"role":"user"}]}',
      '{"messages":[{"role":"user","content":"Hi"}],"stream":3}',
      '{"messages":[{"role":"user","content":"Hi"}],"stream":null}',
    ]
    const statuses = await Promise.all(
      bodies.map(async (body) => {
        const headers = { 'content-type': 'application/json', authorization: 'Bearer ann' }
        const response = await handler(new Request(`${root}/${path}`, { method: 'POST', headers, body }))
        expect((await response.json()) as object).toHaveProperty(
          response.status === 200 ? 'choices' : 'error.code',
        )
        return response.status
      }),
    )
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 400, 200])
  })
})
