// Proves that what attacks the way back is refused by default, in memory and by two processes, with a receipt that names why.
import { redisStore } from 'turnstream/redis'
import { logStore, memoryStore, type Stream } from 'turnstream/server'
import { sqlite, sqlStore } from 'turnstream/sql'
import { afterEach, describe, it } from 'vitest'
import { attacks, type World } from '../support/attacks.ts'
import { createRedisInMemory } from '../support/redis-in-memory.ts'
import { createSqlite, type SqliteFile, sqliteNames } from '../support/sqlite-databases.ts'
import { Stored, sharedLog } from './shared-log.ts'

const opened: Stream[] = []
const files: Promise<SqliteFile>[] = []
afterEach(async () => {
  for (const stream of opened.splice(0)) await stream.release()
  for (const file of files.splice(0)) (await file).end()
})

const worlds: Record<string, () => World> = {
  'in memory': () => {
    let store: ReturnType<typeof memoryStore> | undefined
    return async (options, more) => {
      store ??= memoryStore(options)
      return (await store.open('s', more)) as Stream
    }
  },
  'by two processes over a log with a state': () => {
    const log = sharedLog(new Stored())
    return async (options, more) =>
      (await logStore({ open: () => log, ...options }).open('s', more)) as Stream
  },
  'by two processes on Redis': () => {
    const redis = createRedisInMemory()
    return async (options, more) => {
      const client = Object.create(redis) as typeof redis
      return (await redisStore({ client, ...options }).open('s', more)) as Stream
    }
  },
  'by two processes on SQL': () => {
    const file = createSqlite(sqliteNames[0] ?? '')
    files.push(file)
    return async (options, more) => {
      const database = sqlite(await (await file).connect())
      const store = sqlStore({ database, ...options })
      await store.createTables()
      return (await store.open('s', more)) as Stream
    }
  },
}

describe.each(Object.keys(worlds))('%s', (name) => {
  it.each(attacks)('is refused: $name', async ({ run }) => {
    const fresh = worlds[name] as () => World
    let world = fresh()
    let count = 0
    await run(async (options, more) => {
      // A conversation has two processes.
      if (count > 0 && count % 2 === 0) world = fresh()
      count++
      const stream = await world(options, more)
      opened.push(stream)
      return stream
    })
  })
})
