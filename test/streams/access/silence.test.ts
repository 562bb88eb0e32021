// Proves that hidden events are not to be noticed: neither in what a viewer gets, nor in when.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { redisLog } from 'turnstream/redis'
import { createStream, type Viewer } from 'turnstream/streams'
import { afterEach, describe, it, vi } from 'vitest'
import { expectSilence, type Step, silentSteps } from '../../support/hidden-events.ts'
import { createRedisInMemory } from '../../support/redis-in-memory.ts'
import { runs } from '../../support/runs.ts'

const viewer = fc.constantFrom<Viewer>(
  { audience: 'user' },
  { audience: 'user', subtasks: 'all' },
  { audience: 'observer' },
  { audience: 'coordinator' },
)
const every = fc.integer({ min: 1, max: 7 })
/** Each snapshot is a new one. */
const clock = (): (() => number) => {
  let now = 0
  return () => (now += 2000)
}
const turn = (): Promise<unknown> => new Promise(setImmediate)

/** A text that hidden events interrupt: a snapshot for operators has it in pieces. */
const interrupted = [
  { kind: 'task-created', initiator: 'agent' },
  { kind: 'content-delta', delta: '', index: 0 },
  { kind: 'content-delta', delta: '', index: 1 },
  { kind: 'content-complete', content: '' },
].map((fields): Step => {
  const base = { contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-01-31T10:30:00.000Z' }
  const label = { metadata: { audience: ['operator'] } }
  return {
    before: [{ kind: 'custom', ...base, name: 'acme.secret', data: 1, ...label } as ContextAnyEvent],
    event: { ...base, ...fields } as ContextAnyEvent,
    after: [],
  }
})
afterEach(() => vi.useRealTimers())

const examples: [Step[], Viewer, number][] = [[interrupted, { audience: 'user' }, 1]]

describe('hidden events are not to be noticed', () => {
  it('in a stream in memory', async () => {
    await fc.assert(
      fc.asyncProperty(silentSteps, viewer, every, async (steps, viewer, every) => {
        const open = (stream: string) => createStream({ stream, epoch: 'e', now: clock() }).log
        await expectSilence(open, steps, viewer, { every, quiet: turn })
      }),
      { numRuns: runs(200), examples },
    )
  })

  it('in a stream with heartbeats', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const quiet = async (): Promise<void> => {
      await turn()
      vi.advanceTimersByTime(7)
      await turn()
    }
    await fc.assert(
      fc.asyncProperty(silentSteps, viewer, every, async (steps, viewer, every) => {
        const open = (stream: string) => createStream({ stream, epoch: 'e', now: clock() }).log
        await expectSilence(open, steps, viewer, { every, quiet, heartbeatMs: 10 })
      }),
      { numRuns: runs(200), examples },
    )
  })

  it('in a stream in Redis', async () => {
    await fc.assert(
      fc.asyncProperty(silentSteps, viewer, every, async (steps, viewer, every) => {
        const client = createRedisInMemory()
        const open = (stream: string) => redisLog({ client, stream })
        // Between two reads, who follows a log waits for a timer of the shortest time: that passes slower than turns do.
        const quiet = async (): Promise<void> => {
          for (let i = 0; i < 60; i++) await (i % 20 === 0 ? sleep(3) : turn())
        }
        await expectSilence(open, steps, viewer, { every, quiet })
      }),
      { numRuns: runs(15, 100), examples },
    )
  }, 120_000)
})
