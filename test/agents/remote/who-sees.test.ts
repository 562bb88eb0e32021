// Proves that a remote agent does not choose who sees its events or answers its requests, whatever fields its messages have.
import fc from 'fast-check'
import type { ContextAnyEvent, Diagnostic } from 'turnstream'
import { acpAgent } from 'turnstream/acp'
import { a2aAgent, agUiAgent, chatAgent } from 'turnstream/agents'
import { createCommand, type Sender } from 'turnstream/commands'
import { type Agent, memoryStore, runAgent } from 'turnstream/server'
import { audienceOf } from 'turnstream/streams'
import { describe, expect, it, vi } from 'vitest'
import type { RemoteResponse } from '../../../src/agents/remote/options.ts'
import { agentOf } from '../../acp/fake-agent.ts'
import { anyone } from '../../support/anyone.ts'
import { labels, withFields } from '../../support/labels.ts'
import { runs } from '../../support/runs.ts'

const user: Sender = { role: 'user', id: 'ann' }

/** Changes a message that the peer sends. */
type Change = (message: object) => object

type Posted = { readonly threadId: string; readonly runId: string; readonly id: string }

const answering =
  (messagesFor: (request: never) => readonly object[], change: Change) =>
  (request: unknown): RemoteResponse => ({
    ...{ ok: true, status: 200 },
    body: messagesFor(request as never).map((item) => `data: ${JSON.stringify(change(item))}\n\n`),
  })

type Peer = (change: Change, onDiagnostic: (diagnostic: Diagnostic) => void) => Agent

/** Peers that write text, call a tool, and ask. */
const peers: Readonly<Record<string, Peer>> = {
  'AG-UI': (change, onDiagnostic) =>
    agUiAgent({
      post: answering(
        ({ threadId, runId }: Posted) => [
          { type: 'RUN_STARTED', threadId, runId },
          { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
          { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hi.' },
          { type: 'TEXT_MESSAGE_END', messageId: 'm' },
          { type: 'TOOL_CALL_START', toolCallId: 'k', toolCallName: 'look' },
          { type: 'TOOL_CALL_ARGS', toolCallId: 'k', delta: '{"at":1}' },
          { type: 'TOOL_CALL_END', toolCallId: 'k' },
          { type: 'TOOL_CALL_RESULT', toolCallId: 'k', messageId: 'r', content: '1' },
          { type: 'CUSTOM', name: 'rating', value: { stars: 5 } },
          {
            ...{ type: 'RUN_FINISHED', threadId, runId },
            outcome: { type: 'interrupt', interrupts: [{ id: 'q', reason: 'input', message: 'Well?' }] },
          },
        ],
        change,
      ),
      onDiagnostic,
    }),
  A2A: (change, onDiagnostic) =>
    a2aAgent({
      post: answering(({ id }: Posted) => {
        const timestamp = '2026-01-01T00:00:00Z'
        const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Well?' }] }
        const of = { taskId: 't', contextId: 'x' }
        const results = [
          { task: { id: 't', contextId: 'x', status: { state: 'TASK_STATE_WORKING', timestamp } } },
          { artifactUpdate: { ...of, artifact: { artifactId: 'a', parts: [{ text: 'Hi.' }] } } },
          { artifactUpdate: { ...of, artifact: { artifactId: 'b', parts: [{ data: { stars: 5 } }] } } },
          { statusUpdate: { ...of, status: { state: 'TASK_STATE_INPUT_REQUIRED', timestamp, message } } },
        ]
        return results.map((result) => ({ jsonrpc: '2.0', id, result }))
      }, change),
      onDiagnostic,
    }),
  'AI SDK': (change, onDiagnostic) =>
    chatAgent({
      post: answering(
        () => [
          { type: 'start', messageId: 'm' },
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
          { type: 'reasoning-end', id: 'r' },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'Hi.' },
          { type: 'text-end', id: 't' },
          { type: 'tool-input-available', toolCallId: 'k', toolName: 'look', input: { at: 1 } },
          { type: 'tool-output-available', toolCallId: 'k', output: 1 },
          { type: 'data-rating', data: { stars: 5 } },
          { type: 'tool-input-available', toolCallId: 'q', toolName: 'wipe', input: { at: 1 } },
          { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'q' },
          { type: 'finish', finishReason: 'tool-calls' },
        ],
        change,
      ),
      onDiagnostic,
    }),
  ACP: (change, onDiagnostic) => {
    const { connect } = agentOf((send, { method }) => {
      if (method !== 'session/prompt') return undefined
      const update = (fields: object): void =>
        send(change({ method: 'session/update', params: { sessionId: 's', update: fields } }))
      const toolCall = {
        toolCallId: 'k',
        title: 'Wipe',
        kind: 'edit',
        status: 'pending',
        rawInput: { at: 1 },
      }
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hi.' } })
      update({ sessionUpdate: 'tool_call', ...toolCall })
      const options = [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ]
      const params = { sessionId: 's', toolCall, options }
      send(change({ id: 7, method: 'session/request_permission', params }))
      return true
    })
    return acpAgent({ connect, onDiagnostic })
  },
}

/** What a stream has once the peer has asked, or its task has ended. */
async function read(peer: Peer, change: Change) {
  const codes: string[] = []
  const store = memoryStore(anyone)
  let isOver = false
  const agent = peer(change, ({ code }) => codes.push(code))
  const stream = await store.open('s', {
    onInput(stream, input) {
      void runAgent(stream, input, agent, () => undefined)
        .catch(() => undefined)
        .then(() => (isOver = true))
    },
  })
  await stream.submit(createCommand({ kind: 'task.send', contextId: 'c', input: 'Go.' }), user)
  await vi.waitUntil(async () => isOver || (await stream.requests()).length > 0, { interval: 1 })
  const { events } = (await stream.log.read()) as unknown as { events: ContextAnyEvent[] }
  const requests = await stream.requests()
  await store.close()
  return { events, requests, codes }
}

describe.each(Object.entries(peers))('a peer of %s', (_, peer) => {
  it('is heard as usual without such fields', async () => {
    const { events, requests, codes } = await read(peer, (message) => message)
    expect(events.length).toBeGreaterThan(3)
    expect(requests).toHaveLength(1)
    expect(codes.filter((code) => code === 'lossy:metadata')).toEqual([])
  })

  it('has no field that changes who may see or answer', async () => {
    const [plain] = (await read(peer, (message) => message)).requests
    await fc.assert(
      fc.asyncProperty(labels, fc.integer({ min: 1, max: 63 }), async (more, depths) => {
        const change: Change = (message) => withFields(message, more, depths) as object
        const { events, requests } = await read(peer, change)
        for (const { kind, contextId, taskId, parentTaskId, ...rest } of events) {
          const of = { kind, contextId, taskId, ...(parentTaskId !== undefined && { parentTaskId }) }
          expect(audienceOf({ ...rest, ...of })).toEqual(audienceOf(of))
        }
        for (const request of requests) {
          expect(request).toMatchObject({ owner: 'ann', requireUser: plain?.requireUser })
          expect(request).not.toHaveProperty('audience')
        }
      }),
      { numRuns: runs(50) },
    )
  })
})

it('reports a label that narrows who sees an event', async () => {
  const change: Change = (message) => ({ ...message, metadata: { audience: ['operator'] } })
  const { codes, events } = await read(peers['AG-UI'] as Peer, change)
  expect(codes).toContain('lossy:metadata')
  expect(JSON.stringify(events)).not.toContain('"audience"')
})

it.each([
  ['a call of a tool that is declared', { type: 'success', pendingToolCallIds: ['k'] }],
  [
    'a question',
    {
      type: 'interrupt',
      interrupts: [{ id: 'q', reason: 'input', message: 'Well?', subagentRunId: 's', toolCallId: 'k' }],
    },
  ],
])('fails when a subtask asks with %s, as no answer would reach it', async (_, outcome) => {
  const peer: Peer = (change, onDiagnostic) =>
    agUiAgent({
      post: answering(
        ({ threadId, runId }: Posted) => [
          { type: 'RUN_STARTED', threadId, runId },
          { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'analyst' },
          { type: 'TOOL_CALL_START', toolCallId: 'k', toolCallName: 'look', subagentRunId: 's' },
          { type: 'TOOL_CALL_END', toolCallId: 'k', subagentRunId: 's' },
          { type: 'RUN_FINISHED', threadId, runId, outcome },
        ],
        change,
      ),
      clientTools: [{ name: 'look' }],
      onDiagnostic,
    })
  const { events, requests } = await read(peer, (message) => message)
  expect(requests).toEqual([])
  expect(events.map(({ kind }) => kind)).not.toContain('input-required')
  const error = { code: 'unsupported', message: expect.stringContaining('subtask') }
  expect(events.at(-1)).toMatchObject({ kind: 'task-status', status: 'failed', error })
})
