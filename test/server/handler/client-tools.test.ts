// Proves that clients of all protocols run the calls that an agent leaves to them, and send the results.
import { a2a } from 'turnstream/a2a'
import { agUi } from 'turnstream/ag-ui'
import { aiSdk } from 'turnstream/ai-sdk'
import { chatCompletions } from 'turnstream/openai'
import { type Agent, memoryStore } from 'turnstream/server'
import { describe, expect, it } from 'vitest'
import { handled, root } from '../../support/protocols.ts'

const protocols = {
  chat: aiSdk(),
  'ag-ui': agUi(),
  a2a: a2a({ card: {} }),
  'v1/chat/completions': chatCompletions(),
}
const call = { id: 'call-1', type: 'function', function: { name: 'where', arguments: '{}' } }
const user = { role: 'user', content: 'Where am I?' }
const metadata = { conversation: 'trip' }

/** Per protocol: the path, the first body, what its response has to have, and the body with the result. */
const clients: Readonly<
  Record<string, [path: string, first: object, asked: string[], second: (id: string) => object]>
> = {
  'ai-sdk': [
    '/chat',
    { id: 'trip', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Where am I?' }] }] },
    ['"type":"tool-input-available","toolCallId":"call-1"', '"type":"finish"'],
    (id) => {
      const part = { type: 'dynamic-tool', toolName: 'where', toolCallId: 'call-1', input: {} }
      const answered = { ...part, state: 'output-available', output: 'Brest' }
      return { id: 'trip', messages: [{ id, role: 'assistant', parts: [answered] }] }
    },
  ],
  'ag-ui': [
    '/ag-ui',
    { threadId: 'trip', runId: 'r-1', messages: [{ id: 'm', ...user }] },
    ['"type":"TOOL_CALL_START","toolCallId":"call-1"', '"pendingToolCallIds":["call-1"]'],
    () => ({
      ...{ threadId: 'trip', runId: 'r-2' },
      messages: [
        { id: 'm', ...user },
        { id: 'a', role: 'assistant', toolCalls: [call] },
        { id: 't', role: 'tool', toolCallId: 'call-1', content: 'Brest' },
      ],
    }),
  ],
  openai: [
    '/v1/chat/completions',
    { metadata, stream: true, messages: [user] },
    ['"id":"call-1","type":"function"', '"finish_reason":"tool_calls"'],
    () => ({
      ...{ metadata, stream: true },
      messages: [
        user,
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call-1', content: 'Brest' },
      ],
    }),
  ],
  a2a: [
    '/a2a',
    rpc({ messageId: 'm', contextId: 'trip', parts: [{ text: 'Where am I?' }] }),
    ['TASK_STATE_INPUT_REQUIRED', 'call-1'],
    (id) => rpc({ messageId: 'n', taskId: `trip:${id}`, parts: [{ text: 'Brest' }] }),
  ],
}

function rpc(message: object): object {
  return { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }
}

describe.each(Object.keys(clients))('%s', (name) => {
  it('runs a call, and sends its result', async () => {
    const store = memoryStore()
    let taskId = ''
    const agent: Agent = async function* (task) {
      taskId = task.taskId
      const start = { toolCallId: 'call-1', toolName: 'where', arguments: {} }
      yield { kind: 'tool-start', ...start, metadata: { provider: 'client' } }
      const asked = { provider: 'client', toolCall: { id: 'call-1', function: call.function } }
      yield {
        ...{
          kind: 'input-required',
          inputId: 'i-1',
          inputType: 'tool-execution',
          prompt: 'Where?',
          metadata: asked,
        },
      }
      yield { kind: 'task-status', status: 'waiting-input' }
      const stream = await store.open({ owner: 'ann', contextId: task.contextId })
      await stream.answer({ inputId: 'i-1', contextId: task.contextId, taskId: task.taskId })
      yield { kind: 'task-status', status: 'working' }
      yield { kind: 'content-complete', content: 'You are there.' }
    }
    const { fetchAs, postAs, errors } = handled({ agent, protocols, store })
    const [path = '', first = {}, expected = [], second] = clients[name] ?? []
    const post = (body: object): Promise<string> => postAs('ann')(path, body)
    const asked = await post(first)
    for (const text of expected) expect(asked).toContain(text)
    expect(await post(second?.(taskId) ?? {})).toContain('You are there.')
    const history = await (await fetchAs('ann')(`${root}/history?context=trip`)).text()
    expect(history).toContain('"result":"Brest"')
    expect(errors).toEqual([])
  })
})
