// Proves that clients of all protocols run the calls that an agent leaves to them, and send the results.
import { a2a } from 'turnstream/a2a'
import { agUi } from 'turnstream/ag-ui'
import { aiSdk } from 'turnstream/ai-sdk'
import { chatCompletions } from 'turnstream/openai'
import { type Agent, memoryStore, type Store } from 'turnstream/server'
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

/** Asks where the user is. Each task names its call and its question as the one before. */
function asking(store: Store, hasStart: boolean, begun: string[]): Agent {
  return async function* ({ contextId, taskId }) {
    begun.push(taskId)
    const start = { toolCallId: 'call-1', toolName: 'where', arguments: {} }
    if (hasStart) yield { kind: 'tool-start', ...start, metadata: { provider: 'client' } }
    const metadata = { provider: 'client', toolCall: { id: 'call-1', function: call.function } }
    const asked = { inputId: 'i-1', inputType: 'tool-execution', prompt: 'Where?', metadata } as const
    yield { kind: 'input-required', ...asked }
    yield { kind: 'task-status', status: 'waiting-input' }
    const stream = await store.open({ owner: 'ann', contextId })
    await stream.answer({ inputId: 'i-1', contextId, taskId })
    yield { kind: 'task-status', status: 'working' }
    yield { kind: 'content-complete', content: 'You are there.' }
  }
}

describe.each(Object.keys(clients))('%s', (name) => {
  const [path = '', first = {}, expected = [], second = () => ({})] = clients[name] ?? []

  it.each(['with', 'without'])('runs a call %s a start, and sends its result', async (has) => {
    const store = memoryStore()
    const begun: string[] = []
    const { fetchAs, postAs, errors } = handled({
      agent: asking(store, has === 'with', begun),
      protocols,
      store,
    })
    const post = (body: object): Promise<string> => postAs('ann')(path, body)
    const asked = await post(first)
    for (const text of expected) expect(asked).toContain(text)
    const taskId = begun[0] ?? ''
    if (name === 'ai-sdk') {
      const page = await (await fetchAs('ann')(`${root}${path}/trip`)).text()
      expect(page).toContain('"toolCallId":"call-1","state":"input-available"')
    }
    const rest = await post(second(taskId))
    expect(rest).toContain('You are there.')
    expect(rest).not.toMatch(/tool_calls|tool-input-available|TOOL_CALL_START/)
    // A response of AG-UI is a run, that of the request.
    if (name === 'ag-ui')
      expect(rest).toMatch(/^data: \{"type":"RUN_STARTED","threadId":"trip","runId":"r-2"/)
    const history = await (await fetchAs('ann')(`${root}/history?context=trip`)).text()
    expect(history).toContain('"result":"Brest"')
    expect(errors).toEqual([])
    await store.close()
  })

  it('runs the call of the next task, with the same ids and the same result', async () => {
    const store = memoryStore()
    const begun: string[] = []
    const { postAs, errors } = handled({ agent: asking(store, true, begun), protocols, store })
    for (const number of [0, 1]) {
      const named = (body: object): object =>
        JSON.parse(JSON.stringify(body).replaceAll(/"(m|n|t|r-1|r-2)"/g, `"$1-${number}"`))
      const asked = await postAs('ann')(path, named(first))
      for (const text of expected) expect(asked).toContain(text)
      expect(await postAs('ann')(path, named(second(begun[number] ?? '')))).toContain('You are there.')
    }
    expect([begun.length, errors]).toEqual([2, []])
    await store.close()
  })
})
