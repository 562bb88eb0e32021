/** A database whose disk is full. */
import { randomUUID } from 'node:crypto'
import { type SqlDatabase, sqlite, sqlLog } from 'turnstream/sql'
import type { EventLog } from 'turnstream/streams'
import { createSqlite, sqliteNames } from '../../support/sqlite-databases.ts'
import { fullAndAgain, onDisk, TIMEOUT_MS } from '../full.ts'
import { connectPostgres, createTables } from './databases.ts'
import { startPostgres } from './server.ts'

export async function full(): Promise<string> {
  const seen: string[] = []
  const opener = (database: SqlDatabase): (() => Promise<EventLog>) => {
    const stream = randomUUID()
    return () => sqlLog({ database, stream, timeoutMs: TIMEOUT_MS })
  }
  for (const name of sqliteNames) {
    const what = await onDisk(8, async (disk) => {
      const file = await createSqlite(name, disk.folder)
      try {
        const database = sqlite(await file.connect())
        await createTables(database)
        const makeFull = (): void => disk.fill(400_000)
        return await fullAndAgain(opener(database), { makeFull, makeRoom: disk.free })
      } finally {
        file.end()
      }
    })
    seen.push(`${name}: ${what}`)
  }
  const what = await onDisk(192, async (disk) => {
    const server = await startPostgres(disk.folder)
    const { database, end } = connectPostgres(server)
    try {
      await createTables(database)
      return await fullAndAgain(opener(database), {
        makeFull: () => disk.fill(0),
        async makeRoom() {
          disk.free()
          // It ends where it cannot write its log.
          await server.kill()
          await server.start()
        },
      })
    } finally {
      void end().catch(() => undefined)
      await server.kill()
    }
  })
  seen.push(`Postgres: ${what}`)
  return seen.join('; ')
}
