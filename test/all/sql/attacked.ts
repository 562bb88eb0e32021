/** The attacks on the way back, by two pools of a real Postgres: with functions, and by lists of statements. */
import { sqlStore } from 'turnstream/sql'
import { refuseAttacks } from '../attacks.ts'
import { connectPostgres, createTables, withoutFunctions } from './databases.ts'
import { startPostgres } from './server.ts'

export async function attacked(): Promise<string> {
  const server = await startPostgres()
  let count = 0
  try {
    const pools = [connectPostgres(server), connectPostgres(server)] as const
    await createTables(pools[0].database)
    for (const way of [(database: (typeof pools)[0]['database']) => database, withoutFunctions]) {
      count = await refuseAttacks((process, options) =>
        sqlStore({ database: way(pools[process].database), ...options }),
      )
    }
    for (const { end } of pools) await end()
  } finally {
    await server.kill()
  }
  return `${count} attacks by two pools were refused, with functions and without`
}
