// Proves that a page of the newest tasks costs these, and is that of the whole stream.
import type { ContextAnyEvent } from 'turnstream'
import { sqlite, sqlLog, sqlStore } from 'turnstream/sql'
import { type EventLog, readFilter } from 'turnstream/streams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlDatabase } from '../../src/sql/database.ts'
import type { TaskLog } from '../../src/streams/serve/newest-page.ts'
import { turn } from '../streams/view/turns.ts'
import {
  expectAsNewcomer,
  expectNewcomersOfWhole,
  expectPagesOfWhole,
  hide,
  type Loose,
} from '../support/newest-law.ts'
import { runs } from '../support/runs.ts'
import { createSqlite, type SqliteFile, sqliteNames } from '../support/sqlite-databases.ts'

describe.each(sqliteNames)('the newest tasks, in %s', (name) => {
  let file: SqliteFile
  let database: SqlDatabase
  let opened = 0

  beforeAll(async () => {
    file = await createSqlite(name)
    database = sqlite(await file.connect())
    const store = sqlStore({ database })
    await store.createTables()
    await store.close()
  })
  afterAll(() => file.end())

  const open = (): Promise<EventLog> => sqlLog({ database, stream: `s-${opened++}` })

  it('are a page of the history as the whole stream has it', () => expectPagesOfWhole(open, runs(200)))
  it('and what has not ended are what a newcomer gets of the whole stream', () =>
    expectNewcomersOfWhole(open, runs(200)))

  it.each([
    ['has not ended', readFilter(), { ends: false }, undefined],
    ['does not end for its reader', readFilter(), {}, hide],
    [
      'has no end that its reader wants',
      readFilter({ audience: 'user' }, { kinds: ['content-*'] }),
      {},
      undefined,
    ],
  ] as const)('have an old task with them that %s', async (_, filter, options, change) => {
    const end = turn('old').at(-1) as unknown as Loose
    const old = turn('old', { ends: false })
    if (!('ends' in options)) old.push((change?.(end) ?? end) as unknown as ContextAnyEvent)
    const between = Array.from(
      { length: 20 },
      (_, n) => ({ ...turn('t1')[1], contentId: `c${n}` }) as unknown as ContextAnyEvent,
    )
    const ended = Array.from({ length: 40 }, (_, n) => turn(`e${n}`)).flat()
    const large = [...turn('t1', { ends: false }), ...between, ...turn('t1').slice(-1)]
    const ids = await expectAsNewcomer(open, [...old, ...ended, ...large, ...turn('t2')], filter, 5000, 2)
    expect(ids.at(-1)).toBe('t2')
    expect(ids.length).toBeGreaterThan(1)
  })

  it('cost what they are, however long the stream is', async () => {
    const stream = 'long'
    const log = await sqlLog({ database, stream })
    const turns = Array.from({ length: 60 }, (_, n) => turn(`t${n}`, { subtask: true }))
    await Promise.all(turns.flat().map((event) => log.append(event)))
    await log.close()
    let rows = 0
    const counted: SqlDatabase = {
      ...database,
      async run(statements, options) {
        const results = await database.run(statements, options)
        rows += results.flat().length
        return results
      },
    }
    const own = (await sqlLog({ database: counted, stream })) as EventLog as TaskLog
    const page = await own.newestPage(readFilter(), { limit: 2 })
    expect(page?.page.older).toBe('t58')
    expect(rows).toBeLessThan(150)
  })
})
