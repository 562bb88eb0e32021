// Proves that hidden events are not to be noticed: neither in what a viewer gets, nor in when.
import fc from 'fast-check'
import { redisLog } from 'turnstream/redis'
import { createStream, type Viewer } from 'turnstream/streams'
import { describe, it } from 'vitest'
import { expectSilence, silentSteps } from '../../support/hidden-events.ts'
import { createRedisInMemory } from '../../support/redis-in-memory.ts'
import { runs } from '../../support/runs.ts'

const viewer = fc.constantFrom<Viewer>(
  { audience: 'user' },
  { audience: 'user', subtasks: 'all' },
  { audience: 'observer' },
  { audience: 'coordinator' },
)
const every = fc.integer({ min: 1, max: 7 })
const turn = (): Promise<unknown> => new Promise(setImmediate)

describe('hidden events are not to be noticed', () => {
  it('in a stream in memory', async () => {
    await fc.assert(
      fc.asyncProperty(silentSteps, viewer, every, async (steps, viewer, every) => {
        const open = (stream: string) => createStream({ stream, epoch: 'e', now: () => 0 }).log
        await expectSilence(open, steps, viewer, { every, quiet: turn })
      }),
      { numRuns: runs(200) },
    )
  }, 60_000)

  it('in a stream in Redis', async () => {
    await fc.assert(
      fc.asyncProperty(silentSteps, viewer, every, async (steps, viewer, every) => {
        const client = createRedisInMemory()
        const open = (stream: string) => redisLog({ client, stream })
        const quiet = async (): Promise<void> => {
          for (let i = 0; i < 20; i++) await turn()
        }
        await expectSilence(open, steps, viewer, { every, quiet })
      }),
      { numRuns: runs(15) },
    )
  }, 120_000)
})
