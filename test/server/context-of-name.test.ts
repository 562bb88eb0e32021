// Proves that a stream whose name states a conversation takes it for commands that name none.
import { createCommand } from 'turnstream/commands'
import { redisStore } from 'turnstream/redis'
import { type AgentInput, logStore, memoryStore, type Store } from 'turnstream/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { StoreOptions } from '../../src/server/store.ts'
import { inFakeTime } from '../support/fake-time.ts'
import { createRedisInMemory } from '../support/redis-in-memory.ts'
import { Stored, sharedLog } from './shared-log.ts'

const ann = { role: 'user', id: 'ann' } as const
const name = { owner: 'ann', contextId: 'm3' }
const within = { timeout: 30_000, interval: 10 }

const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close().catch(() => undefined)
})

const kinds: Record<string, (options: StoreOptions) => Store> = {
  memory: ({ onLeaseExpired: _, leaseMs: __, ...options }) => memoryStore(options),
  log: (options) => {
    const stored = new Stored()
    return logStore({ open: () => sharedLog(stored), ...options })
  },
  redis: (options) => redisStore({ client: createRedisInMemory(), ...options }),
}

describe.each(Object.keys(kinds))('a command without contextId in a %s stream named by a pair', (kind) => {
  async function opened() {
    const store = (kinds[kind] as (typeof kinds)[string])({})
    stores.push(store)
    const taken: AgentInput[] = []
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const onInput = async (_: unknown, input: AgentInput): Promise<void> => {
      taken.push(input)
      await ended
    }
    return { stream: await store.open(name, { onInput }), taken, end }
  }

  it('is of that conversation: what waits is shown, and can be canceled', () =>
    inFakeTime(async () => {
      const { stream, taken, end } = await opened()
      await stream.submit(createCommand({ kind: 'task.send', input: 'One' }), ann)
      const second = createCommand({ kind: 'task.send', input: 'Two' })
      const { results } = await stream.submit(second, ann)
      const taskId = results[0]?.taskId as string
      const shown = async (): Promise<unknown> =>
        (await stream.view('all')).tasks.map((task) => [task.contextId, task.taskId, task.status])
      await vi.waitFor(async () => expect(await shown()).toEqual([['m3', taskId, 'submitted']]), within)
      expect((await stream.submit(second, ann)).status).toBe('repeated')
      const canceled = await stream.submit(createCommand({ kind: 'task.cancel', taskId }), ann)
      expect(canceled.status).toBe('accepted')
      await vi.waitFor(async () => expect(await shown()).toEqual([['m3', taskId, 'canceled']]), within)
      end()
      expect(taken.map(({ input, contextId }) => [input, contextId])).toEqual([['One', 'm3']])
    }))

  it('is refused as busy where new input is not queued', async () => {
    const store = (kinds[kind] as (typeof kinds)[string])({})
    stores.push(store)
    const stream = await store.open(name, { onInput: () => new Promise(() => {}), whileRunning: 'refuse' })
    await stream.submit(createCommand({ kind: 'task.send', input: 'One' }), ann)
    const receipt = await stream.submit(createCommand({ kind: 'task.send', input: 'Two' }), ann)
    expect(receipt.status).toBe('busy')
  })
})
