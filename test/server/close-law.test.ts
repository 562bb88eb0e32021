// Proves that a closed store is silent: whatever was in flight, what stores its streams is not asked again, so that its client
// may be closed and the process may end.
import fc from 'fast-check'
import { type ContextAnyEvent, type EventDraft, isTaskEnd } from 'turnstream'
import { createCommand } from 'turnstream/commands'
import { redisLog, redisStore } from 'turnstream/redis'
import { logStore, type Store, type Stream } from 'turnstream/server'
import type { EventLog } from 'turnstream/streams'
import { describe, expect, it, vi } from 'vitest'
import type { RedisStoreOptions } from '../../src/redis/redis-store.ts'
import type { OpenOptions, StoreOptions } from '../../src/server/store.ts'
import { anyone } from '../support/anyone.ts'
import { inFakeTime } from '../support/fake-time.ts'
import { createRedisInMemory, type RedisInMemory } from '../support/redis-in-memory.ts'
import { runs } from '../support/runs.ts'
import { plainLog, Stored, sharedLog } from './shared-log.ts'

const user = { role: 'user', id: 'user-1' } as const
const contextId = 'ctx-1'
const within = { timeout: 30_000, interval: 10 }
const working = (taskId: string): ContextAnyEvent => {
  return { kind: 'task-status', contextId, taskId, timestamp: '2026-01-01T00:00:00Z', status: 'working' }
}
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** What is asked of a log or a client, each time after a while. */
class Calls {
  count = 0
  #turn = 0
  readonly delays: readonly number[]

  constructor(delays: readonly number[]) {
    this.delays = delays
  }

  async late<T>(call: () => Promise<T>): Promise<T> {
    this.count++
    await sleep(this.delays[this.#turn++ % this.delays.length] ?? 0)
    return call()
  }
}

function lateLog<L extends EventLog>(log: L, calls: Calls): L {
  return new Proxy(log, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || name === 'changes') return value
      return (...given: unknown[]) => calls.late(async () => value.apply(target, given))
    },
  })
}

interface Kind {
  open(calls: Calls, options: StoreOptions): Store
  /** Begins a task of a process that has stopped. */
  orphan?(stream: string): Promise<unknown>
}

const kinds: Readonly<Record<string, () => Kind>> = {
  'a log that stores a state': () => {
    const log = sharedLog(new Stored())
    return { open: (calls, options) => logStore({ ...options, open: () => lateLog(log, calls) }) }
  },
  'a log that stores none': () => {
    const log = plainLog(new Stored())
    return { open: (calls, options) => logStore({ ...options, open: () => lateLog(log, calls) }) }
  },
  Redis: () => {
    const redis = createRedisInMemory()
    const past = Date.now() - 60_000
    return {
      open(calls, options) {
        const client = Object.create(redis) as RedisInMemory
        client.send = (args, key) => calls.late(() => redis.send(args, key))
        return redisStore({ ...options, client, leaseMs: 100 })
      },
      async orphan(stream) {
        const log = await redisLog({ client: redis, stream, leaseMs: 10_000, now: () => past })
        await log.append(working('orphan'))
      },
    }
  },
}

/** An agent that ends at once, fails, or asks. */
const agents: Readonly<Record<string, (stream: Stream, taskId: string) => AsyncGenerator<EventDraft>>> = {
  async *says() {
    yield { kind: 'content-complete', content: 'Done.' }
  },
  // biome-ignore lint/correctness/useYield: it fails before.
  async *fails() {
    throw new Error('It fails.')
  },
  async *asks(stream, taskId) {
    const prompt = 'Well?'
    const expires = { timeout: 1 }
    yield* stream.ask({ contextId, taskId, inputId: `i-${taskId}`, prompt, ...expires } as never)
  },
}

const name = fc.constantFrom('says', 'fails', 'asks')
const step = fc.oneof(
  fc.record({ what: fc.constant('send' as const), name }),
  fc.record({ what: fc.constantFrom('answer', 'cancel', 'view', 'requests', 'append', 'wait', 'open') }),
)
const plan = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  delays: fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 5 }),
  after: fc.nat({ max: 60 }),
})

/** A task that is canceled, and that nobody ends, beside one that runs. */
const canceled = {
  steps: [
    { what: 'send' as const, name: 'says' as const },
    { what: 'append' as const },
    { what: 'cancel' as const },
  ],
  delays: [0],
  after: 0,
}

describe.each(Object.keys(kinds))('a store that is closed over %s', (kind) => {
  it('asks for nothing more', () =>
    inFakeTime(async () => {
      await fc.assert(
        fc.asyncProperty(plan, async ({ steps, delays, after }) => {
          const calls = new Calls(delays)
          const { open, orphan } = (kinds[kind] as () => Kind)()
          await orphan?.('orphaned')
          const store = open(calls, { ...anyone, timeoutMs: 2000 })
          let running = 0
          let next = 'says'
          const onInput: OpenOptions['onInput'] = async (stream, { taskId }) => {
            const agent = agents[next] as (typeof agents)[string]
            running++
            const ran = stream.run({ contextId, taskId }, () => agent(stream, taskId))
            await ran.catch(() => undefined).finally(() => running--)
          }
          const stream = (await store.open('s', { onInput, whileRunning: 'parallel' })) as Stream
          const inFlight: Promise<unknown>[] = []
          for (const [index, each] of steps.entries()) {
            if ('name' in each) next = each.name
            const does: Readonly<Record<string, () => Promise<unknown>>> = {
              send: () => stream.submit(createCommand({ kind: 'task.send', input: 'Hi', contextId }), user),
              async answer() {
                const responses = (await stream.requests()).map(({ id }) => ({ inputId: id, value: 1 }))
                await stream.submit(createCommand({ kind: 'input.respond', responses } as never), user)
              },
              cancel: () => stream.submit(createCommand({ kind: 'task.cancel' }), user),
              view: () => stream.view('all'),
              requests: () => stream.requests(),
              append: () => stream.append(working(`own-${index}`)),
              wait: () => stream.answer({ inputId: 'none' }),
              open: () => store.open(`s-${index}`),
            }
            inFlight.push((does[each.what] as () => Promise<unknown>)().catch(() => undefined))
            await sleep(delays[index % delays.length] ?? 0)
          }
          await sleep(after)
          await store.close()
          // A task that runs may end in this process.
          while (running > 0) await sleep(1)
          const { count } = calls
          await sleep(40)
          expect(calls.count).toBe(count)
          await Promise.all(inFlight)
          expect(calls.count).toBe(count)
        }),
        { numRuns: runs(60), examples: [[canceled]] },
      )
    }))
})

describe('a stream that is released', () => {
  it('is silent once the task of a run has ended, though the run has not', () =>
    inFakeTime(async () => {
      const calls = new Calls([5])
      const stored = new Stored()
      const store = logStore({ ...anyone, open: () => lateLog(plainLog(stored), calls) })
      const stream = await store.open('s')
      const running = stream.run({ contextId, taskId: 't' }, async function* () {
        yield { kind: 'content-complete', content: 'Done.' }
      })
      const hasEnded = (): boolean => stored.events.some((event) => isTaskEnd(event) && 'status' in event)
      while (!hasEnded()) await sleep(1)
      await store.close()
      const { count } = calls
      await running
      await sleep(40)
      expect(calls.count).toBe(count)
    }))

  it('refuses what is written to it, and a closed store what is opened', async () => {
    const store = logStore({ ...anyone, open: () => plainLog(new Stored()) })
    const stream = await store.open('s', { onInput: () => {} })
    await store.close()
    const released = { code: 'released', message: expect.stringContaining('"s"') }
    const send = createCommand({ kind: 'task.send', input: 'Hi', contextId })
    await expect(stream.append(working('t'))).rejects.toMatchObject(released)
    await expect(stream.submit(send, user)).rejects.toMatchObject(released)
    await expect(stream.run({ contextId, taskId: 't' }, async function* () {})).rejects.toMatchObject(
      released,
    )
    await expect(store.open('s')).rejects.toMatchObject(released)
    await expect(store.open('s', { create: false })).rejects.toMatchObject(released)
    await expect(stream.answer({ inputId: 'i' })).rejects.toMatchObject({ code: 'released' })
    expect((await stream.view('all')).tasks).toEqual([])
  })

  it('appends what belongs to an answer that was accepted, or rejects', async () => {
    const stored = new Stored()
    const store = logStore({ ...anyone, open: () => plainLog(stored) })
    const stream = await store.open('s')
    await stream.append(working('t'))
    const asked = { contextId, taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
    for (const inputId of ['i', 'j']) {
      await stream.append({ kind: 'input-required', ...asked, inputId, inputType: 'custom', prompt: '?' })
    }
    let faults = 2
    stored.onAppend = (event) => {
      if (event.kind === 'input-received' && event.inputId === 'j' && faults-- > 0)
        throw new Error('no connection')
    }
    const responses = ['i', 'j'].map((inputId) => ({ inputId, value: 1 }))
    const receipt = await stream.submit(createCommand({ kind: 'input.respond', responses }), user)
    expect(receipt.status).toBe('accepted')
    await expect(stream.release()).rejects.toThrow('no connection')
    await stream.release()
    expect(stored.events.filter(({ kind }) => kind === 'input-received')).toHaveLength(2)
  })

  it('leaves what it has taken over and not ended to the next process', async () => {
    const redis = createRedisInMemory()
    const clock = { ms: Date.now() }
    const client = Object.create(redis) as RedisInMemory
    const open = (options: Partial<RedisStoreOptions>): Store =>
      redisStore({ ...anyone, client: redis, ...options, leaseMs: 100, now: () => clock.ms })
    const dead = await redisLog({ client: redis, stream: 's', leaseMs: 10_000, now: () => clock.ms - 60_000 })
    await dead.append(working('t'))
    const calls: string[] = []
    const first = open({
      client,
      onLeaseExpired() {
        calls.push('first')
        return new Promise(() => {})
      },
    })
    await vi.waitFor(() => expect(calls).toEqual(['first']), within)
    await first.close()
    client.send = () => new Promise(() => {})
    clock.ms += 10_000
    const second = open({ onLeaseExpired: ({ taskId }) => calls.push(taskId) })
    await vi.waitFor(() => expect(calls).toEqual(['first', 't']), within)
    await second.close()
  })
})
