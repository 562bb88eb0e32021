// Proves that the connection with an ACP agent ends with its task, whatever the agent does, and that only what ACP states is a success.

import { acpAgent } from 'turnstream/acp'
import { describe, expect, it, vi } from 'vitest'
import { inFakeTime } from '../support/fake-time.ts'
import { agentOf, call, permission, served } from './fake-agent.ts'

const isClosed = async (state: { isOpen: boolean; isCanceled: boolean }): Promise<void> => {
  await vi.waitUntil(() => !state.isOpen && state.isCanceled, { timeout: 30_000 })
}

describe.each(['initialize', 'session/new', 'session/prompt'])('an agent that hangs in %s', (stage) => {
  it('is left once its task is canceled', async () => {
    const { connect, received, state } = agentOf((_, { method }) => (method === stage ? 'silent' : undefined))
    const { cancel, events } = await served(connect)
    await vi.waitUntil(() => received.some(({ method }) => method === stage))
    await inFakeTime(async () => {
      await cancel()
      await isClosed(state)
    })
    await vi.waitUntil(async () => (await events()).task?.status === 'canceled')
  })
})

describe.each(['initialize', 'session/new'])('an agent that never answers %s', (stage) => {
  it('fails as timeout', async () => {
    const { connect, state } = agentOf((_, { method }) => (method === stage ? 'silent' : undefined))
    const { ended, errors } = await served(connect, { startTimeoutMs: 20 })
    expect((await ended()).task).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
    expect(errors).toEqual([expect.stringContaining('within 20 ms')])
    await isClosed(state)
  })
})

it('fails as timeout if it cannot connect in time, and closes what opens later', async () => {
  const { connect, state } = agentOf(() => {})
  let open = (): void => {}
  const later = new Promise<void>((resolve) => {
    open = resolve
  })
  const { ended } = await served(() => later.then(connect), { startTimeoutMs: 20 })
  expect((await ended()).task).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
  open()
  await isClosed(state)
})

it('leaves an agent that reads nothing', async () => {
  const { connect, received, state } = agentOf((_, { method }) =>
    method === 'session/prompt' ? new Promise(() => {}) : undefined,
  )
  const { cancel } = await served(connect)
  await vi.waitUntil(() => received.some(({ method }) => method === 'session/prompt'))
  await inFakeTime(async () => {
    await cancel()
    await vi.waitUntil(() => state.isCanceled, { timeout: 30_000 })
  })
})

it('ends while the user is asked, if the connection does', async () => {
  const stream = { end: (): void => {} }
  const { connect, state } = agentOf((send, { method }) => {
    if (method === 'session/prompt') send(permission(7, { toolCallId: 'c1', title: 'rm' }))
  })
  const { asked, events, errors } = await served(async (task) => {
    const { readable, writable } = connect()
    const ending = new TransformStream<unknown, unknown>()
    const writer = ending.writable.getWriter()
    void (async () => {
      for await (const message of readable) await writer.write(message)
    })()
    stream.end = () => void writer.close()
    expect(task.taskId).not.toBe('')
    return { readable: ending.readable, writable }
  })
  await asked()
  stream.end()
  await vi.waitUntil(() => errors.length > 0)
  await vi.waitUntil(async () => (await events()).task?.status === 'failed')
  expect(state.isOpen).toBe(false)
})

it('closes the connection of a task whose stream refuses an event', async () => {
  const { connect, state } = agentOf((send, { method }) => {
    if (method === 'session/prompt') send(call('c1', { title: 'pay', status: 'completed' }))
  })
  const { ended, errors } = await served(connect, {}, { needsApproval: ({ toolName }) => toolName === 'pay' })
  expect((await ended()).task?.status).toBe('failed')
  expect(errors[0]).toContain('ApprovalError')
  await isClosed(state)
})

it.each([
  ['another version', 'initialize', { protocolVersion: 2 }],
  ['no version', 'initialize', {}],
  ['no session', 'session/new', {}],
  ['a session without a name', 'session/new', { sessionId: '' }],
  ['an unknown stop reason', 'session/prompt', { stopReason: 'bored' }],
  ['no stop reason', 'session/prompt', {}],
])('%s is a failure', async (_, stage, result) => {
  const { connect, state } = agentOf((send, { id, method }) => {
    if (method !== stage) return undefined
    send({ id, result })
    return 'answered'
  })
  const { ended, errors } = await served(connect)
  const { task } = await ended()
  expect(task).toMatchObject({ status: 'failed', error: { code: 'protocol_violation' } })
  expect(errors).toHaveLength(1)
  await isClosed(state)
})

it('ends what the connection was opened to', async () => {
  const { connect } = agentOf((send, { id, method }) => {
    if (method === 'session/prompt') send({ id, result: { stopReason: 'end_turn' } })
  })
  const close = vi.fn<() => void>()
  const { ended } = await served(() => ({ ...connect(), close }))
  expect((await ended()).task?.status).toBe('completed')
  expect(close).toHaveBeenCalledTimes(1)
})

it('fails if it is given no connection', async () => {
  const { ended, errors } = await served((() => undefined) as never)
  expect((await ended()).task?.status).toBe('failed')
  expect(errors).toEqual([expect.stringContaining('"connect()" must be an object')])
})

it('requires a time to start in', () => {
  expect(() => acpAgent({ connect: agentOf(() => {}).connect, startTimeoutMs: 0 })).toThrow(
    '"startTimeoutMs"',
  )
})
