// Proves that an agent that speaks ACP is an agent: its updates are events, its permissions approvals, a cancel reaches it.

import { type ContextAnyEvent, createEmitter, type EventDraft, run } from 'turnstream'
import { acpAgent } from 'turnstream/acp'
import type { AgentTask } from 'turnstream/server'
import { verifier } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { agentOf as fakeAgent } from './fake-agent.ts'

type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: unknown
}
type Send = (message: object) => void

/** A connection with an agent, whose prompt is a script. */
function agentOf(script: (send: Send, message: Message) => void, received: Message[] = []) {
  return () => {
    const toClient = new TransformStream<unknown, unknown>()
    const writer = toClient.writable.getWriter()
    const send: Send = (message) => void writer.write({ jsonrpc: '2.0', ...message }).catch(() => {})
    const writable = new WritableStream<unknown>({
      write(value) {
        const message = value as Message
        received.push(message)
        if (message.method === 'initialize') send({ id: message.id, result: { protocolVersion: 1 } })
        else if (message.method === 'session/new') send({ id: message.id, result: { sessionId: 's' } })
        else script(send, message)
      },
    })
    return { readable: toClient.readable, writable }
  }
}

const update = (fields: object): object => ({
  method: 'session/update',
  params: { sessionId: 's', update: fields },
})
const say = (text: string, of = 'message'): object =>
  update({ sessionUpdate: `agent_${of}_chunk`, content: { type: 'text', text } })

async function read(connect: ReturnType<typeof agentOf>, more: Partial<AgentTask> = {}) {
  const codes: string[] = []
  const agent = acpAgent({ connect, onDiagnostic: ({ code }) => codes.push(code) })
  const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
  const events = [emit({ kind: 'task-created', initiator: 'user' }) as ContextAnyEvent]
  events.push(emit({ kind: 'task-status', status: 'working' }) as ContextAnyEvent)
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(String(error))
  const { signal } = new AbortController()
  const task = { input: 'When is high tide?', signal, onError, ...more } as AgentTask
  for await (const draft of agent(task)) events.push(emit(draft as EventDraft) as ContextAnyEvent)
  const { push } = run(verifier())
  expect(events.flatMap((event) => push(event))).toEqual([])
  return { events: events.slice(2), codes, errors }
}

const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
]

const script =
  (answers: unknown[]) =>
  (send: Send, message: Message): void => {
    if (message.method === 'session/prompt') {
      send(say('The tide', 'thought'))
      send(say(' table.', 'thought'))
      send(say('I look'))
      send(say(' it up.'))
      send(
        update({
          sessionUpdate: 'tool_call',
          toolCallId: 'c1',
          title: 'Read tides.txt',
          kind: 'read',
          status: 'in_progress',
          rawInput: { path: 'tides.txt' },
        }),
      )
      send(
        update({
          sessionUpdate: 'tool_call',
          toolCallId: 'c2',
          title: 'Write',
          status: 'pending',
          rawInput: { path: 'answer.txt' },
        }),
      )
      send(
        update({
          sessionUpdate: 'tool_call_update',
          toolCallId: 'c1',
          status: 'failed',
          rawOutput: 'No such file',
        }),
      )
      send({
        id: 7,
        method: 'session/request_permission',
        params: { sessionId: 's', toolCall: { toolCallId: 'c2' }, options },
      })
    } else if (message.id === 7) {
      answers.push(message.result)
      const isAllowed = JSON.stringify(message.result).includes('yes')
      send(
        update({
          sessionUpdate: 'tool_call_update',
          toolCallId: 'c2',
          status: isAllowed ? 'completed' : 'failed',
          content: [{ type: 'diff', path: '/answer.txt', oldText: null, newText: '14:20' }],
        }),
      )
      send(
        update({
          sessionUpdate: 'plan',
          entries: [{ content: 'Answer', priority: 'high', status: 'completed' }],
        }),
      )
      send(update({ sessionUpdate: 'available_commands_update', availableCommands: [] }))
      send(say('At 14:20.'))
      send({ id: 2, result: { stopReason: 'end_turn' } })
    }
  }

it('reads messages, thoughts, tools, a plan, and answers a permission', async () => {
  const answers: unknown[] = []
  const asked: unknown[] = []
  const approve: AgentTask['approve'] = async function* (calls) {
    asked.push(...calls)
    return calls.map((call) => ({ status: 'approved', call: { ...call, isEdited: false } }))
  }
  const { events, codes } = await read(agentOf(script(answers)), { approve })
  expect(asked).toEqual([{ toolCallId: 'c2', toolName: 'Write', arguments: '{"path":"answer.txt"}' }])
  expect(answers).toEqual([{ outcome: { outcome: 'selected', optionId: 'yes' } }])
  expect(events.map(({ kind }) => kind)).toEqual([
    'thought-stream',
    'content-delta',
    'content-delta',
    'content-complete',
    'tool-start',
    'tool-complete',
    'tool-start',
    'tool-complete',
    'data-write',
    'data-write',
    'content-delta',
    'content-complete',
    'task-complete',
  ])
  expect(events[5]).toMatchObject({ toolName: 'Read tides.txt', success: false, error: 'No such file' })
  expect(events[7]).toMatchObject({ success: true, result: [{ type: 'diff', newText: '14:20' }] })
  expect(codes).toEqual([])
})

it.each<[fields: object, toolName: string, error: string]>([
  [{ title: 'Read\n\u202Eelif\u200B' }, 'Read elif', 'The tool failed.'],
  [{ title: 'x'.repeat(300), rawOutput: null }, `${'x'.repeat(200)}…`, 'The tool failed.'],
  [{ name: ' \u200B', title: 'Read', rawOutput: '' }, 'Read', 'The tool failed.'],
  [{ title: '\n', rawOutput: 'Gone' }, 'tool', 'Gone'],
])('names a call in one line, and a failure without output: %j', async (fields, toolName, error) => {
  const { events } = await read(
    agentOf((send, { id, method }) => {
      if (method !== 'session/prompt') return undefined
      send(update({ sessionUpdate: 'tool_call', toolCallId: 'c1', status: 'failed', ...fields }))
      send({ id, result: { stopReason: 'end_turn' } })
      return true
    }),
  )
  expect(events.filter(({ kind }) => kind.startsWith('tool-'))).toMatchObject([
    { kind: 'tool-start', toolName },
    { kind: 'tool-complete', toolName, success: false, error },
  ])
})

it('rejects what was declined', async () => {
  const answers: unknown[] = []
  const approve: AgentTask['approve'] = async function* (calls) {
    return calls.map(() => ({ status: 'declined' as const }))
  }
  await read(agentOf(script(answers)), { approve })
  expect(answers).toEqual([{ outcome: { outcome: 'selected', optionId: 'no' } }])
})

it('cancels the prompt of a task that is canceled', async () => {
  const controller = new AbortController()
  const received: Message[] = []
  const cancelable = (send: Send, { method }: Message): void => {
    if (method === 'session/prompt') controller.abort()
    if (method === 'session/cancel') send({ id: 2, result: { stopReason: 'cancelled' } })
  }
  const { events } = await read(agentOf(cancelable, received), { signal: controller.signal })
  expect(received.map(({ method }) => method)).toContain('session/cancel')
  expect(events.at(-1)).toMatchObject({ status: 'canceled' })
})

it.each([
  ['refusal', 'refused'],
  ['max_tokens', 'budget_exhausted'],
])('%s fails the task as %s', async (stopReason, code) => {
  const { events } = await read(
    agentOf((send, { method }) => method === 'session/prompt' && send({ id: 2, result: { stopReason } })),
  )
  expect(events.at(-1)).toMatchObject({ status: 'failed', error: { code } })
})

it('fails on an error of the agent, and offers no files', async () => {
  const received: Message[] = []
  const failing = (send: Send, { method, id }: Message): void => {
    if (method === 'session/prompt')
      send({ id: 9, method: 'fs/read_text_file', params: { path: '/etc/passwd' } })
    if (id === 9) send({ id: 2, error: { code: -32000, message: 'secret' } })
  }
  const { events, errors } = await read(agentOf(failing, received))
  expect(received.at(-1)).toMatchObject({ id: 9, error: { code: -32601 } })
  expect(JSON.stringify(events)).not.toContain('secret')
  expect(events.at(-1)).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
  expect(errors).toEqual([expect.stringContaining('secret')])
})

it('drops calls of which too many are open', async () => {
  const { events, codes } = await read(
    agentOf((send, { method }) => {
      if (method !== 'session/prompt') return
      const call = (i: number, status: string): object =>
        update({ sessionUpdate: 'tool_call_update', toolCallId: `c${i}`, title: 'rm', status })
      for (let i = 0; i < 1030; i++) send(call(i, 'pending'))
      for (let i = 0; i < 1024; i++) send(call(i, 'completed'))
      send({ id: 2, result: { stopReason: 'end_turn' } })
    }),
  )
  expect(events.filter(({ kind }) => kind === 'tool-complete')).toHaveLength(1024)
  expect(codes).toEqual(Array.from({ length: 6 }, () => 'dropped:tool_call'))
})

it('continues a long text in another one', async () => {
  const { events } = await read(
    agentOf((send, { method }) => {
      if (method !== 'session/prompt') return
      for (let i = 0; i < 11; i++) send(say('x'.repeat(100_000)))
      send({ id: 2, result: { stopReason: 'end_turn' } })
    }),
  )
  const texts = events.flatMap((event) => (event.kind === 'content-complete' ? [event] : []))
  expect(texts.map(({ contentId, content }) => [contentId, content.length])).toEqual([
    ['message-0', 1_000_000],
    ['message-1', 100_000],
  ])
})

it('reads what the session states of itself as artifacts, and the usage of the prompt', async () => {
  const availableModes = [{ id: 'ask', name: 'Ask' }]
  const configOptions = [{ id: 'model', name: 'Model', type: 'select', currentValue: 'm', options: [] }]
  const availableCommands = [{ name: 'test', description: 'Run the tests.' }]
  const connect = (): ReturnType<ReturnType<typeof agentOf>> => {
    const { connect } = fakeAgent((send, { id, method }) => {
      if (method === 'session/new') {
        send({
          id,
          result: { sessionId: 's', modes: { currentModeId: 'ask', availableModes }, configOptions },
        })
        return true
      }
      if (method !== 'session/prompt') return undefined
      send(update({ sessionUpdate: 'current_mode_update', currentModeId: 'code' }))
      const cost = { amount: 0.02, currency: 'USD' }
      send(update({ sessionUpdate: 'usage_update', used: 900, size: 200_000, cost }))
      send(update({ sessionUpdate: 'available_commands_update', availableCommands }))
      send(update({ sessionUpdate: 'session_info_update', title: 'Tides' }))
      send(update({ sessionUpdate: 'session_info_update', updatedAt: '2026-03-14T08:00:00Z' }))
      const usage = { totalTokens: 160, inputTokens: 100, outputTokens: 20, cachedReadTokens: 40 }
      send({ id, result: { stopReason: 'end_turn', usage } })
    })
    return connect()
  }
  const { events, codes } = await read(connect)
  const written = events.flatMap((event) =>
    event.kind === 'data-write' ? [[event.artifactId, event.data]] : [],
  )
  expect(written).toEqual([
    ['mode', { currentModeId: 'ask', availableModes }],
    ['options', { configOptions }],
    ['mode', { currentModeId: 'code', availableModes }],
    ['usage', { used: 900, size: 200_000, cost: { amount: 0.02, currency: 'USD' } }],
    ['commands', { availableCommands }],
    ['session', { title: 'Tides' }],
    ['session', { title: 'Tides', updatedAt: '2026-03-14T08:00:00Z' }],
  ])
  const counts = { inputTokens: 140, outputTokens: 20, totalTokens: 160, cachedInputTokens: 40 }
  expect(events.at(-1)).toMatchObject({ kind: 'task-complete', metadata: { usage: [counts] } })
  expect(codes).toEqual([])
})

it.each([
  [
    { totalTokens: 12, inputTokens: 10, outputTokens: 2, thoughtTokens: 1 },
    { inputTokens: 10, outputTokens: 2 },
  ],
  [
    { totalTokens: 13, inputTokens: 10, outputTokens: 2, thoughtTokens: 1 },
    { inputTokens: 10, outputTokens: 3 },
  ],
  [{ totalTokens: '12', inputTokens: 10, outputTokens: 2 }, undefined],
])('reads the usage %j', async (usage, counts) => {
  const { events } = await read(
    agentOf((send, { method }) => {
      if (method === 'session/prompt') send({ id: 2, result: { stopReason: 'end_turn', usage } })
    }),
  )
  const last = events.at(-1)
  if (counts === undefined) expect(last).not.toHaveProperty('metadata')
  else expect(last).toMatchObject({ metadata: { usage: [counts] } })
})

it('reports the usage of a prompt that has not completed', async () => {
  const usage = { totalTokens: 12, inputTokens: 10, outputTokens: 2 }
  const { codes } = await read(
    agentOf((send, { method }) => {
      if (method === 'session/prompt') send({ id: 2, result: { stopReason: 'max_tokens', usage } })
    }),
  )
  expect(codes).toEqual(['dropped:usage'])
})

it('reads images and resources as files, and another message as another text', async () => {
  const piece = (content: object, messageId: string): object =>
    update({ sessionUpdate: 'agent_message_chunk', content, messageId })
  const { events, codes } = await read(
    agentOf((send, { method }) => {
      if (method !== 'session/prompt') return
      send(piece({ type: 'text', text: 'one' }, 'm1'))
      send(piece({ type: 'text', text: 'two' }, 'm2'))
      send(piece({ type: 'image', data: 'aGk=', mimeType: 'image/png' }, 'm2'))
      send(piece({ type: 'resource', resource: { uri: 'file:///a.txt', text: 'hi' } }, 'm2'))
      send(piece({ type: 'image', data: '?', mimeType: 'image/png' }, 'm2'))
      send(piece({ type: 'hologram' }, 'm2'))
      send({ id: 2, result: { stopReason: 'end_turn' } })
    }),
  )
  const texts = events.flatMap((event) => (event.kind === 'content-complete' ? [event.content] : []))
  expect(texts).toEqual(['one', 'two'])
  const files = events.filter(({ kind }) => kind === 'file-write')
  expect(files).toMatchObject([
    { artifactId: 'file-0', data: 'aGk=', encoding: 'base64', mimeType: 'image/png', complete: true },
    { artifactId: 'file-1', data: 'hi', encoding: 'utf-8', name: 'file:///a.txt', complete: true },
  ])
  expect(codes).toEqual(['dropped:content:image', 'dropped:content:hologram'])
})
