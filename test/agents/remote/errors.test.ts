// Proves that the developer gets what a remote agent states of its errors, and that no page does.
import { a2aAgent, agUiAgent, chatAgent } from 'turnstream/agents'
import type { Agent } from 'turnstream/server'
import { project } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { ran, sse } from './serve.ts'

const secret = 'no api key at /srv/app.js'
const agents: readonly (readonly [string, Agent])[] = [
  [
    'AG-UI',
    agUiAgent({
      post: ({ threadId, runId }) =>
        sse({ type: 'RUN_STARTED', threadId, runId }, { type: 'RUN_ERROR', message: secret, code: 'X' }),
    }),
  ],
  [
    'A2A',
    a2aAgent({ post: ({ id }) => sse({ jsonrpc: '2.0', id, error: { code: -32603, message: secret } }) }),
  ],
  ['AI SDK', chatAgent({ post: () => sse({ type: 'start' }, { type: 'error', errorText: secret }) })],
  [
    'AI SDK, which continues',
    chatAgent({
      post: () =>
        sse(
          { type: 'start' },
          { type: 'error', errorText: secret },
          { type: 'text-start', id: 'a' },
          { type: 'finish' },
        ),
    }),
  ],
]

it.each(agents)('an error of %s is for the developer alone', async (name, agent) => {
  const { events, task, errors } = await ran(agent)
  expect(errors).toEqual([expect.stringContaining(secret)])
  expect(task?.status).toBe(name.includes('continues') ? 'completed' : 'failed')
  const seen = events.map((event) => project(event, { audience: 'user' }))
  expect(JSON.stringify(seen)).not.toContain('api key')
  expect(JSON.stringify(events)).toContain(secret)
})

it.each(agents)('the application chooses what a page gets of an error of %s', async (_, agent) => {
  const error = { code: 'x-closed', message: 'The bank is closed.', retry: 'retryable' } as const
  const described: Agent = (task) => agent({ ...task, onError: () => error })
  const { events } = await ran(described)
  const errorOf = (event: object): unknown => (event as { error?: unknown }).error
  expect(events.map(errorOf).filter((each) => each !== undefined)).toEqual([error])
})

it('a failure of an A2A agent without an error is reported', async () => {
  const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_FAILED' } }
  const agent = a2aAgent({ post: ({ id }) => sse({ jsonrpc: '2.0', id, result: { task } }) })
  expect((await ran(agent)).errors).toEqual(['RemoteAgentError: The agent failed.'])
})

it('what an A2A agent states while it works is shown', async () => {
  const status = (state: string, text: string): object => {
    const message = { messageId: text, role: 'ROLE_AGENT', parts: [{ text }] }
    return { statusUpdate: { taskId: 't', contextId: 'c', status: { state, message } } }
  }
  const results = [
    { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } },
    status('TASK_STATE_WORKING', 'Searching the archive'),
    status('TASK_STATE_COMPLETED', 'Done.'),
  ]
  const agent = a2aAgent({
    post: ({ id }) => sse(...results.map((result) => ({ jsonrpc: '2.0', id, result }))),
  })
  const { events } = await ran(agent)
  expect(events).toContainEqual(
    expect.objectContaining({ kind: 'task-status', status: 'working', message: 'Searching the archive' }),
  )
})

it('nothing of another thread, context or task is shown, which is reported', async () => {
  const status = (state: string, text: string, of: object = {}): object => {
    const message = { messageId: text, role: 'ROLE_AGENT', parts: [{ text }] }
    return {
      statusUpdate: { taskId: 't', contextId: 'c', status: { state: `TASK_STATE_${state}`, message }, ...of },
    }
  }
  const secretsOf = (): object[] => [
    status('WORKING', 'secret 1', { contextId: 'other' }),
    status('COMPLETED', 'secret 2', { contextId: 'other' }),
  ]
  const a2a = [
    [status('WORKING', 'a'), ...secretsOf(), status('INPUT_REQUIRED', 'Sure?')],
    [...secretsOf(), status('WORKING', 'secret 3', { taskId: 'u' }), status('COMPLETED', 'Done.')],
  ]
  const codes: string[] = []
  const onDiagnostic = ({ code }: { code: string }): void => void codes.push(code)
  const posted: unknown[] = []
  const agents = [
    a2aAgent({
      onDiagnostic,
      post: ({ id, params }) => {
        const { taskId, contextId } = params.message as { taskId?: string; contextId?: string }
        posted.push([contextId, taskId])
        return sse(...(a2a.shift() ?? []).map((result) => ({ jsonrpc: '2.0', id, result })))
      },
    }),
    agUiAgent({
      onDiagnostic,
      post: ({ threadId, runId }) =>
        sse(
          { type: 'RUN_STARTED', threadId, runId },
          { type: 'RUN_STARTED', threadId: 'other', runId },
          { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'secret' },
          { type: 'RUN_FINISHED', threadId: 'other', runId },
          { type: 'TEXT_MESSAGE_CHUNK', messageId: 'n', delta: 'Done.' },
          { type: 'RUN_FINISHED', threadId, runId },
        ),
    }),
  ]
  for (const agent of agents) {
    const { events, task } = await ran(agent)
    expect(task?.status).toBe('completed')
    expect(JSON.stringify(events)).not.toMatch(/secret|other/)
    expect(JSON.stringify(events)).toContain('Done.')
  }
  expect(posted).toEqual([
    [undefined, undefined],
    ['c', 't'],
  ])
  expect(codes).toEqual(Array.from({ length: 6 }, () => 'lossy:request'))
})
