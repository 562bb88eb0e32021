/** Logs in Redis, on real servers and with real clients. */

import { randomUUID } from 'node:crypto'
import { redisLog } from 'turnstream/redis'
import type { EventLog } from 'turnstream/streams'
import { eventLogLaw } from 'turnstream/testing'
import { expectOneOrder, expectSameAsMemoryLog, expectToWake } from '../../support/event-log-law.ts'
import { expectNothingBehind, expectOrderOfCalls } from '../../support/overlapping-law.ts'
import { dice, unreliableWriters } from '../../support/redis-faults.ts'
import { runs } from '../../support/runs.ts'
import type { Lab } from '../lab.ts'
import type { Step } from '../step.ts'
import { attacked } from './attacked.ts'
import { clients, clusterClients } from './clients.ts'
import { full } from './full.ts'
import { idle } from './idle.ts'
import { resharded } from './resharded.ts'
import { resumed } from './resumed.ts'
import { rights, sentinels } from './rights.ts'
import { startRedis } from './server.ts'
import { blackHoles, stopped } from './stopped.ts'
import { torture } from './torture.ts'
import { traffic } from './traffic.ts'

/** How long the torture run takes: the number of seconds in `REDIS_TORTURE_SECONDS`, or four minutes. */
const SECONDS = Number(process.env.REDIS_TORTURE_SECONDS ?? 240)

/** The deadline of a writer whose requests are lost. */
const TIMEOUT_MS = 60

export const redisSteps: readonly Step[] = [
  { name: 'redis: a log keeps the promises of an EventLog with each client', run: (lab) => laws(lab, false) },
  { name: 'redis: the same in a cluster', run: (lab) => laws(lab, true) },
  { name: 'redis: a right that its user lacks is named', run: rights },
  { name: 'redis: clients of a sentinel, and a pool', run: sentinels },
  { name: 'redis: every call ends by its deadline if Redis is stopped or killed', run: stopped },
  { name: 'redis: every call ends by its deadline if its port is a black hole', run: blackHoles },
  {
    name: 'redis: a memory or a disk that is full is named, and what is appended again is stored once',
    run: full,
  },
  { name: 'redis: attacks on the way back are refused with each client', run: attacked },
  {
    name: 'redis: readers get everything once while their slot moves and replicas take over',
    run: resharded,
  },
  { name: 'redis: readers that wait cost nothing', run: idle },
  { name: 'redis: an event of a cluster is announced by its node alone', run: traffic },
  { name: 'redis: a task that waits goes on after kill -9 when it is answered', run: resumed },
  {
    name: 'redis: readers resume or get a reset, whatever dies',
    run: ({ root, temporary }) => torture(root, temporary, SECONDS),
  },
]

async function laws(lab: Lab, cluster: boolean): Promise<string> {
  const server = await startRedis(lab.temporary, { cluster })
  const numRuns = runs(200, 200)
  const tried = Object.entries(cluster ? clusterClients : clients)
  try {
    for (const [, connect] of tried) {
      // Two connections, as two processes have them.
      const connections = [await connect(server.port), await connect(server.port)] as const
      let opened = 0
      const open = (stream: string): Promise<EventLog> =>
        redisLog({ client: connections[opened++ % 2 === 0 ? 0 : 1].client, stream })
      await expectSameAsMemoryLog(open, numRuns)
      await eventLogLaw(open, { prefix: randomUUID() })
      await expectToWake(open)
      await expectOneOrder(open, 8)
      const writers = unreliableWriters(connections[0].client, { timeoutMs: TIMEOUT_MS })
      for (const writer of Object.values(writers)) {
        await expectOrderOfCalls(dice, writer, { timeoutMs: TIMEOUT_MS, numRuns: runs(100, 100) })
        await expectNothingBehind(dice, writer, { numRuns: runs(100, 100) })
      }
      for (const { close } of connections) close()
    }
  } finally {
    await server.kill()
  }
  return `${numRuns} ways of using it go as with the log in memory: ${tried.map(([name]) => name).join(', ')}`
}
