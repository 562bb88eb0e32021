// Proves that bodies that are almost right are answered by every protocol: never with 500, and an error says where what was expected.
import fc from 'fast-check'
import { a2a } from 'turnstream/a2a'
import { agUi } from 'turnstream/ag-ui'
import { aiSdk } from 'turnstream/ai-sdk'
import { chatCompletions } from 'turnstream/openai'
import { type Agent, memoryStore } from 'turnstream/server'
import { expect, it } from 'vitest'
import { mutantsOf } from '../../support/mutants.ts'
import { handled, root } from '../../support/protocols.ts'
import { runs } from '../../support/runs.ts'

const protocols = {
  chat: aiSdk(),
  'ag-ui': agUi(),
  a2a: a2a({ card: {} }),
  'v1/chat/completions': chatCompletions(),
}

const call = { id: 'call-1', type: 'function' as const, function: { name: 'book', arguments: '{"seat":1}' } }
const timestamp = '2026-01-31T10:30:00Z'
const user = { role: 'user', content: [{ type: 'text', text: 'Book' }] }
const tool = { type: 'dynamic-tool', toolName: 'book', toolCallId: 'call-1', input: { seat: 1 } }

function rpc(method: string, params: object): object {
  return { jsonrpc: '2.0', id: 1, method, params }
}

const message = {
  messageId: 'm-2',
  role: 'ROLE_USER',
  contextId: 'trip',
  parts: [{ text: 'Book' }, { data: { seat: 1 } }],
}

/** Valid bodies, by protocol and path. */
const bodies: Readonly<Record<string, readonly [path: string, ...bodies: object[]]>> = {
  native: [
    '?context=trip',
    { kind: 'task.send', commandId: 'c-2', timestamp, input: { text: 'Book' }, metadata: { a: 1 } },
    {
      ...{ kind: 'input.respond', commandId: 'c-3', timestamp },
      responses: [{ inputId: 'i-1', outcome: 'answered', value: { arguments: { seat: 1 } } }],
    },
    { kind: 'tool.result', commandId: 'c-4', timestamp, toolCallId: 'call-2', success: true, result: [1] },
    { kind: 'task.cancel', commandId: 'c-5', timestamp, reason: 'Enough' },
    {
      kind: 'auth.respond',
      commandId: 'c-6',
      timestamp,
      authId: 'a-1',
      outcome: 'completed',
      claim: { code: 'x' },
    },
  ],
  'ai-sdk': [
    '/chat',
    {
      id: 'trip',
      trigger: 'submit-message',
      messageId: 'm-2',
      messages: [{ id: 'm-2', role: 'user', parts: [{ type: 'text', text: 'Book' }], metadata: { a: 1 } }],
    },
    {
      id: 'trip',
      messages: [
        {
          id: 'm-1',
          role: 'assistant',
          parts: [
            { type: 'step-start' },
            { ...tool, state: 'approval-responded', approval: { id: 'i-1', approved: true, reason: 'So' } },
          ],
        },
      ],
    },
    {
      id: 'trip',
      messages: [
        {
          id: 'm-1',
          role: 'assistant',
          parts: [
            { ...tool, type: 'tool-book', state: 'output-available', output: [1] },
            { ...tool, toolCallId: 'call-2', state: 'output-error', errorText: 'No' },
          ],
        },
        { id: 'm-2', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: 'data:,' }] },
      ],
    },
  ],
  'ag-ui': [
    '/ag-ui',
    {
      threadId: 'trip',
      runId: 'r-2',
      state: { a: 1 },
      tools: [{ name: 'x' }],
      context: [],
      forwardedProps: {},
      messages: [{ id: 'm-2', ...user }],
    },
    {
      threadId: 'trip',
      runId: 'r-3',
      messages: [
        { id: 'a', role: 'assistant', toolCalls: [call] },
        { id: 't', role: 'tool', toolCallId: 'call-1', content: '{"a":1}', error: 'No' },
      ],
      resume: [{ interruptId: 'i-1', status: 'resolved', payload: { approved: true, editedArgs: {} } }],
    },
  ],
  'ag-ui connect': ['/ag-ui/connect', { threadId: 'trip', runId: 'r-2', messages: [] }],
  openai: [
    '/v1/chat/completions',
    {
      model: 'harbour',
      metadata: { conversation: 'trip' },
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'system', content: 'Be kind.' }, user],
    },
    {
      model: 'harbour',
      messages: [
        { role: 'user', content: 'One' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call-1', content: '1' },
        user,
      ],
    },
  ],
  a2a: [
    '/a2a',
    rpc('SendMessage', {
      message: { ...message, metadata: { inputId: 'i-1' } },
      configuration: { blocking: true, historyLength: 1 },
    }),
    rpc('message/stream', {
      message: {
        ...message,
        kind: 'message',
        role: 'user',
        taskId: 'trip:t',
        parts: [{ kind: 'text', text: 'Book' }],
        metadata: { authId: 'a-1' },
      },
    }),
    rpc('GetTask', { id: 'trip:t', historyLength: 1 }),
    rpc('tasks/cancel', { id: 'trip:t', metadata: {} }),
    rpc('tasks/resubscribe', { id: 'trip:t' }),
  ],
}

/** Asks for approval and for the result of a call. */
const agent: Agent = async function* (task) {
  if (task.input !== 'Begin') return
  yield {
    kind: 'input-required',
    inputId: 'i-1',
    inputType: 'tool-execution',
    prompt: 'Book?',
    metadata: { toolCall: call },
  }
  yield {
    kind: 'tool-start',
    toolCallId: 'call-2',
    toolName: 'book',
    arguments: { seat: 1 },
    metadata: { provider: 'client' },
  }
  yield { kind: 'task-status', status: 'waiting-input' }
}

it.each(Object.keys(bodies))('%s', async (name) => {
  const [path, ...valid] = bodies[name] as (typeof bodies)[string]
  const mutants = fc.constantFrom(...valid).chain(mutantsOf)
  await fc.assert(
    fc.asyncProperty(mutants, fc.boolean(), async (body, hasBegun) => {
      const store = memoryStore()
      const { fetchAs, errors } = handled({ agent, protocols, store })
      const post = async (to: string, text: string) => {
        const headers = { 'content-type': 'application/json' }
        const response = await fetchAs('ann')(`${root}${to}`, { method: 'POST', headers, body: text })
        return { status: response.status, text: await response.text() }
      }
      if (hasBegun) {
        const begin = { kind: 'task.send', commandId: 'c-1', timestamp, input: 'Begin' }
        await post('?context=trip', JSON.stringify(begin))
      }
      const { status, text } = await post(path, JSON.stringify(body))
      expect([errors, text]).toEqual([[], expect.stringMatching(/\S/)])
      expect([200, 400, 403, 404, 409]).toContain(status)
      await store.close()
    }),
    { numRuns: runs(300) },
  )
})

it.each([
  [
    '/chat',
    { id: 'trip', messages: [{ role: 'user', parts: [{ type: {} }] }] },
    '/messages/0/parts/0/type: Expected a string, got an object.',
  ],
  [
    '/chat',
    { id: 'trip', messages: [{ role: 'user', parts: null }] },
    '/messages/0/parts: Expected an array, got null.',
  ],
  ['/chat', { id: 'trip', messages: [null] }, '/messages/0: Expected an object, got null.'],
  ['/chat', { id: 7, messages: [] }, '/id: Expected a string, got 7.'],
  ['/chat', { id: 'trip' }, '/messages: Missing: expected an array.'],
  [
    '/chat',
    { id: 'trip', messages: [{ role: 'user', parts: [{ type: 'text', text: 7 }] }] },
    '/messages/0/parts/0/text: Expected a string, got 7.',
  ],
  ['/ag-ui', { threadId: 7, runId: 'r' }, '/threadId: Expected a string, got 7.'],
  ['/ag-ui', { threadId: 't', runId: 'r', messages: {} }, '/messages: Expected an array, got an object.'],
  ['/ag-ui', { threadId: 't', runId: 'r', messages: [{ role: 'user' }] }, '/messages/0/content: Missing'],
  [
    '/ag-ui',
    { threadId: 't', runId: 'r', messages: [], resume: [{}] },
    '/resume/0/interruptId: Missing: expected a string.',
  ],
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 7 }] }, '/messages/0/content: Expected'],
  ['/v1/chat/completions', { messages: [null] }, '/messages/0: Expected an object, got null.'],
  ['/v1/chat/completions', {}, '/messages: Missing: expected an array.'],
  [
    '/a2a',
    rpc('SendMessage', { message: { messageId: 7, parts: [] } }),
    '/params/message/messageId: Expected a string, got 7.',
  ],
  [
    '/a2a',
    rpc('SendMessage', { message: { messageId: 'm', parts: null } }),
    '/params/message/parts: Expected an array, got null.',
  ],
  ['/a2a', rpc('GetTask', { id: 7 }), '/params/id: Expected a string, got 7.'],
])('%s names what is wrong with %j', async (path, body, sentence) => {
  const { fetchAs } = handled({ agent, protocols })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetchAs('ann')(`${root}${path}`, init)
  expect([response.status, await response.text()]).toEqual([
    path === '/a2a' ? 200 : 400,
    expect.stringContaining(sentence),
  ])
})
