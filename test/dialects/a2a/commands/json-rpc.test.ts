// Proves that what the A2A SDKs of both versions post is read as the commands that it means.
import { Role } from '@a2a-js/sdk'
import { JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import type { Message } from 'a2a-sdk-03'
import { JsonRpcTransport } from 'a2a-sdk-03/client'
import fc from 'fast-check'
import { run } from 'turnstream'
import { commandsFromA2a } from 'turnstream/a2a'
import { decodeCommand } from 'turnstream/commands'
import { describe, expect, it } from 'vitest'
import { commandLedger } from '../../../../src/commands/ledger/ledger.ts'
import { openRequests } from '../../../../src/commands/ledger/read.ts'
import type { OpenRequest } from '../../../../src/streams/open-request.ts'
import { anyone } from '../../../support/anyone.ts'
import { expectSentences } from '../../../support/mapper-laws.ts'
import { runs } from '../../../support/runs.ts'
import { json } from '../../../support/zod-arbitrary.ts'

const options = { now: () => 0, newId: () => 'id' }
const url = 'http://agent.example/a2a'

/** What a client posts, whatever it makes of the reply. */
async function posted(call: (fetchImpl: typeof fetch) => Promise<unknown>): Promise<unknown> {
  const bodies: unknown[] = []
  const fetchImpl = async (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    bodies.push(JSON.parse(String(init.body)))
    return new Response('{}', { status: 500 })
  }
  await call(fetchImpl as never).catch(() => undefined)
  return bodies[0]
}

function asked(...inputIds: string[]) {
  const ledger = run(commandLedger(anyone))
  const context = { contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-01-01T00:00:00Z' }
  for (const inputId of inputIds) {
    const ask = { kind: 'input-required', inputId, inputType: 'custom', prompt: '?' } as const
    ledger.push({ type: 'event', event: { ...context, ...ask } })
  }
  return openRequests(ledger.state)
}

it('reads a message to the root task as the answer to a request of a subtask', () => {
  const ledger = run(commandLedger(anyone))
  const context = { contextId: 'ctx-1', timestamp: '2026-01-01T00:00:00Z' }
  const child = { ...context, taskId: 'task-3', parentTaskId: 'task-2' }
  const created = { kind: 'task-created', initiator: 'agent' } as const
  ledger.push({ type: 'event', event: { ...context, ...created, taskId: 'task-2', parentTaskId: 'task-1' } })
  const ask = { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?' } as const
  ledger.push({ type: 'event', event: { ...child, ...ask } })
  const toolCall = { id: 'c', function: { name: 'where', arguments: '{}' } }
  const read = (taskId: string) => {
    const message = { messageId: 'm', taskId, contextId: 'ctx-1', parts: [{ text: 'Brest' }] }
    const requests = openRequests(ledger.state)
    return commandsFromA2a({ method: 'SendMessage', params: { message } }, { ...options, requests }).commands
  }
  const sent = { commandId: 'm', contextId: 'ctx-1', sourceDigest: expect.stringMatching(/^sha-256:/) }
  for (const taskId of ['task-1', 'task-2', 'task-3']) {
    expect(read(taskId)).toMatchObject([
      { kind: 'input.respond', ...sent, responses: [{ inputId: 'i', value: 'Brest' }] },
    ])
  }
  expect(read('task-9')).toMatchObject([{ kind: 'task.send', ...sent }])
  ledger.push({
    type: 'event',
    event: { ...child, kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' },
  })
  const metadata = { toolCall, provider: 'client' }
  ledger.push({
    type: 'event',
    event: { ...child, ...ask, inputId: 'j', inputType: 'tool-execution', metadata },
  })
  expect(read('task-1')).toMatchObject([{ kind: 'tool.result', ...sent, toolCallId: 'c', result: 'Brest' }])
})

const v03 = (fetchImpl: typeof fetch): JsonRpcTransport => new JsonRpcTransport({ endpoint: url, fetchImpl })
const v1 = (fetchImpl: typeof fetch) => new JsonRpcTransportFactory({ fetchImpl }).create(url, {} as never)
const first = async (stream: AsyncGenerator<unknown>): Promise<unknown> => stream.next()

const message03: Message = {
  kind: 'message',
  role: 'user',
  messageId: 'm-1',
  parts: [{ kind: 'text', text: 'Brest' }],
}
const message1 = {
  ...{
    messageId: 'm-1',
    contextId: 'ctx-1',
    taskId: 'task-1',
    role: Role.ROLE_USER,
    extensions: [],
    referenceTaskIds: [],
  },
  ...{
    metadata: undefined,
    parts: [{ content: { $case: 'text', value: 'Brest' }, metadata: undefined, filename: '', mediaType: '' }],
  },
}
const send1 = { tenant: '', message: message1, configuration: undefined, metadata: undefined } as never

const bodies: readonly [
  what: string,
  call: (fetchImpl: typeof fetch) => Promise<unknown>,
  taskId?: string,
][] = [
  ['message/send', (f) => v03(f).sendMessage({ message: message03 })],
  ['message/stream', (f) => first(v03(f).sendMessageStream({ message: message03 }))],
  ['SendMessage', async (f) => (await v1(f)).sendMessage(send1), 'task-1'],
  ['SendStreamingMessage', async (f) => first((await v1(f)).sendMessageStream(send1)), 'task-1'],
]

describe('commandsFromA2a', () => {
  it.each(bodies)('reads %s', async (method, call, taskId) => {
    const body = await posted(call)
    expect(body).toMatchObject({ method })
    const { commands, diagnostics } = commandsFromA2a(body, options)
    expect(diagnostics).toEqual([])
    const task = taskId === undefined ? {} : { taskId, contextId: 'ctx-1' }
    expect(commands).toEqual([
      {
        ...{ kind: 'task.send', commandId: 'm-1', ...task, input: 'Brest' },
        ...{ sourceDigest: expect.stringMatching(/^sha-256:/), timestamp: '1970-01-01T00:00:00.000Z' },
      },
    ])
  })

  it('reads a message to a task that asks as the answer', async () => {
    const body03 = await posted((f) =>
      v03(f).sendMessage({
        message: { ...message03, taskId: 'task-1', parts: [{ kind: 'data', data: { port: 'Brest' } }] },
      }),
    )
    const body1 = await posted(async (f) => (await v1(f)).sendMessage(send1))
    const read = (body: unknown) => commandsFromA2a(body, { ...options, requests: asked('i') }).commands
    const respond = { kind: 'input.respond', commandId: 'm-1', contextId: 'ctx-1' }
    expect(read(body03)).toMatchObject([
      { ...respond, responses: [{ inputId: 'i', value: { port: 'Brest' } }] },
    ])
    expect(read(body1)).toMatchObject([{ ...respond, responses: [{ inputId: 'i', value: 'Brest' }] }])
    const several = commandsFromA2a(body1, { ...options, requests: asked('i', 'j') })
    expect(several).toMatchObject({
      commands: [{ kind: 'task.send' }],
      diagnostics: [{ code: 'dropped:answer' }],
    })
  })

  it.each([
    ['a text claims that it is completed', [{ text: 'Done' }], { outcome: 'completed', claim: 'Done' }],
    [
      'an approval claims nothing',
      [{ data: { approved: true } }],
      { outcome: 'completed', claim: undefined },
    ],
    ['a refusal declines it', [{ data: { approved: false } }], { outcome: 'denied', claim: undefined }],
  ])('reads a message about a login: %s', (_, parts, answer) => {
    const message = {
      messageId: 'm-1',
      taskId: 'task-1',
      contextId: 'ctx-1',
      parts,
      metadata: { authId: 'a' },
    }
    const { commands } = commandsFromA2a({ method: 'SendMessage', params: { message } }, options)
    const sourceDigest = expect.stringMatching(/^sha-256:/)
    const sent = { commandId: 'm-1', contextId: 'ctx-1', taskId: 'task-1', sourceDigest }
    const timestamp = '1970-01-01T00:00:00.000Z'
    expect(commands).toEqual([{ kind: 'auth.respond', ...sent, authId: 'a', ...answer, timestamp }])
  })

  it.each<[what: string, call: (fetchImpl: typeof fetch) => Promise<unknown>, kind: string]>([
    ['tasks/cancel', (f) => v03(f).cancelTask({ id: 'task-1' }), 'task.cancel'],
    ['tasks/resubscribe', (f) => first(v03(f).resubscribeTask({ id: 'task-1' })), 'stream.resume'],
    ['CancelTask', async (f) => (await v1(f)).cancelTask({ id: 'task-1' } as never), 'task.cancel'],
    [
      'SubscribeToTask',
      async (f) => first((await v1(f)).resubscribeTask({ id: 'task-1' } as never)),
      'stream.resume',
    ],
  ])('reads %s', async (method, call, kind) => {
    const body = await posted(call)
    expect(body).toMatchObject({ method })
    expect(commandsFromA2a(body, options).commands).toMatchObject([{ kind, taskId: 'task-1' }])
  })

  it.each<[what: string, parts: object[], input?: unknown]>([
    ['a text', [{ text: 'Brest' }], 'Brest'],
    ['several texts as lines', [{ text: 'Brest' }, { text: 'Paris' }], 'Brest\nParis'],
    ['data', [{ data: { port: 'Brest' } }], { port: 'Brest' }],
    ['an approval beside a text', [{ text: 'Yes' }, { data: { approved: true } }], { approved: true }],
    ['other data beside a text', [{ text: 'Here' }, { data: { port: 'Brest' } }]],
    ['two data', [{ data: 1 }, { data: 2 }]],
    ['an approval beside other data', [{ data: { approved: true } }, { data: 2 }]],
    ['a file', [{ url: 'https://x.example/' }]],
    ['no part', []],
  ])('gives %s to the task, or else the parts', (_, parts, input = parts) => {
    const message = { messageId: 'm', parts }
    const { commands } = commandsFromA2a({ method: 'SendMessage', params: { message } }, options)
    expect(commands).toMatchObject([{ kind: 'task.send', input }])
  })

  it.each<[what: string, body: unknown, code: string, path: string]>([
    ['another method', { method: 'tasks/get', params: { id: 't' } }, 'dropped:tasks/get', '/method'],
    ['no task to cancel', { method: 'tasks/cancel', params: {} }, 'invalid-event', '/params/id'],
    ['no task to resume', { method: 'SubscribeToTask', params: { id: 7 } }, 'invalid-event', '/params/id'],
    ['no message', { method: 'message/send', params: {} }, 'invalid-event', '/params/message'],
    [
      'no list of parts',
      { method: 'message/send', params: { message: { parts: 'x' } } },
      'invalid-event',
      '/params/message/parts',
    ],
    ['no method', { params: {} }, 'invalid-event', ''],
    ['no params', { method: 'message/send' }, 'invalid-event', ''],
    ['null', null, 'invalid-event', ''],
    ['a number', 7, 'invalid-event', ''],
    ['a list', [], 'invalid-event', ''],
  ])('reports %s', (_, body, code, path) => {
    const { commands, diagnostics } = commandsFromA2a(body, options)
    expect(commands).toEqual([])
    expect(diagnostics).toMatchObject([{ code, path }])
    expectSentences([{ out: [], diagnostics }])
  })

  const shared = { contextId: 'ctx-2', prompt: '?', requireUser: false }
  const i: OpenRequest = { ...shared, type: 'input', taskId: 'task-1', id: 'i' }
  const j: OpenRequest = { ...i, id: 'j' }
  const ofSubtask: OpenRequest = { ...i, taskId: 'sub', ancestorTaskIds: ['task-1'] }
  const ofOther: OpenRequest = { ...i, taskId: 'other' }
  const auth: OpenRequest = { ...i, type: 'auth' }
  const text = { parts: [{ text: 'Yes' }] }
  const approval = { parts: [{ data: { approved: true } }] }
  const declined = { parts: [{ data: { approved: 'no' } }] }
  const call = { toolCallId: 'c', toolName: 't', arguments: '{}', digest: 'd' }
  const inTask = { taskId: 'task-1' }
  const answer = (inputId: string, value?: unknown) => ({
    kind: 'input.respond',
    contextId: 'ctx-2',
    responses: [value === undefined ? { inputId, outcome: 'answered' } : { inputId, value }],
  })
  const send = { kind: 'task.send', taskId: 'task-1' }
  const named = (inputId: unknown) => ({ metadata: { inputId } })

  it.each<[what: string, message: object, requests: OpenRequest[], commands: object[], found?: string[]]>([
    ['the only request of its task', { ...text, ...inTask }, [i], [answer('i', 'Yes')]],
    ['the only request of a subtask', { ...text, ...inTask }, [ofSubtask], [answer('i', 'Yes')]],
    ['the only request beside those of others', { ...text, ...inTask }, [j, ofOther], [answer('j', 'Yes')]],
    ['the one it names', { ...text, ...inTask, ...named('j') }, [i, j], [answer('j', 'Yes')]],
    [
      'the one it names without a task',
      { contextId: 'ctx-2', ...text, ...named('i') },
      [i],
      [answer('i', 'Yes')],
    ],
    ['one that is not open', { contextId: 'ctx-2', ...text, ...named('z') }, [i], [answer('z', 'Yes')]],
    ['an approval', { ...approval, ...inTask }, [{ ...i, call }], [answer('i')]],
    ['no request: none is open', { ...text, ...inTask }, [], [{ ...send, input: 'Yes' }]],
    ['no request: of another task', { ...text, ...inTask }, [ofOther], [{ ...send, input: 'Yes' }]],
    ['no request: not one for input', { ...text, ...inTask }, [auth], [{ ...send, contextId: 'ctx-2' }]],
    ['no request: without a task', text, [i], [{ kind: 'task.send', input: 'Yes' }]],
    [
      'no request: approval without a task',
      approval,
      [i],
      [{ kind: 'task.send', input: { approved: true } }],
    ],
    [
      'no request: two are open',
      { ...text, ...inTask },
      [i, j],
      [{ ...send, contextId: 'ctx-2', input: 'Yes' }],
      ['dropped:answer /params/message'],
    ],
    [
      'one with its own id: an approval of nothing',
      { contextId: 'ctx-2', ...approval, ...inTask },
      [],
      [answer('m')],
      ['inferred:inputId /params/message/metadata'],
    ],
    [
      'one with its own id: an approval of one of two',
      { ...approval, ...inTask },
      [i, j],
      [answer('m')],
      ['inferred:inputId /params/message/metadata'],
    ],
    [
      'nothing: no approval that can be read',
      { ...declined, ...inTask },
      [{ ...i, call }],
      [],
      ['invalid-event /params/message/parts/approved'],
    ],
    [
      'nothing: it names a request of another task',
      { ...text, taskId: 'task-2', ...named('i') },
      [i],
      [],
      ['invalid-event /params/message/metadata/inputId'],
    ],
  ])('reads a message as the answer to %s', (_, message, requests, expected, found = []) => {
    const body = { method: 'SendMessage', params: { message: { messageId: 'm', ...message } } }
    const { commands, diagnostics } = commandsFromA2a(body, { ...options, requests })
    expect(commands).toMatchObject(expected.map((each) => ({ commandId: 'm', ...each })))
    expect(commands).toHaveLength(expected.length)
    expect(diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual(found)
    expectSentences([{ out: [], diagnostics }])
  })

  it('gives the metadata of a message to the task, and the context of its requests to other commands', () => {
    const message = { messageId: 'm', ...text, metadata: { language: 'fr' } }
    const read = (body: object) => commandsFromA2a(body, { ...options, requests: [i] }).commands
    expect(read({ method: 'SendMessage', params: { message } })).toMatchObject([
      { kind: 'task.send', metadata: { language: 'fr' } },
    ])
    for (const metadata of [7, null, undefined]) {
      const [command] = read({ method: 'SendMessage', params: { message: { ...message, metadata } } })
      expect(command).not.toHaveProperty('metadata')
    }
    for (const [method, kind] of [
      ['CancelTask', 'task.cancel'],
      ['SubscribeToTask', 'stream.resume'],
    ]) {
      expect(read({ method, params: { id: 'task-1' } })).toMatchObject([
        { kind, taskId: 'task-1', contextId: 'ctx-2' },
      ])
    }
  })

  it('gives valid commands and never throws', () => {
    const method = fc.constantFrom('message/send', 'SendMessage', 'tasks/cancel', 'SubscribeToTask', 'x')
    const message = fc.record({
      messageId: json,
      taskId: fc.constantFrom('task-1', '', 7),
      parts: fc.array(json),
    })
    const body = fc.record({
      method,
      params: fc.oneof(json, fc.record({ id: json, message: fc.oneof(json, message) })),
    })
    fc.assert(
      fc.property(
        fc.oneof(json, body),
        fc.constantFrom(asked('i'), asked('i', 'j'), undefined),
        (value, requests) => {
          const { commands, diagnostics } = commandsFromA2a(value, {
            ...options,
            ...(requests && { requests }),
          })
          for (const command of commands) expect(decodeCommand(command).status).toBe('known')
          expectSentences([{ out: commands, diagnostics }])
          expect(commands.length + diagnostics.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: runs(200) },
    )
  })
})

it.each<[what: string, taskId: string, inputId: unknown]>([
  ['of another task', 'other', 'i'],
  ['that is a number', 'task-1', 5],
  ['that is an object', 'task-1', {}],
  ['that is empty', 'task-1', ''],
])('refuses a message that names a request %s', (_, taskId, inputId) => {
  const parts = [{ data: { approved: true } }]
  const message = { messageId: 'm', contextId: 'ctx-1', taskId, parts, metadata: { inputId } }
  const read = commandsFromA2a(
    { method: 'SendMessage', params: { message } },
    { ...options, requests: asked('i') },
  )
  expect(read).toMatchObject({
    commands: [],
    diagnostics: [{ code: 'invalid-event', path: '/params/message/metadata/inputId' }],
  })
})
