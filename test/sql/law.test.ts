// Proves that a log in a SQL database keeps the promises of an EventLog. `npm run test:all` repeats it on each database.
import { type SqlDatabase, type SqlEventLog, sqlite, sqlLog, sqlStore } from 'turnstream/sql'
import { eventLogLaws } from 'turnstream/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlLogOptions } from '../../src/sql/options.ts'
import {
  expectOneOrder,
  expectSameAsMemoryLog,
  expectToRefuse,
  expectToWake,
} from '../support/event-log-law.ts'
import { inFakeTime } from '../support/fake-time.ts'
import { expectNothingBehind, expectOrderOfCalls, givenUpBeforeDecision } from '../support/overlapping-law.ts'
import { runs } from '../support/runs.ts'
import { lossy, lossyWriters, orders, silent } from '../support/sql-faults.ts'
import { createSqlite, type SqliteFile, sqliteNames } from '../support/sqlite-databases.ts'

describe.each(sqliteNames)('a log in %s', (name) => {
  let file: SqliteFile
  const databases: SqlDatabase[] = []
  const clock = { ms: 0 }
  let opened = 0
  // In two processes.
  const open = (stream: string, options: Partial<SqlLogOptions> = {}): Promise<SqlEventLog> =>
    sqlLog({ database: databases[opened++ % 2] as SqlDatabase, now: () => clock.ms, stream, ...options })

  beforeAll(async () => {
    file = await createSqlite(name)
    const client = await file.connect()
    for (const each of [client, client, client]) databases.push(sqlite(each))
    // It takes over what has expired by the clock of the database.
    const store = sqlStore({ database: databases[0] as SqlDatabase })
    await store.createTables()
    await store.close()
  })
  afterAll(() => file.end())

  it.each(eventLogLaws.map((law) => [law.name, law] as const))('obeys the law: %s', async (_, law) => {
    await law.run((stream) => open(stream), {
      expireLeases: () => {
        clock.ms += 20_000
      },
      openSilent: async (stream) => {
        const { database, silence } = silent(databases[2] as SqlDatabase)
        const log = await open(stream, { database, timeoutMs: 100 })
        silence()
        return log
      },
      openUnreliable: (stream) =>
        open(stream, { database: lossy(databases[2] as SqlDatabase), timeoutMs: 60 }),
      onSkipped: (skipped) => expect(skipped).toBe('none'),
    })
  })
  it('has the same results as a log in memory', () => expectSameAsMemoryLog(open, runs(30)))
  it('refuses what is not an event', () => expectToRefuse(open, runs(100)))
  it('wakes readers', () => expectToWake(open))
  it('gives all writers one order', () => expectOneOrder(open, 8))
  describe('a writer whose requests are lost or late', () => {
    const timeoutMs = 40
    const writer = (what: 'log' | 'stream') => lossyWriters(databases[2] as SqlDatabase, { timeoutMs })[what]

    it.each(['log', 'stream'] as const)('keeps the order of calls that overlap, in a %s', (what) =>
      inFakeTime(() => expectOrderOfCalls(orders, writer(what), { timeoutMs, numRuns: runs(100) })),
    )
    it('stores nothing that was given up behind what was appended after it', () =>
      inFakeTime(() =>
        expectNothingBehind(orders, writer('stream'), {
          numRuns: runs(100),
          examples: [[[2, 2, 7, 7, 7, 7, 2, 2], givenUpBeforeDecision]],
        }),
      ))
  })
})
