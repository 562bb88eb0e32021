// Proves that an editor on the official SDK of ACP has our agents: prompts, tools, permissions at the gate, cancels, loaded sessions.
import { methods } from '@agentclientprotocol/sdk'
import { run } from 'turnstream'
import { acpAgent, serveAcp, toAcp } from 'turnstream/acp'
import { createCommand } from 'turnstream/commands'
import { expect, it, vi } from 'vitest'
import { editorOf, type Served, select, storeOf, textOf } from './editor.ts'

const agentOf = (drafts: (...args: Parameters<Served>) => AsyncIterable<object>): Served => drafts as Served

const tide = agentOf(async function* () {
  yield { kind: 'thought-stream', thoughtType: 'reasoning', verbosity: 'normal', content: 'The table.' }
  yield { kind: 'content-delta', contentId: 'a', delta: 'I look' }
  yield { kind: 'content-complete', contentId: 'a', content: 'I look it up.' }
  yield { kind: 'tool-start', toolCallId: 'c', toolName: 'read', arguments: { path: '/tides.txt' } }
  yield { kind: 'tool-progress', toolCallId: 'c', progress: 0.5, message: 'Halfway' }
  yield {
    kind: 'tool-complete',
    ...{ toolCallId: 'c', toolName: 'read', success: true },
    result: [{ type: 'diff', path: '/a.txt', oldText: null, newText: '14:20' }],
  }
  const entry = { content: 'Answer', priority: 'high', status: 'completed' }
  yield { kind: 'data-write', artifactId: 'plan', data: { items: [entry] } }
  yield { kind: 'data-write', artifactId: 'mode', data: { currentModeId: 'code' } }
  yield { kind: 'data-write', artifactId: 'usage', data: { used: 9, size: 100 } }
  yield {
    kind: 'file-write',
    artifactId: 'f',
    data: 'aGk=',
    encoding: 'base64',
    mimeType: 'image/png',
    complete: true,
  }
  yield { kind: 'content-complete', contentId: 'b', content: 'At 14:20.' }
})

/** Asks to pay, and pays. */
const pays = agentOf(async function* (task) {
  const [approval] = yield* task.approve([{ toolCallId: 'pay', toolName: 'pay', arguments: '{"sum":5}' }])
  if (approval?.status !== 'approved') {
    yield { kind: 'content-complete', content: 'Not paid.' }
    return
  }
  yield { kind: 'tool-start', toolCallId: 'pay', toolName: 'pay', arguments: { sum: 5 } }
  yield { kind: 'tool-complete', toolCallId: 'pay', toolName: 'pay', success: true, result: { paid: 5 } }
})

const needsApproval = ({ toolName }: { toolName: string }): boolean => toolName === 'pay'

it('sends messages, thoughts, a tool with a diff, the plan, the mode, the usage and a file', async () => {
  const editor = await editorOf(tide)
  const sessionId = await editor.newSession()
  expect(await editor.prompt(sessionId, 'When is high tide?')).toEqual({ stopReason: 'end_turn' })
  const { updates } = editor
  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    'agent_thought_chunk',
    'agent_message_chunk',
    'agent_message_chunk',
    'tool_call',
    'tool_call_update',
    'tool_call_update',
    'plan',
    'current_mode_update',
    'usage_update',
    'agent_message_chunk',
    'agent_message_chunk',
  ])
  expect(textOf(updates, 'agent_thought_chunk')).toBe('The table.')
  expect(textOf(updates)).toBe('I look it up.At 14:20.')
  expect(updates[3]).toMatchObject({ name: 'read', status: 'in_progress', rawInput: { path: '/tides.txt' } })
  expect(updates[4]).toMatchObject({ content: [{ type: 'content', content: { text: 'Halfway' } }] })
  expect(updates[5]).toMatchObject({ status: 'completed', content: [{ type: 'diff', newText: '14:20' }] })
  expect(updates[9]).toMatchObject({ content: { type: 'image', data: 'aGk=', mimeType: 'image/png' } })
  expect(editor.errors).toEqual([])
})

it.each([
  ['allow_once', '{"paid":5}', ''],
  ['reject_once', '', 'Not paid.'],
] as const)('asks for a permission, and %s passes the gate', async (kind, paid, said) => {
  const store = storeOf({ needsApproval })
  const editor = await editorOf(pays, { store, answer: select(kind) })
  const sessionId = await editor.newSession()
  expect(await editor.prompt(sessionId, 'Pay.')).toEqual({ stopReason: 'end_turn' })
  expect(editor.asked).toMatchObject([{ sessionId, toolCall: { rawInput: { sum: 5 } } }])
  const calls = editor.updates.filter((update) => update.sessionUpdate === 'tool_call')
  expect(calls.map((call) => call.toolCallId)).toEqual(
    paid === '' ? [] : [editor.asked[0]?.toolCall.toolCallId],
  )
  expect(JSON.stringify(editor.updates)).toContain(paid === '' ? said : JSON.stringify(paid).slice(1, -1))
  expect(editor.errors).toEqual([])
})

it('refuses at the gate what the agent starts without a permission', async () => {
  const starts = agentOf(async function* () {
    yield { kind: 'tool-start', toolCallId: 'pay', toolName: 'pay', arguments: { sum: 5 } }
  })
  const editor = await editorOf(starts, { store: storeOf({ needsApproval }) })
  await expect(editor.prompt(await editor.newSession(), 'Pay.')).rejects.toMatchObject({ code: -32603 })
  expect(editor.updates).toEqual([])
})

it('allows nothing by an error of the editor', async () => {
  const editor = await editorOf(pays, {
    store: storeOf({ needsApproval }),
    answer: () => {
      throw new Error('no dialog')
    },
  })
  await editor.prompt(await editor.newSession(), 'Pay.')
  expect(textOf(editor.updates)).toBe('Not paid.')
  expect(editor.errors).toHaveLength(1)
})

it('withdraws a permission that a page has answered', async () => {
  const store = storeOf({ needsApproval })
  const withdrawn = vi.fn<() => void>()
  const editor = await editorOf(pays, {
    store,
    answer: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          withdrawn()
          resolve({ outcome: { outcome: 'cancelled' } })
        })
      }),
  })
  const sessionId = await editor.newSession()
  const prompted = editor.prompt(sessionId, 'Pay.')
  await vi.waitUntil(() => editor.asked.length > 0)
  const stream = await store.open({ owner: 'ann', contextId: sessionId })
  const [request] = await stream.requests()
  const responses = [
    { inputId: request?.id ?? '', callDigest: request?.call?.digest ?? '', outcome: 'answered' as const },
  ]
  const command = createCommand({ kind: 'input.respond', contextId: sessionId, responses })
  expect(await stream.submit(command, { role: 'user', id: 'ann' })).toMatchObject({ status: 'accepted' })
  expect(await prompted).toEqual({ stopReason: 'end_turn' })
  await vi.waitUntil(() => withdrawn.mock.calls.length === 1)
})

const waits = agentOf(async function* ({ signal }) {
  yield { kind: 'content-complete', content: 'I wait.' }
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
})

it('cancels a prompt', async () => {
  const editor = await editorOf(waits)
  const sessionId = await editor.newSession()
  const prompted = editor.prompt(sessionId, 'Wait.')
  await vi.waitUntil(() => editor.updates.length > 0)
  await editor.context.notify(methods.agent.session.cancel, { sessionId })
  expect(await prompted).toEqual({ stopReason: 'cancelled' })
})

it('cancels a prompt as soon as it is sent, and a permission with it', async () => {
  const editor = await editorOf(waits)
  const sessionId = await editor.newSession()
  const prompted = editor.prompt(sessionId, 'Wait.')
  await editor.context.notify(methods.agent.session.cancel, { sessionId })
  expect(await prompted).toEqual({ stopReason: 'cancelled' })
  const asking = await editorOf(pays, { answer: () => ({ outcome: { outcome: 'cancelled' } }) })
  expect(await asking.prompt(await asking.newSession(), 'Pay.')).toEqual({ stopReason: 'cancelled' })
})

it('cancels a prompt that the editor withdraws', async () => {
  const { context, newSession, updates, errors } = await editorOf(waits)
  const sessionId = await newSession()
  const controller = new AbortController()
  const prompt = [{ type: 'text' as const, text: 'Wait.' }]
  const options = { cancellationSignal: controller.signal }
  const prompted = context.request(methods.agent.session.prompt, { sessionId, prompt }, options)
  await vi.waitUntil(() => updates.length > 0)
  controller.abort()
  expect(await prompted).toEqual({ stopReason: 'cancelled' })
  expect(errors).toEqual([])
})

it('asks a question as text, and takes the next prompt as the answer', async () => {
  const asks = agentOf(async function* (task) {
    const reply = yield* task.ask({ inputId: 'harbour', prompt: 'Which harbour?' })
    const harbour = reply.status === 'answered' ? String(reply.value) : 'none'
    yield { kind: 'content-complete', content: `Tides of ${harbour}.` }
  })
  const editor = await editorOf(asks)
  const sessionId = await editor.newSession()
  expect(await editor.prompt(sessionId, 'Tides?')).toEqual({ stopReason: 'end_turn' })
  expect(textOf(editor.updates)).toContain('Which harbour?')
  expect(await editor.prompt(sessionId, 'Leith')).toEqual({ stopReason: 'end_turn' })
  expect(textOf(editor.updates)).toMatch(/Which harbour\?Tides of Leith\.$/)
})

it.each([
  ['an integer', { type: 'integer' }, '42', 42],
  ['a form', { type: 'object', required: ['when'] }, '{"when":"now"}', { when: 'now' }],
  ['text that is JSON', { type: 'string' }, '42', '42'],
])('takes %s as the answer to a question that wants it', async (_, schema, text, value) => {
  const answers: unknown[] = []
  const asks = agentOf(async function* (task) {
    const reply = yield* task.ask({ inputId: 'i', prompt: 'Which?', schema })
    answers.push(reply.status === 'answered' ? reply.value : reply.status)
    yield { kind: 'content-complete', content: 'Thanks.' }
  })
  const editor = await editorOf(asks)
  const sessionId = await editor.newSession()
  await editor.prompt(sessionId, 'Ask.')
  if (schema.type !== 'string') await expect(editor.prompt(sessionId, 'no')).rejects.toThrow('xpected')
  expect(await editor.prompt(sessionId, text)).toEqual({ stopReason: 'end_turn' })
  expect(answers).toEqual([value])
})

it('goes on when a permission that it has withdrawn is answered with an error', async () => {
  const store = storeOf({ needsApproval })
  const editor = await editorOf(pays, {
    store,
    answer: (_, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  const sessionId = await editor.newSession()
  const prompted = editor.prompt(sessionId, 'Pay.')
  await vi.waitUntil(() => editor.asked.length > 0)
  await editor.context.notify(methods.agent.session.cancel, { sessionId })
  expect(await prompted).toEqual({ stopReason: 'cancelled' })
  await editor.newSession()
  expect(editor.errors).toEqual([])
})

it('sends what happens once, however often a session is loaded', async () => {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const agent = agentOf(async function* () {
    yield { kind: 'content-delta', contentId: 'm', delta: 'One, ' }
    await opened
    yield { kind: 'content-delta', contentId: 'm', delta: 'two.' }
    yield { kind: 'content-complete', contentId: 'm', content: 'One, two.' }
  })
  const store = storeOf()
  const first = await editorOf(agent, { store })
  const sessionId = await first.newSession()
  const params = { sessionId, cwd: '/work', mcpServers: [] }
  const prompted = first.prompt(sessionId, 'Count.')
  await vi.waitUntil(() => first.updates.length > 0)
  const loaded = first.context.request(methods.agent.session.load, params)
  await expect(loaded).rejects.toMatchObject({ code: -32600 })
  const second = await editorOf(agent, { store })
  for (let count = 0; count < 3; count++) await second.context.request(methods.agent.session.resume, params)
  open()
  expect(await prompted).toEqual({ stopReason: 'end_turn' })
  expect(textOf(first.updates)).toBe('One, two.')
  await vi.waitUntil(() => textOf(second.updates) === 'two.')
  expect(await first.prompt(sessionId, 'Again.')).toEqual({ stopReason: 'end_turn' })
})

it('loads a session, in another editor, with what still waits', async () => {
  const store = storeOf({ needsApproval })
  const agent = agentOf(async function* (task, session) {
    yield* (task.input === 'Pay.' ? pays : tide)(task, session)
  })
  const first = await editorOf(agent, { store, answer: () => new Promise(() => {}) })
  const sessionId = await first.newSession()
  await first.prompt(sessionId, 'When is high tide?')
  const left = first.prompt(sessionId, 'Pay.').catch(() => 'left')
  await vi.waitUntil(() => first.asked.length > 0)
  first.close()
  await Promise.all([first.ended, left])

  const second = await editorOf(agent, { store })
  await second.context.request(methods.agent.session.load, { sessionId, cwd: '/work', mcpServers: [] })
  expect(textOf(second.updates, 'user_message_chunk')).toBe('When is high tide?Pay.')
  expect(textOf(second.updates)).toBe('I look it up.At 14:20.')
  await vi.waitUntil(() => JSON.stringify(second.updates).includes('"paid":5'))
  expect(second.asked).toHaveLength(1)
  expect(await second.prompt(sessionId, 'Again?')).toEqual({ stopReason: 'end_turn' })
})

it('gives the agent the session, and its requests to the editor', async () => {
  const reads = agentOf(async function* (_, { cwd, request, clientCapabilities }) {
    const { content } = await request('fs/read_text_file', { path: `${cwd}/tides.txt` })
    yield { kind: 'content-complete', content: `${JSON.stringify(clientCapabilities.fs)} ${content}` }
  })
  const editor = await editorOf(reads)
  await editor.prompt(await editor.newSession(), 'Read.')
  expect(textOf(editor.updates)).toBe('{"readTextFile":true,"writeTextFile":false} High tide at 14:20.')
})

it.each([
  ['refused', 'refusal'],
  ['budget_exhausted', 'max_turn_requests'],
])('%s is the stop reason %s', async (code, stopReason) => {
  const fails = agentOf(async function* () {
    yield { kind: 'task-status', status: 'failed', error: { code, message: 'No.', retry: 'terminal' } }
  })
  const editor = await editorOf(fails)
  expect(await editor.prompt(await editor.newSession(), 'Go.')).toEqual({ stopReason })
})

it('answers errors of JSON-RPC', async () => {
  const failing = agentOf(async function* () {
    yield { kind: 'content-complete', content: 'I fail.' }
    throw new Error('secret')
  })
  const store = storeOf()
  const editor = await editorOf(failing, { store })
  const { context } = editor
  const sessionId = await editor.newSession()
  const failed = editor.prompt(sessionId, 'Go.')
  await expect(failed).rejects.toMatchObject({ code: -32603 })
  await expect(failed).rejects.not.toMatchObject({ message: expect.stringContaining('secret') })
  const load = { sessionId: 'unknown', cwd: '/work', mcpServers: [] }
  await expect(context.request(methods.agent.session.load, load)).rejects.toMatchObject({ code: -32002 })
  await expect(editor.prompt('unknown', 'Go.')).rejects.toMatchObject({ code: -32002 })
  const image = { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' }
  const prompted = context.request(methods.agent.session.prompt, { sessionId, prompt: [image] })
  await expect(prompted).rejects.toMatchObject({ code: -32602 })
  await expect(editor.prompt(sessionId, ' ')).rejects.toMatchObject({ code: -32602 })
  const relative = { cwd: 'work', mcpServers: [] }
  await expect(context.request(methods.agent.session.new, relative)).rejects.toMatchObject({ code: -32602 })
  const bob = await editorOf(failing, { store, user: 'bob' })
  const foreign = bob.context.request(methods.agent.session.load, { ...load, sessionId })
  await expect(foreign).rejects.toMatchObject({ code: -32002 })
})

it('serves an ACP agent to an ACP editor', async () => {
  const inner = await import('./fake-agent.ts')
  const { connect } = inner.agentOf((send, { id, method }) => {
    if (method !== 'session/prompt') return undefined
    send(inner.say('At 14:20.'))
    const entries = [{ content: 'Answer', priority: 'high', status: 'pending' }]
    send(inner.update({ sessionUpdate: 'plan', entries }))
    const usage = { totalTokens: 12, inputTokens: 10, outputTokens: 2 }
    send({ id, result: { stopReason: 'end_turn', usage } })
    return true
  })
  const editor = await editorOf(acpAgent({ connect }) as unknown as Served)
  const response = await editor.prompt(await editor.newSession(), 'When?')
  expect(response).toMatchObject({ stopReason: 'end_turn' })
  expect(editor.updates).toMatchObject([
    { sessionUpdate: 'agent_message_chunk', content: { text: 'At 14:20.' } },
    { sessionUpdate: 'plan', entries: [{ content: 'Answer' }] },
  ])
})

it('ends when its signal is aborted', async () => {
  const controller = new AbortController()
  const { readable, writable } = new TransformStream()
  const served = serveAcp(
    { readable, writable },
    { store: storeOf(), user: 'ann', agent: tide as never, signal: controller.signal },
  )
  controller.abort()
  expect(await served).toBeUndefined()
})

it('writes the usage of a task', () => {
  const { push } = run(toAcp())
  const at = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00.000Z' }
  const usage = [{ inputTokens: 10, outputTokens: 2, cachedInputTokens: 4 }]
  const outputs = push({ kind: 'task-complete', ...at, metadata: { usage } })
  const counts = { totalTokens: 12, inputTokens: 10, outputTokens: 2, cachedReadTokens: 4 }
  expect(outputs).toEqual([{ result: { stopReason: 'end_turn', usage: counts } }])
})
