// Proves what becomes of a task whose process stops: it is taken over once, what waits goes on when it is answered, what has
// started is not run again, and the late process is refused.

import fc from 'fast-check'
import type { ContextAnyEvent, EventDraft } from 'turnstream'
import { run } from 'turnstream'
import { createCommand } from 'turnstream/commands'
import { redisLog, redisStore } from 'turnstream/redis'
import { type AgentInput, logStore, memoryStore, type Stream } from 'turnstream/server'
import { createMemoryLog, emptyView, foldEvents, type LeaseLog, verifier } from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RedisStoreOptions } from '../../src/redis/redis-store.ts'
import type { OpenOptions } from '../../src/server/store.ts'
import { inFakeTime } from '../support/fake-time.ts'
import { createRedisInMemory, type RedisInMemory } from '../support/redis-in-memory.ts'
import { runs, someOf } from '../support/runs.ts'

const user = { role: 'user', id: 'user-1' } as const
const call = { toolCallId: 'c', toolName: 'book', arguments: {} }
const ask: EventDraft = { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: 'Well?' }
const waiting: EventDraft = { kind: 'task-status', status: 'waiting-input' }
const within = { timeout: 30_000, interval: 10 }

const processes: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of processes.splice(0)) await each.close().catch(() => undefined)
})

type Agent = (stream: Stream, input: AgentInput, signal: AbortSignal) => AsyncIterable<EventDraft>

/** Processes on one Redis, with one clock. */
function world() {
  const redis = createRedisInMemory()
  const clock = { ms: Date.parse('2026-01-01T00:00:00Z') }
  /** A process: `die` cuts it off, as `kill -9` does, or a long pause, until it is revived. */
  const start = (options: Partial<RedisStoreOptions> = {}) => {
    const client = Object.create(redis) as RedisInMemory
    let isDead = false
    let revive = (): void => {}
    let revived = Promise.resolve()
    client.send = async (args, key) => {
      await revived
      return redis.send(args, key)
    }
    const store = redisStore({ client, now: () => clock.ms, leaseMs: 100, timeoutMs: 2000, ...options })
    processes.push({
      async close() {
        const closed = store.close()
        // What a dead one asks for does not come.
        if (isDead) closed.catch(() => undefined)
        else await closed
      },
    })
    const errors: unknown[] = []
    const open = async (agent?: Agent, more: OpenOptions = {}): Promise<Stream> => {
      const onInput: OpenOptions['onInput'] = (stream, input) => {
        const { contextId = '', taskId } = input
        const ran = stream.run({ contextId, taskId }, (signal) => (agent as Agent)(stream, input, signal))
        ran.catch((error: unknown) => errors.push(error))
      }
      return (await store.open('s', agent && { onInput, ...more })) as Stream
    }
    const die = (): void => {
      isDead = true
      revived = new Promise((resolve) => {
        revive = resolve
      })
    }
    return { open, die, revive: () => revive(), store, errors, client }
  }
  const expire = (): void => {
    clock.ms += 200
  }
  return { start, expire, clock, redis }
}

async function eventsOf(stream: Stream): Promise<ContextAnyEvent[]> {
  const part = await stream.log.read(undefined, { maxBytes: 1e7 })
  return part.type === 'batch' ? [...part.events] : []
}

async function statusIn(stream: Stream): Promise<unknown> {
  return foldEvents(emptyView, await eventsOf(stream)).tasks[0]?.status
}

async function statusesIn(stream: Stream): Promise<unknown[]> {
  return foldEvents(emptyView, await eventsOf(stream)).tasks.map(({ status }) => status)
}

function expectLegal(events: readonly ContextAnyEvent[]): void {
  const { push, end } = run(verifier({ mode: 'strict' }))
  const violations = [...events.flatMap((event) => [...push(event)]), ...end()]
  expect(violations.filter(({ severity }) => severity === 'error')).toEqual([])
}

const send = (): object => createCommand({ kind: 'task.send', input: 'Hi', contextId: 'ctx-1' })
const answer = (value: unknown): object =>
  createCommand({ kind: 'input.respond', responses: [{ inputId: 'i', value }] } as never)

/** Asks, and goes on with the answer; says whether it was called again. */
const asking: Agent = async function* (stream, { isResumed, taskId }, signal) {
  if (!isResumed) {
    yield { kind: 'content-delta', delta: 'One ' }
    yield { kind: 'content-delta', delta: 'moment.' }
    yield ask
    yield waiting
  }
  const found = await stream.answer({ inputId: 'i', taskId, contextId: 'ctx-1' }, { signal })
  if (!isResumed) yield { kind: 'content-complete', content: 'One moment.' }
  yield {
    kind: 'content-complete',
    content: `${isResumed ? 'Again' : 'At once'}: ${JSON.stringify(found?.value)}`,
  }
}

/** Starts a call, and never ends. */
const hanging: Agent = async function* (): AsyncGenerator<EventDraft> {
  yield { kind: 'content-delta', delta: 'Let me' }
  yield { kind: 'tool-start', ...call }
  await new Promise(() => {})
}

describe('a process that stops', () => {
  it('while its task runs: another one ends the task, once, and its call is interrupted', async () => {
    const { start, expire } = world()
    const dead = start()
    await (await dead.open(hanging)).submit(send(), user)
    const others = [start(), start()]
    const stream = await (others[0] as (typeof others)[0]).open()
    await vi.waitFor(async () => expect(await eventsOf(stream)).toHaveLength(4), within)
    dead.die()
    expire()
    await vi.waitFor(async () => expect(await statusIn(stream)).toBe('failed'), within)
    const events = await eventsOf(stream)
    expect(events.slice(4)).toMatchObject([
      { kind: 'content-complete', content: 'Let me' },
      { kind: 'tool-complete', toolCallId: 'c', success: false, error: 'interrupted' },
      { kind: 'task-status', status: 'failed', metadata: { reason: expect.stringContaining('lease') } },
    ])
    expectLegal(events)
  })

  it('while its task waits: the task goes on in the process that gets the answer, and the late one is refused', async () => {
    const { start, expire } = world()
    const dead = start()
    const late = await dead.open(asking)
    await late.submit(send(), user)
    const heir = start()
    const stream = await heir.open()
    await vi.waitFor(async () => expect(await stream.requests()).toHaveLength(1), within)
    dead.die()
    expire()
    await vi.waitFor(
      async () => expect((await eventsOf(stream)).at(-1)?.kind).toBe('content-complete'),
      within,
    )
    expect(await statusIn(stream)).toBe('waiting-input')
    await heir.store.close()
    dead.revive()
    const next = await start().open(async function* (...of) {
      await vi.waitFor(() => expect(dead.errors).toMatchObject([{ code: 'lease-lost' }]), within)
      yield* asking(...of)
    })
    expect((await next.submit(answer('yes'), user)).status).toBe('accepted')
    await vi.waitFor(async () => expect(await statusIn(next)).toBe('completed'), within)
    const events = await eventsOf(next)
    const texts = events.flatMap((event) => (event.kind === 'content-complete' ? [event.content] : []))
    expect(texts).toEqual(['One moment.', 'Again: "yes"'])
    expectLegal(events)
  })

  it('after Redis has lost the end of its task, which others have seen: one of them ends it again', async () => {
    const { start, expire, redis, clock } = world()
    const now = (): number => clock.ms
    const log = await redisLog({ client: start().client, stream: 's', leaseMs: 100, now })
    const stream = await start().open()
    const task = { contextId: 'ctx-1', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
    await log.append({ kind: 'task-created', ...task, initiator: 'user' })
    const old = structuredClone(redis.keys)
    await log.append({ kind: 'task-status', ...task, status: 'completed' })
    await log.release()
    await stream.requests()
    redis.flush()
    for (const [key, value] of old) redis.keys.set(key, value)
    redis.restart()
    expire()
    await vi.waitFor(async () => expect(await statusIn(stream)).toBe('failed'), within)
  })

  it('and whose task is answered before the lease expires: the task goes on then', () =>
    inFakeTime(async () => {
      const { start, expire } = world()
      const dead = start()
      await (await dead.open(asking)).submit(send(), user)
      const stream = await start().open(asking)
      await vi.waitFor(async () => expect(await stream.requests()).toHaveLength(1), within)
      dead.die()
      await stream.submit(answer(1), user)
      expect(await statusIn(stream)).toBe('working')
      expire()
      await vi.waitFor(async () => expect(await statusIn(stream)).toBe('completed'), within)
      expectLegal(await eventsOf(stream))
    }))

  it('and the one that goes on with its task, too: the next one does', async () => {
    const { start, expire } = world()
    const seen: unknown[] = []
    const stuck = vi.fn(async () => new Promise(() => {}))
    const dead = start()
    await (await dead.open(hanging)).submit(send(), user)
    const reader = await start({ leaseMs: 1e6 }).open()
    await vi.waitFor(async () => expect(await eventsOf(reader)).toHaveLength(4), within)
    dead.die()
    const second = start({ onLeaseExpired: stuck })
    expire()
    await vi.waitFor(() => expect(stuck).toHaveBeenCalledOnce(), within)
    second.die()
    start({
      onLeaseExpired: async (task, stream) => {
        seen.push(task)
        const { contextId, taskId } = task
        await stream.run({ contextId, taskId }, async function* () {
          yield { kind: 'tool-complete', toolCallId: 'c', toolName: 'book', success: true }
          yield { kind: 'content-delta', delta: ' see.' }
          yield { kind: 'content-complete', content: 'Let me see.' }
        })
      },
    })
    expire()
    await vi.waitFor(async () => expect(await statusIn(reader)).toBe('completed'), within)
    expect(seen).toEqual([
      {
        contextId: 'ctx-1',
        taskId: expect.any(String),
        expiredAt: expect.stringMatching(/^2026-01-01T.*Z$/),
      },
    ])
    const events = await eventsOf(reader)
    expect(events.filter(({ kind }) => kind === 'content-delta')).toMatchObject([{ index: 0 }, { index: 1 }])
    expectLegal(events)
  })
})

describe('a stream that is released', () => {
  it('gives back a task that waits: it goes on elsewhere at once when it is answered', async () => {
    const { start } = world()
    const first = start()
    await (await first.open(asking)).submit(send(), user)
    const stream = await start().open(asking)
    await vi.waitFor(async () => expect(await stream.requests()).toHaveLength(1), within)
    await first.store.close()
    expect(first.errors).toMatchObject([{ code: 'released' }])
    await stream.submit(answer(2), user)
    await vi.waitFor(async () => expect(await statusIn(stream)).toBe('completed'), within)
    expectLegal(await eventsOf(stream))
  })
})

describe('a process that stops between taking input and running its task', () => {
  /** Takes input, and runs its task when it is told to. */
  async function slow(process: ReturnType<ReturnType<typeof world>['start']>) {
    const taken: AgentInput[] = []
    let goOn = (): void => {}
    const told = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const stream = await process.store.open('s', {
      async onInput(its, input) {
        taken.push(input)
        await told
        const { contextId = '', taskId } = input
        await its
          .run({ contextId, taskId, input: input.input }, async function* () {
            yield { kind: 'content-complete', content: 'Late.' }
          })
          .catch((error: unknown) => process.errors.push(error))
      },
    })
    return { stream, taken, goOn }
  }
  const answering: Agent = async function* () {
    yield { kind: 'content-complete', content: 'Done.' }
  }
  const contents = async (stream: Stream): Promise<unknown[]> =>
    (await eventsOf(stream)).flatMap((event) => (event.kind === 'content-complete' ? [event.content] : []))

  it('leaves it to another one, and begins nothing when it is late', async () => {
    const { start } = world()
    const first = start()
    const { stream, taken, goOn } = await slow(first)
    await stream.submit(send(), user)
    await vi.waitFor(() => expect(taken).toHaveLength(1), within)
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const other = await start().open(async function* () {
      await ended
      yield { kind: 'content-complete', content: 'Done.' }
    })
    await vi.waitFor(async () => expect(await statusesIn(other)).toEqual(['working']), within)
    goOn()
    await vi.waitFor(() => expect(first.errors).toMatchObject([{ code: 'lease-lost' }]), within)
    end()
    await vi.waitFor(async () => expect(await statusesIn(other)).toEqual(['completed']), within)
    expect(await contents(other)).toEqual(['Done.'])
    expectLegal(await eventsOf(other))
  })

  it('leaves a message that has waited, and those behind it, in their order', () =>
    inFakeTime(async () => {
      const { start, expire } = world()
      const first = start()
      const { stream, taken, goOn } = await slow(first)
      const messages = [send(), send(), send()]
      for (const message of messages) await stream.submit(message, user)
      await vi.waitFor(() => expect(taken).toHaveLength(1), within)
      first.die()
      expire()
      const other = await start().open(answering, { whileRunning: 'queue' })
      await vi.waitFor(
        async () => expect(await statusesIn(other)).toEqual(Array(3).fill('completed')),
        within,
      )
      first.revive()
      goOn()
      await stream.requests()
      expect(await contents(other)).toEqual(['Done.', 'Done.', 'Done.'])
      expectLegal(await eventsOf(other))
    }))

  it(
    'loses no message, wherever it is cut off',
    () =>
      inFakeTime(async () => {
        const cutOff = async (calls: number): Promise<void> => {
          const { start, expire } = world()
          const first = start()
          const sends = first.client.send
          let count = 0
          first.client.send = (args, key) => {
            if (++count === calls) first.die()
            return sends(args, key)
          }
          const messages = [send(), send()]
          void (async () => {
            const stream = await first.open(answering, { whileRunning: 'queue' })
            for (const message of messages) await stream.submit(message, user)
          })().catch(() => undefined)
          await new Promise((resolve) => setTimeout(resolve, 100))
          first.die()
          expire()
          const other = await start().open(answering, { whileRunning: 'queue' })
          // Whoever has no receipt sends again.
          for (const message of messages) await other.submit(message, user)
          const ended = async (): Promise<number> =>
            (await statusesIn(other)).filter((status) => status === 'completed' || status === 'failed').length
          await vi.waitFor(async () => expect([calls, await ended()]).toEqual([calls, 2]), within)
          expectLegal(await eventsOf(other))
        }
        const calls = Array.from({ length: 40 }, (_, i) => i + 1)
        await Promise.all(someOf(calls, 4).map(cutOff))
      }),
    30_000,
  )
})

describe('a store that is closed while a task runs', () => {
  it('leaves the task to whoever is left when its process ends, and the messages behind it', () =>
    inFakeTime(async () => {
      const { start, expire } = world()
      const first = start()
      const stream = await first.open(hanging, { whileRunning: 'queue' })
      await stream.submit(send(), user)
      await stream.submit(send(), user)
      await vi.waitFor(async () => expect(await eventsOf(stream)).toHaveLength(6), within)
      const ran: string[] = []
      const other = await start().open(
        async function* (_, { taskId }) {
          ran.push(taskId)
          yield { kind: 'content-complete', content: 'Done.' }
        },
        { whileRunning: 'queue' },
      )
      await first.store.close()
      first.die()
      expire()
      await vi.waitFor(async () => expect(await statusesIn(other)).toEqual(['failed', 'completed']), within)
      expect(ran).toHaveLength(1)
      expectLegal(await eventsOf(other))
    }))

  it('lets the task end in its process, if that goes on', async () => {
    const { start } = world()
    const first = start()
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const stream = await first.open(async function* () {
      yield { kind: 'content-delta', delta: 'Let me' }
      await ended
      yield { kind: 'content-delta', delta: ' see.' }
    })
    await stream.submit(send(), user)
    await vi.waitFor(async () => expect(await eventsOf(stream)).toHaveLength(3), within)
    await first.store.close()
    end()
    const other = await start().open()
    await vi.waitFor(async () => expect(await statusesIn(other)).toEqual(['completed']), within)
  })
})

describe('onLeaseExpired', () => {
  it('is called once for a task, however long the task takes', async () => {
    const { start, expire, clock } = world()
    const dead = start()
    await (await dead.open(hanging)).submit(send(), user)
    const called: string[] = []
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const onLeaseExpired: RedisStoreOptions['onLeaseExpired'] = async (task, stream) => {
      called.push(task.taskId)
      await stream.run(task, async function* () {
        await ended
        yield { kind: 'content-complete', content: 'Done.' }
      })
    }
    const heirs = [start({ onLeaseExpired }), start({ onLeaseExpired })]
    const stream = await (heirs[0] as (typeof heirs)[0]).open()
    await vi.waitFor(async () => expect(await eventsOf(stream)).toHaveLength(4), within)
    dead.die()
    expire()
    await vi.waitFor(() => expect(called).toHaveLength(1), within)
    // Several times as long as it takes to look again.
    for (let i = 0; i < 25; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      clock.ms += 20
    }
    expect(called).toHaveLength(1)
    end()
    await vi.waitFor(async () => expect(await statusIn(stream)).toBe('completed'), within)
  })

  it('is called again as often as it throws or rejects, whoever has opened the stream', async () => {
    const plan = fc.record({
      faults: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 }),
      isAsync: fc.boolean(),
      isOpened: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(plan, async ({ faults, isAsync, isOpened }) => {
        const { start, expire } = world()
        const first = start()
        const stream = await first.open()
        const timestamp = '2026-01-01T00:00:00Z'
        const left = new Map(faults.map((count, index) => [`task-${index}`, count]))
        for (const taskId of left.keys()) {
          await stream.append({
            kind: 'task-status',
            contextId: 'ctx-1',
            taskId,
            timestamp,
            status: 'working',
          })
        }
        first.die()
        expire()
        const ended: string[] = []
        const heir = start({
          onLeaseExpired({ taskId }) {
            const count = left.get(taskId) ?? 0
            left.set(taskId, count - 1)
            if (count === 0) return void ended.push(taskId)
            if (isAsync) return Promise.reject(new Error('Not yet.'))
            throw new Error('Not yet.')
          },
        })
        if (isOpened) await heir.open()
        await vi.waitFor(() => expect([...left.values()]).toEqual(faults.map(() => -1)), within)
        expect(ended.toSorted()).toEqual([...left.keys()])
        await heir.store.close()
      }),
      { numRuns: runs(8) },
    )
  })
})

it('gives nothing back that it is about to take over', async () => {
  const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
  const task = (taskId: string) => ({ contextId: 'ctx-1', taskId, timestamp: '2026-01-01T00:00:00Z' })
  for (const taskId of ['one', 'two']) {
    await log.append({ kind: 'task-status', ...task(taskId), status: 'working' })
  }
  const leases = ['one', 'two'].map((id) => ({ id, tasks: [task(id)], expiredAt: task(id).timestamp }))
  const gate = () => {
    let open = (): void => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    return { opened, open: () => open() }
  }
  const [ends, takes] = [gate(), gate()]
  const taken: string[] = []
  const ended: string[] = []
  const released = vi.fn()
  const leased: LeaseLog = {
    ...{ read: log.read.bind(log), close: log.close.bind(log) },
    async append(event) {
      if (event.taskId === 'one') await ends.opened
      ended.push(event.taskId)
      return log.append(event)
    },
    // One after the other.
    expiredLeases: async () => leases.filter(({ id }) => !taken.includes(id)).slice(0, 1),
    async takeOver({ id }) {
      taken.push(id)
      if (id === 'two') await takes.opened
      return true
    },
    release: async () => released([...ended]),
  }
  const store = logStore({ open: () => leased, expiredStreams: async () => ['s'], leaseMs: 100 })
  await vi.waitFor(() => expect(taken).toEqual(['one', 'two']), within)
  ends.open()
  await vi.waitFor(() => expect(ended).toEqual(['one']), within)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(released).not.toHaveBeenCalled()
  takes.open()
  await vi.waitFor(() => expect(released).toHaveBeenCalledWith(['one', 'two']), within)
  await store.close()
})

describe('options about leases', () => {
  it('are refused where there are none', async () => {
    const onLeaseExpired = (): void => {}
    expect(() => memoryStore({ onLeaseExpired } as never)).toThrow(/^"onLeaseExpired" must be omitted/)
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    const store = logStore({ open: () => log, onLeaseExpired })
    await expect(store.open('s')).rejects.toThrow(/^"open\(\)" must be a log with leases/)
  })
})

it('asks nothing of the client once the store is closed', async () => {
  const { start, redis } = world()
  const [one, other] = [start(), start()]
  const [stream, its] = [await one.open(), await other.open()]
  void stream.answer({ contextId: 'main', taskId: 't', inputId: 'i' }).catch(() => undefined)
  const sent = vi.spyOn(redis, 'send')
  await its.submit(createCommand({ kind: 'task.send', contextId: 'main', input: 'Go.' }), user)
  await Promise.all([one.store.close(), other.store.close()])
  const count = sent.mock.calls.length
  expect(count).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(sent.mock.calls.length).toBe(count)
})
