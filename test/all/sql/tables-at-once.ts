/** Processes that start together, each of which creates the tables. */
import { deepEqual } from 'node:assert/strict'
import { type SqlStore, sqlStore } from 'turnstream/sql'
import { connectPostgres } from './databases.ts'
import { startPostgres } from './server.ts'

const AT_ONCE = 12
const TIMES = 5

export async function tablesAtOnce(): Promise<string> {
  const server = await startPostgres()
  const connections = Array.from({ length: AT_ONCE }, () => connectPostgres(server))
  const stores: SqlStore[] = connections.map(({ database }) => sqlStore({ database }))
  try {
    const failed: unknown[] = []
    for (let time = 0; time < TIMES; time++) {
      const created = await Promise.allSettled(stores.map((store) => store.createTables()))
      for (const each of created) if (each.status === 'rejected') failed.push(String(each.reason))
    }
    deepEqual(failed, [])
    return `${AT_ONCE} stores, ${TIMES} times`
  } finally {
    for (const store of stores) await store.close()
    await Promise.all(connections.map(({ end }) => end()))
    await server.kill()
  }
}
