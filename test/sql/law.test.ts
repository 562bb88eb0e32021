// Proves that a log in a SQL database keeps the promises of an EventLog.
import { type SqlDatabase, type SqlEventLog, sqlite, sqlLog, sqlStore } from 'turnstream/sql'
import { eventLogLaw } from 'turnstream/streams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectOneOrder,
  expectSameAsMemoryLog,
  expectToRefuse,
  expectToWake,
} from '../support/event-log-law.ts'
import { runs } from '../support/runs.ts'
import { createSqlite, type SqliteFile, sqliteNames } from '../support/sqlite-databases.ts'

describe.each(sqliteNames)('a log in %s', (name) => {
  let file: SqliteFile
  const databases: SqlDatabase[] = []
  let opened = 0
  // In two processes.
  const open = (stream: string): Promise<SqlEventLog> =>
    sqlLog({ database: databases[opened++ % databases.length] as SqlDatabase, stream })

  beforeAll(async () => {
    file = await createSqlite(name)
    const client = await file.connect()
    for (const each of [client, client]) databases.push(sqlite(each))
    await sqlStore({ database: databases[0] as SqlDatabase }).createTables()
  })
  afterAll(() => file.end())

  it('obeys the law of event logs', () => eventLogLaw(open, { prefix: 'law' }))
  it('has the same results as a log in memory', () => expectSameAsMemoryLog(open, runs(30)))
  it('refuses what is not an event', () => expectToRefuse(open, runs(100)))
  it('wakes readers', () => expectToWake(open))
  it('gives all writers one order', () => expectOneOrder(open, 8))
  it('has a state', async () => expect((await (await open('x')).loadState()).version).toBe('0'))
})
