// Proves that clients of all protocols answer what a subtask asks, though some of them know its root alone.
import { createEmitter } from 'turnstream'
import { a2a } from 'turnstream/a2a'
import { agUi } from 'turnstream/ag-ui'
import { aiSdk } from 'turnstream/ai-sdk'
import { chatCompletions } from 'turnstream/openai'
import { type Agent, memoryStore } from 'turnstream/server'
import { describe, expect, it } from 'vitest'
import { completionIn, handled } from '../../support/protocols.ts'

const protocols = {
  chat: aiSdk(),
  'ag-ui': agUi(),
  a2a: a2a({ card: {} }),
  'v1/chat/completions': chatCompletions(),
}
const user = { role: 'user', content: 'Book' }
const metadata = { conversation: 'trip' }
const rpc = (message: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendStreamingMessage',
  params: { message },
})

/** Per protocol: the path, the first body, and the body that approves, for the id of the task and what came. */
const clients: Readonly<
  Record<string, [path: string, first: object, second: (taskId: string, first: string) => object]>
> = {
  'ai-sdk': [
    '/chat',
    { id: 'trip', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Book' }] }] },
    (id) => {
      const part = { type: 'dynamic-tool', toolName: 'book', toolCallId: 'c-1', input: { seat: 1 } }
      const parts = [{ ...part, state: 'approval-responded', approval: { id: 'i-1', approved: true } }]
      return { id: 'trip', messages: [{ id, role: 'assistant', parts }] }
    },
  ],
  'ag-ui': [
    '/ag-ui',
    { threadId: 'trip', runId: 'r-1', messages: [{ id: 'm', ...user }] },
    () => ({
      ...{ threadId: 'trip', runId: 'r-2', messages: [{ id: 'm', ...user }] },
      resume: [{ interruptId: 'i-1', status: 'resolved', payload: { approved: true } }],
    }),
  ],
  openai: [
    '/v1/chat/completions',
    { metadata, stream: true, messages: [user] },
    (_, first) => ({
      ...{ metadata, stream: true },
      messages: [
        user,
        { role: 'assistant', content: completionIn(first) },
        { role: 'user', content: 'approve' },
      ],
    }),
  ],
  a2a: [
    '/a2a',
    rpc({ messageId: 'm', contextId: 'trip', parts: [{ text: 'Book' }] }),
    (id) => rpc({ messageId: 'n', taskId: `trip:${id}`, parts: [{ data: { approved: true } }] }),
  ],
}

describe.each(Object.keys(clients))('%s', (name) => {
  it('answers a subtask', async () => {
    const store = memoryStore()
    let taskId = ''
    const agent: Agent = async function* (task) {
      taskId = task.taskId
      const { contextId } = task
      const subtask = { contextId, taskId: 'sub-1' }
      const { emit } = createEmitter({ ...subtask, parentTaskId: taskId })
      const toolCall = { id: 'c-1', function: { name: 'book', arguments: '{"seat":1}' } }
      yield { kind: 'subtask-created', subtaskId: 'sub-1', agentId: 'helper', prompt: 'Book' }
      yield emit({ kind: 'task-created', initiator: 'agent' })
      yield emit({ kind: 'task-status', status: 'working' })
      yield emit({
        ...{ kind: 'input-required', inputId: 'i-1', requireUser: true, inputType: 'tool-execution' },
        ...{ prompt: 'Book it?', metadata: { toolCall } },
      })
      yield emit({ kind: 'task-status', status: 'waiting-input' })
      yield { kind: 'task-status', status: 'waiting-subtask' }
      const stream = await store.open({ owner: 'ann', contextId })
      const answer = await stream.answer({ inputId: 'i-1', ...subtask })
      yield emit({ kind: 'task-status', status: 'working' })
      yield emit({ kind: 'task-status', status: 'completed' })
      yield { kind: 'task-status', status: 'working' }
      yield { kind: 'content-complete', content: `It is ${answer?.outcome}.` }
    }
    const { postAs, errors } = handled({ agent, protocols, store })
    const [path = '', first = {}, second] = clients[name] ?? []
    const post = (body: object): Promise<string> => postAs('ann')(path, body)
    const asked = await post(first)
    expect(asked).toContain('Book it?')
    expect(await post(second?.(taskId, asked) ?? {})).toContain('It is answered.')
    expect(errors).toEqual([])
  })
})
