/** The laws of logs on each database. */
import { randomUUID } from 'node:crypto'
import { type SqlDatabase, type SqlEventLog, sqlLog } from 'turnstream/sql'
import { eventLogLaws } from 'turnstream/testing'
import type { SqlLogOptions } from '../../../src/sql/options.ts'
import { expectOneOrder, expectSameAsMemoryLog, expectToWake } from '../../support/event-log-law.ts'
import { expectNewcomersOfWhole, expectPagesOfWhole } from '../../support/newest-law.ts'
import { expectNothingBehind, expectOrderOfCalls } from '../../support/overlapping-law.ts'
import { runs } from '../../support/runs.ts'
import { lossy, lossyWriters, orders, silent } from '../../support/sql-faults.ts'
import {
  type Connected,
  connectPglite,
  connectPostgres,
  createTables,
  withoutFunctions,
} from './databases.ts'
import { startPostgres } from './server.ts'

/** Tests logs of three connections. Resolves to how many laws were tested. */
export async function testLaws(databases: readonly SqlDatabase[], numRuns: number): Promise<number> {
  const [prefix, clock] = [randomUUID(), { ms: 0 }]
  let opened = 0
  const open = (stream: string, options: Partial<SqlLogOptions> = {}): Promise<SqlEventLog> =>
    sqlLog({
      database: databases[opened++ % databases.length] as SqlDatabase,
      now: () => clock.ms,
      stream,
      ...options,
    })
  const [last] = databases.slice(-1) as [SqlDatabase]
  const skipped: string[] = []
  for (const law of eventLogLaws) {
    await law.run((stream) => open(stream), {
      ...{ prefix, timeoutMs: 20_000, onSkipped: (name) => skipped.push(name) },
      expireLeases: () => {
        clock.ms += 20_000
      },
      openSilent: async (stream) => {
        const { database, silence } = silent(last)
        const log = await open(stream, { database, timeoutMs: 1000 })
        silence()
        return log
      },
      openUnreliable: (stream) => open(stream, { database: lossy(last), timeoutMs: 200 }),
    })
  }
  await expectSameAsMemoryLog(open, numRuns)
  const openNew = (): Promise<SqlEventLog> => open(`${prefix}-${opened}`)
  await expectPagesOfWhole(openNew, numRuns)
  await expectNewcomersOfWhole(openNew, numRuns)
  await expectToWake(open)
  await expectOneOrder(open, 8)
  // Many of their writes hang.
  const few = { timeoutMs: 150, numRuns: runs(30, 3) }
  for (const writer of Object.values(lossyWriters(last, { timeoutMs: few.timeoutMs }))) {
    await expectOrderOfCalls(orders, writer, few)
    await expectNothingBehind(orders, writer, few)
  }
  return eventLogLaws.length - skipped.length
}

export async function postgresLaws(): Promise<string> {
  const server = await startPostgres()
  const seen: string[] = []
  try {
    for (const how of ['functions', 'lists', 'no listening']) {
      const connected = Array.from({ length: 3 }, () =>
        connectPostgres(server, { listen: how !== 'no listening' }),
      )
      const databases = connected.map(({ database }) =>
        how === 'lists' ? withoutFunctions(database) : database,
      )
      await createTables(databases[0] as SqlDatabase)
      seen.push(`${await testLaws(databases, runs(60))} laws with ${how}`)
      for (const { end } of connected) void end()
    }
  } finally {
    await server.kill()
  }
  return seen.join(', ')
}

export async function pgliteLaws(): Promise<string> {
  const { database, end }: Connected = await connectPglite()
  await createTables(database)
  // It has one process.
  const count = await testLaws([database, { ...database }, { ...database }], runs(20))
  void end()
  return `${count} laws`
}
