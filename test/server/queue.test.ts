// Proves that messages of one conversation take turns: the second waits, is shown, can be canceled, and its agent finds what the
// first has said; in one process and in several.
import type { ContextAnyEvent, EventDraft } from 'turnstream'
import { run } from 'turnstream'
import { createCommand } from 'turnstream/commands'
import { redisStore } from 'turnstream/redis'
import { type AgentInput, memoryStore, type Store, type Stream } from 'turnstream/server'
import { verifier } from 'turnstream/streams'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OpenOptions } from '../../src/server/store.ts'
import { inFakeTime } from '../support/fake-time.ts'
import { createRedisInMemory } from '../support/redis-in-memory.ts'

const user = { role: 'user', id: 'user-1' } as const
const within = { timeout: 30_000, interval: 10 }
const stores: Store[] = []
const closeStores = async (): Promise<void> => {
  for (const store of stores.splice(0)) await store.close().catch(() => undefined)
}
afterEach(closeStores)

const send = (input: string, more: object = {}): object =>
  createCommand({ kind: 'task.send', input, contextId: 'ctx-1', ...more } as never)

async function eventsOf(stream: Stream): Promise<ContextAnyEvent[]> {
  const part = await stream.log.read(undefined, { maxBytes: 1e7 })
  return part.type === 'batch' ? [...part.events] : []
}

const statuses = async (stream: Stream): Promise<unknown[]> =>
  (await stream.view('all')).tasks.map(({ status }) => status)

function expectLegal(events: readonly ContextAnyEvent[]): void {
  const { push, end } = run(verifier({ mode: 'strict' }))
  const violations = [...events.flatMap((event) => [...push(event)]), ...end()]
  expect(violations.filter(({ severity }) => severity === 'error')).toEqual([])
}

/** Opens a stream whose agents end when they are told to, and note how many texts they find when they begin. */
async function opened(store: Store, more: Omit<OpenOptions, 'onInput' | 'create'> = {}) {
  stores.push(store)
  const begun: { input: AgentInput; texts: number; end: () => void }[] = []
  const onInput: OpenOptions['onInput'] = (stream, input) => {
    const { taskId } = input
    return stream.run(
      { contextId: 'ctx-1', taskId, input: input.input },
      async function* (signal): AsyncGenerator<EventDraft> {
        const texts = (await eventsOf(stream)).filter(({ kind }) => kind === 'content-complete').length
        await new Promise<void>((resolve, reject) => {
          begun.push({ input, texts, end: resolve })
          signal.addEventListener('abort', reject)
        })
        yield { kind: 'content-complete', content: `Answer to ${input.input}` }
      },
    )
  }
  const stream = await store.open('s', { onInput, ...more })
  const began = async (count: number): Promise<(typeof begun)[number]> => {
    await vi.waitFor(() => expect(begun.length).toBeGreaterThanOrEqual(count), within)
    return begun[count - 1] as (typeof begun)[number]
  }
  return { stream, begun, began }
}

it('has a receipt that names its task, also when another process gets it again', async () => {
  const client = createRedisInMemory()
  const message = send('One')
  const { stream } = await opened(redisStore({ client }))
  const { status, results } = await stream.submit(message, user)
  const taskId = results[0]?.taskId
  expect([status, taskId]).toEqual(['accepted', expect.any(String)])
  const { stream: other } = await opened(redisStore({ client }))
  expect(await other.submit(message, user)).toMatchObject({ status: 'repeated', results: [{ taskId }] })
})

describe('two messages at once', () => {
  it('take turns: the second is shown as submitted, and its agent finds the answer to the first', async () => {
    const { stream, begun, began } = await opened(memoryStore())
    const receipts = await Promise.all([stream.submit(send('One'), user), stream.submit(send('Two'), user)])
    expect(receipts.map(({ status }) => status)).toEqual(['accepted', 'accepted'])
    const first = await began(1)
    await vi.waitFor(async () => expect(await statuses(stream)).toEqual(['working', 'submitted']), within)
    const [, second] = (await stream.view('all')).tasks
    expect([second?.taskId, second?.input]).toEqual([receipts[1].results[0]?.taskId, 'Two'])
    expect(begun).toHaveLength(1)
    first.end()
    const { texts, input, end } = await began(2)
    expect([texts, input.input, input.isResumed]).toEqual([1, 'Two', false])
    end()
    await vi.waitFor(async () => expect(await statuses(stream)).toEqual(['completed', 'completed']), within)
    expectLegal(await eventsOf(stream))
  })

  it('repeated while the second waits: it is answered at once, and not handed over again', async () => {
    const { stream, begun, began } = await opened(memoryStore())
    await stream.submit(send('One'), user)
    const second = send('Two')
    const accepted = await stream.submit(second, user)
    const repeated = await stream.submit(second, user)
    expect(repeated.status).toBe('repeated')
    expect(repeated.results[0]?.taskId).toBe(accepted.results[0]?.taskId)
    ;(await began(1)).end()
    ;(await began(2)).end()
    await vi.waitFor(async () => expect(await statuses(stream)).toEqual(['completed', 'completed']), within)
    expect(begun).toHaveLength(2)
  })

  it('the second can be canceled while it waits, and never begins', async () => {
    const { stream, begun, began } = await opened(memoryStore())
    await stream.submit(send('One'), user)
    const { results } = await stream.submit(send('Two'), user)
    await stream.submit(send('Three'), user)
    const taskId = results[0]?.taskId as string
    await vi.waitFor(async () => expect(await statuses(stream)).toHaveLength(3), within)
    const cancel = createCommand({ kind: 'task.cancel', contextId: 'ctx-1', taskId, reason: 'Never mind.' })
    expect((await stream.submit(cancel, user)).status).toBe('accepted')
    await vi.waitFor(
      async () => expect(await statuses(stream)).toEqual(['working', 'canceled', 'submitted']),
      within,
    )
    ;(await began(1)).end()
    ;(await began(2)).end()
    await vi.waitFor(
      async () => expect(await statuses(stream)).toEqual(['completed', 'canceled', 'completed']),
      within,
    )
    expect(begun.map(({ input }) => input.input)).toEqual(['One', 'Three'])
    expectLegal(await eventsOf(stream))
  })

  it('are refused when 100 wait, until one begins; one that is repeated is not', async () => {
    const { stream, began } = await opened(memoryStore())
    const messages = Array.from({ length: 101 }, (_, i) => send(`Message ${i}`))
    const receipts = []
    for (const message of messages) receipts.push((await stream.submit(message, user)).status)
    expect(new Set(receipts)).toEqual(new Set(['accepted']))
    const more = send('More')
    expect(await stream.submit(more, user)).toMatchObject({ status: 'unsupported' })
    expect(await stream.submit(messages[50], user)).toMatchObject({ status: 'repeated' })
    const first = await began(1)
    first.end()
    await began(2)
    expect(await stream.submit(more, user)).toMatchObject({ status: 'accepted' })
  })

  it('run beside each other if the application says so', async () => {
    const { stream, began } = await opened(memoryStore(), { whileRunning: 'parallel' })
    for (const input of ['One', 'Two']) await stream.submit(send(input), user)
    expect((await began(2)).texts).toBe(0)
    ;(await began(1)).end()
    ;(await began(2)).end()
  })

  it.each(['memory', 'Redis'])(
    'the second is refused if the application says so, whoever is faster: %s',
    async (world) => {
      const redis = createRedisInMemory()
      const storeOf = (): Store => (world === 'memory' ? memoryStore() : redisStore({ client: redis }))
      const a = await opened(storeOf(), { whileRunning: 'refuse' })
      const b = world === 'memory' ? a : await opened(storeOf(), { whileRunning: 'refuse' })
      for (let round = 1; round <= 5; round++) {
        const [one, two] = [send(`One ${round}`), send(`Two ${round}`)]
        const receipts = await Promise.all([a.stream.submit(one, user), b.stream.submit(two, user)])
        expect(receipts.map(({ status }) => status).sort()).toEqual(['accepted', 'busy'])
        const isOne = receipts[0]?.status === 'accepted'
        const begun = isOne ? a : b
        await vi.waitFor(
          () => expect(begun.begun.at(-1)?.input.input).toBe(`${isOne ? 'One' : 'Two'} ${round}`),
          within,
        )
        // Sent again, it is the same message; a new one is refused until the first has ended.
        expect((await a.stream.submit(isOne ? one : two, user)).status).toBe('repeated')
        expect((await b.stream.submit(isOne ? two : one, user)).status).toBe('busy')
        begun.begun.at(-1)?.end()
        await vi.waitFor(async () => expect((await statuses(b.stream)).at(-1)).toBe('completed'), within)
        await vi.waitFor(async () => expect((await statuses(a.stream)).length).toBe(round), within)
      }
    },
  )

  it('of different conversations do not wait for one another', async () => {
    const { stream, began } = await opened(memoryStore())
    await stream.submit(send('One'), user)
    await stream.submit(send('Two', { contextId: 'ctx-2' }), user)
    ;(await began(2)).end()
    ;(await began(1)).end()
  })
})

describe('two messages to two processes', () => {
  const process = (redis: object) => opened(redisStore({ client: redis as never, timeoutMs: 2000 }))

  it('take turns', () =>
    inFakeTime(async () => {
      const redis = createRedisInMemory()
      const [a, b] = [await process(redis), await process(redis)]
      await a.stream.submit(send('One'), user)
      const first = await a.began(1)
      const { results } = await b.stream.submit(send('Two'), user)
      await vi.waitFor(async () => expect(await statuses(a.stream)).toEqual(['working', 'submitted']), within)
      first.end()
      await vi.waitFor(() => expect(a.begun.length + b.begun.length).toBe(2), within)
      const second = b.begun[0] ?? a.begun[1]
      expect([second?.texts, second?.input.taskId]).toEqual([1, results[0]?.taskId])
      second?.end()
      await vi.waitFor(
        async () => expect(await statuses(a.stream)).toEqual(['completed', 'completed']),
        within,
      )
      expectLegal(await eventsOf(a.stream))
    }))

  it('the second can be canceled in the other process', async () => {
    const redis = createRedisInMemory()
    const [a, b] = [await process(redis), await process(redis)]
    await a.stream.submit(send('One'), user)
    const first = await a.began(1)
    const { results } = await b.stream.submit(send('Two'), user)
    const taskId = results[0]?.taskId as string
    await vi.waitFor(async () => expect(await statuses(a.stream)).toHaveLength(2), within)
    const cancel = createCommand({ kind: 'task.cancel', contextId: 'ctx-1', taskId })
    expect((await a.stream.submit(cancel, user)).status).toBe('accepted')
    await vi.waitFor(async () => expect(await statuses(b.stream)).toEqual(['working', 'canceled']), within)
    first.end()
    await vi.waitFor(async () => expect(await statuses(b.stream)).toEqual(['completed', 'canceled']), within)
    expect(b.begun).toEqual([])
  })

  it('each is shown once, though both processes look at it at the same time', async () => {
    const redis = createRedisInMemory()
    const { send: sendNow } = redis
    redis.send = async (args, key) => {
      const reply = await sendNow(args, key)
      // Both have read before either writes.
      await new Promise((resolve) => setTimeout(resolve, 2))
      return reply
    }
    const [a, b] = [await process(redis), await process(redis)]
    await a.stream.submit(send('One'), user)
    const first = await a.began(1)
    for (let i = 0; i < 10; i++) {
      const message = send(`Message ${i}`)
      await Promise.all([a.stream.submit(message, user), b.stream.submit(message, user)])
    }
    const kinds = async (): Promise<string[]> =>
      (await eventsOf(a.stream)).map((event) =>
        [event.taskId, event.kind, event.kind === 'task-status' && event.status].join(' '),
      )
    await vi.waitFor(async () => expect(await kinds()).toHaveLength(22), within)
    await Promise.all([a.stream.requests(), b.stream.requests()])
    expect(new Set(await kinds()).size).toBe((await kinds()).length)
    first.end()
  })

  it('the second begins though the process that took it has stopped', () =>
    inFakeTime(async () => {
      const redis = createRedisInMemory()
      const [a, b] = [await process(redis), await process(redis)]
      await a.stream.submit(send('One'), user)
      const first = await a.began(1)
      await b.stream.submit(send('Two'), user)
      await b.stream.release()
      first.end()
      const second = await a.began(2)
      expect([second.input.input, second.texts]).toEqual(['Two', 1])
      second.end()
    }))
})

describe('a message that was taken and for which no task was run', () => {
  // What waits for a lease, or looks again, is not waited for.
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
  afterEach(async () => {
    await Promise.all([closeStores(), vi.advanceTimersByTimeAsync(20_000)])
    vi.useRealTimers()
  })

  const process = (redis: object, onInput: OpenOptions['onInput']) => {
    const store = redisStore({ client: redis as never, timeoutMs: 2000, leaseMs: 100 })
    stores.push(store)
    return { store, opening: store.open('s', { onInput: onInput as never }) }
  }

  it.each<[string, () => unknown]>([
    ['resolves', async () => undefined],
    ['rejects', () => Promise.reject(new Error('It cannot.'))],
    ['returns no promise', () => undefined],
  ])('is not handed over again, and does not block others, once onInput is done: %s', async (_, onInput) => {
    const redis = createRedisInMemory()
    const calls: unknown[] = []
    const first = process(redis, (_stream, { input }) => {
      calls.push(['first', input])
      return onInput()
    })
    await (await first.opening).submit(send('One'), user)
    // A task may begin later, if onInput has returned no promise.
    await vi.advanceTimersByTimeAsync(1000)
    await vi.waitFor(
      () => expect(JSON.stringify([...redis.keys.values()].map(textOf))).toContain('isDone'),
      within,
    )
    await first.store.close()
    for (const name of ['second', 'third']) {
      const next = process(redis, (_stream, { input }) => calls.push([name, input]))
      const stream = await next.opening
      await stream.submit(send(`To ${name}`), user)
      expect(calls.at(-1)).toEqual([name, `To ${name}`])
      await vi.advanceTimersByTimeAsync(1300)
      await next.store.close()
    }
    expect(calls).toHaveLength(3)
  })

  it('is handed over again if its process stops before onInput is done, or its run fails before it begins', async () => {
    const redis = createRedisInMemory()
    const client = Object.create(redis) as typeof redis
    const first = process(client, async (stream, { contextId = '', taskId }) => {
      client.send = () => Promise.reject(new Error('no connection'))
      await stream.run({ contextId, taskId }, async function* () {}).catch(() => undefined)
    })
    const submitted = (await first.opening).submit(send('One'), user).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(6000)
    await submitted
    const inputs: unknown[] = []
    const second = process(redis, (_stream, { input }) => inputs.push(input))
    await second.opening
    await vi.advanceTimersByTimeAsync(6000)
    await vi.waitFor(() => expect(inputs).toEqual(['One']), within)
  })
})

const textOf = (value: unknown): unknown => (value instanceof Map ? [...value] : value)
