// Proves that input for a task that runs reaches its agent, in any process, or is refused with a reason.
import type { EventDraft } from 'turnstream'
import { createCommand } from 'turnstream/commands'
import { redisStore } from 'turnstream/redis'
import { memoryStore, type Store, type Stream } from 'turnstream/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRedisInMemory } from '../support/redis-in-memory.ts'

const user = { role: 'user', id: 'user-1' } as const
const within = { timeout: 30_000, interval: 10 }
const task = { contextId: 'ctx-1', taskId: 'task-1' } as const
const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close().catch(() => undefined)
})

const open = async (store: Store): Promise<Stream> => {
  stores.push(store)
  return store.open({ owner: user.id, contextId: 'ctx-1' })
}
const say = (input: string): object => createCommand({ kind: 'task.send', input, ...task })

/** An agent that repeats what comes while it runs, until it is to stop. */
const echo = (stream: Stream) =>
  async function* (signal: AbortSignal): AsyncGenerator<EventDraft> {
    for await (const { input, taskId, sender } of stream.inputs(task)) {
      expect([taskId, sender, signal.aborted]).toEqual([task.taskId, user, false])
      yield { kind: 'content-complete', content: `Heard: ${input}` }
      if (input === 'stop') return
    }
  }

const waits = (): { agent: () => AsyncGenerator<EventDraft>; end: () => void } => {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    async *agent() {
      await ended
      yield { kind: 'content-complete', content: 'Done.' }
    },
    end,
  }
}

async function textsOf(stream: Stream): Promise<string[]> {
  const [first] = (await stream.view('all')).tasks
  return (first?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

/** Sends until somebody reads it. */
async function heard(stream: Stream, input: string): Promise<void> {
  const command = say(input)
  await vi.waitFor(async () => expect((await stream.submit(command, user)).status).toBe('accepted'), within)
  expect((await stream.submit(command, user)).status).toBe('repeated')
}

describe('input for a task that runs', () => {
  it('reaches its agent, once, in order', async () => {
    const stream = await open(memoryStore())
    const running = stream.run(task, echo(stream))
    for (const input of ['one', 'two', 'stop']) await heard(stream, input)
    await running
    expect(await textsOf(stream)).toEqual(['Heard: one', 'Heard: two', 'Heard: stop'])
    expect((await stream.submit(say('late'), user)).status).toBe('ended')
  })

  it('is refused with a reason while its agent reads none, and not handed to onInput', async () => {
    const stream = await open(memoryStore())
    const { agent, end } = waits()
    const running = stream.run(task, agent)
    await vi.waitFor(async () => expect((await stream.view('all')).tasks).toHaveLength(1), within)
    const taken: unknown[] = []
    const [store] = stores
    await store?.open({ owner: user.id, contextId: 'ctx-1' }, { onInput: (_, input) => taken.push(input) })
    const receipt = await stream.submit(say('one'), user)
    expect(receipt).toMatchObject({ status: 'unsupported', results: [{ taskId: task.taskId }] })
    expect(receipt.results[0]?.message).toContain('reads no input')
    expect(taken).toEqual([])
    end()
    await running
  })

  it('ends with the task, when it is canceled, or when the agent leaves', async () => {
    const stream = await open(memoryStore())
    const running = stream.run(task, echo(stream))
    await heard(stream, 'one')
    await stream.submit(createCommand({ kind: 'task.cancel', ...task }), user)
    await running
    expect((await stream.view('all')).tasks[0]?.status).toBe('canceled')
    const other = { contextId: 'ctx-1', taskId: 'task-2' }
    const { agent, end } = waits()
    const inputs = stream.inputs(other)
    const second = stream.run(other, async function* () {
      for await (const { input } of inputs) if (input === 'leave') break
      yield* agent()
    })
    const to = (input: string) => createCommand({ kind: 'task.send', input, ...other })
    await vi.waitFor(
      async () => expect((await stream.submit(to('leave'), user)).status).toBe('accepted'),
      within,
    )
    await vi.waitFor(
      async () => expect((await stream.submit(to('more'), user)).status).toBe('unsupported'),
      within,
    )
    end()
    await second
  })

  it('has one reader', async () => {
    const stream = await open(memoryStore())
    const running = stream.run(task, echo(stream))
    await heard(stream, 'one')
    await expect(stream.inputs(task)[Symbol.asyncIterator]().next()).rejects.toThrow(TypeError)
    await heard(stream, 'stop')
    await running
  })

  it('reaches its agent in another process', async () => {
    const redis = createRedisInMemory()
    const [a, b] = [await open(redisStore({ client: redis })), await open(redisStore({ client: redis }))]
    const running = a.run(task, echo(a))
    for (const input of ['one', 'two', 'stop']) await heard(b, input)
    await running
    expect(await textsOf(b)).toEqual(['Heard: one', 'Heard: two', 'Heard: stop'])
  })

  it('is refused in another process while its agent reads none', async () => {
    const redis = createRedisInMemory()
    const [a, b] = [await open(redisStore({ client: redis })), await open(redisStore({ client: redis }))]
    const { agent, end } = waits()
    const running = a.run(task, agent)
    await vi.waitFor(async () => expect((await b.view('all')).tasks).toHaveLength(1), within)
    expect((await b.submit(say('one'), user)).status).toBe('unsupported')
    end()
    await running
  })
})
