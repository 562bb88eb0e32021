// Calls that a remote agent leaves to the client: a page is asked to run those whose tools the application has declared, and no others.
import type { ContextAnyEvent } from 'turnstream'
import { a2aAgent, agUiAgent, chatAgent } from 'turnstream/agents'
import { createCommand, type Sender } from 'turnstream/commands'
import { type Agent, memoryStore, runAgent } from 'turnstream/server'
import { emptyView, foldEvents } from 'turnstream/streams'
import { describe, expect, it, vi } from 'vitest'
import type { ClientTool, RemoteResponse } from '../../../src/agents/remote/options.ts'
import { anyone } from '../../support/anyone.ts'

const user: Sender = { role: 'user', id: 'ann' }

interface Peer {
  readonly agent: (post: (request: unknown) => RemoteResponse, clientTools?: readonly ClientTool[]) => Agent
  /** What it sends, to a request, to have the client call `wipe`. */
  readonly asks: (request: never) => readonly object[]
  /** What it sends once it has the result. */
  readonly ends: (request: never) => readonly object[]
}

interface Posted {
  readonly threadId: string
  readonly runId: string
  readonly id: string
}

const ids = ({ threadId, runId }: Posted): object => ({ threadId, runId })
const a2a = ({ id }: Posted, state: string, parts?: readonly object[]): object => {
  const message = parts && { messageId: `m-${id}`, role: 'ROLE_AGENT', parts }
  const status = {
    state: `TASK_STATE_${state}`,
    timestamp: '2026-01-01T00:00:00Z',
    ...(message && { message }),
  }
  return { jsonrpc: '2.0', id, result: { statusUpdate: { taskId: 't', contextId: 'x', status } } }
}

const peers: Readonly<Record<string, Peer>> = {
  'AG-UI': {
    agent: (post, clientTools) => agUiAgent({ post, ...(clientTools && { clientTools }) }),
    asks: (request: Posted) => [
      { type: 'RUN_STARTED', ...ids(request) },
      { type: 'TOOL_CALL_START', toolCallId: 'k', toolCallName: 'wipe' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'k', delta: '{"all":true}' },
      { type: 'TOOL_CALL_END', toolCallId: 'k' },
      { type: 'RUN_FINISHED', ...ids(request), outcome: { type: 'success', pendingToolCallIds: ['k'] } },
    ],
    ends: (request: Posted) => [
      { type: 'RUN_STARTED', ...ids(request) },
      { type: 'RUN_FINISHED', ...ids(request) },
    ],
  },
  'A2A, as ADK has it': {
    agent: (post, clientTools) => a2aAgent({ post, ...(clientTools && { clientTools }) }),
    asks: (request: Posted) => [
      a2a(request, 'WORKING'),
      a2a(request, 'INPUT_REQUIRED', [
        {
          data: { id: 'k', name: 'wipe', args: { all: true } },
          metadata: { adk_type: 'function_call', adk_is_long_running: true },
        },
      ]),
    ],
    ends: (request: Posted) => [a2a(request, 'COMPLETED')],
  },
  'AI SDK': {
    agent: (post, clientTools) => chatAgent({ post, ...(clientTools && { clientTools }) }),
    asks: () => [
      { type: 'start', messageId: 'm' },
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: 'k', toolName: 'wipe', input: { all: true } },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'tool-calls' },
    ],
    ends: () => [
      { type: 'start', messageId: 'm' },
      { type: 'finish', finishReason: 'stop' },
    ],
  },
}

/** Runs a peer that leaves a call to the client. */
async function asked({ agent, asks, ends }: Peer, clientTools?: readonly ClientTool[]) {
  const posted: unknown[] = []
  const errors: unknown[] = []
  const post = (request: unknown): RemoteResponse => {
    posted.push(JSON.parse(JSON.stringify(request)))
    const items = posted.length === 1 ? asks(request as never) : ends(request as never)
    return { ok: true, status: 200, body: items.map((item) => `data: ${JSON.stringify(item)}\n\n`) }
  }
  const store = memoryStore(anyone)
  let done: Promise<void> | undefined
  const stream = await store.open('s', {
    onInput(stream, input) {
      done = runAgent(stream, input, agent(post, clientTools), (error) => errors.push(error))
    },
  })
  await stream.submit(createCommand({ kind: 'task.send', contextId: 'c', input: 'Go.' }), user)
  const events = async (): Promise<readonly ContextAnyEvent[]> =>
    ((await stream.log.read()) as unknown as { events: ContextAnyEvent[] }).events
  return { posted, errors, stream, store, events, done: () => done }
}

describe.each(Object.entries(peers))('a peer of %s', (_, peer) => {
  it('has the page run no tool that the application has not declared', async () => {
    for (const declared of [undefined, [], [{ name: 'where' }]]) {
      const { errors, stream, store, events, done } = await asked(peer, declared)
      await done()
      const all = await events()
      expect(await stream.requests()).toEqual([])
      expect(all.filter(({ kind }) => kind === 'input-required')).toEqual([])
      expect(JSON.stringify(all)).not.toContain('"client"')
      const error = { code: 'unsupported', retry: 'terminal' }
      expect(foldEvents(emptyView, all).tasks[0]).toMatchObject({ status: 'failed', error })
      expect(errors).toMatchObject([{ message: expect.stringContaining('"wipe"') }])
      await store.close()
    }
  })

  it('gets the result of one that is declared', async () => {
    const { errors, posted, stream, store, events, done } = await asked(peer, [{ name: 'wipe' }])
    const request = await vi.waitUntil(async () => (await stream.requests())[0])
    expect(request).toMatchObject({ isExecution: true, call: { toolName: 'wipe' } })
    const responses = [{ inputId: request.id, outcome: 'answered' as const, value: { wiped: 1 } }]
    const receipt = await stream.submit(
      createCommand({ kind: 'input.respond', contextId: 'c', responses }),
      user,
    )
    expect(receipt.status).toBe('accepted')
    await done()
    expect(errors).toEqual([])
    expect(foldEvents(emptyView, await events()).tasks[0]).toMatchObject({ status: 'completed' })
    expect(JSON.stringify(posted[1]).replaceAll('\\', '')).toContain('"wiped":1')
    await store.close()
  })
})

it('has the page run no call that only the metadata of a peer leaves to it', async () => {
  const metadata = { provider: 'client' }
  const { 'AG-UI': peer } = peers as { 'AG-UI': Peer }
  const asks = (request: Posted): object[] => [
    { type: 'RUN_STARTED', ...ids(request) },
    { type: 'TOOL_CALL_START', toolCallId: 'k', toolCallName: 'wipe', metadata },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'k', delta: '{"all":true}', metadata },
    { type: 'TOOL_CALL_END', toolCallId: 'k', metadata },
    { type: 'TOOL_CALL_RESULT', toolCallId: 'k', messageId: 'm', content: '1', metadata },
    { type: 'RUN_FINISHED', ...ids(request) },
  ]
  for (const name of ['where', 'wipe']) {
    const { store, events, done } = await asked({ ...peer, asks }, [{ name }])
    await done()
    const calls = (await events()).filter(({ kind }) => kind.startsWith('tool-'))
    expect(calls.map(({ kind }) => kind)).toEqual(['tool-arguments-delta', 'tool-start', 'tool-complete'])
    const provider = name === 'wipe' ? 'client' : 'provider'
    expect(calls.slice(1)).toMatchObject([{ metadata: { provider } }, { metadata: { provider } }])
    await store.close()
  }
})

it('declares the tools of the client in each request of AG-UI', async () => {
  const find = { name: 'find', description: 'Finds.', parameters: { type: 'object', required: ['all'] } }
  const { posted, store, done } = await asked(peers['AG-UI'] as Peer, [find, { name: 'where' }])
  await done()
  expect(posted).toMatchObject([
    { tools: [find, { name: 'where', description: '', parameters: { type: 'object' } }] },
  ])
  await store.close()
})
