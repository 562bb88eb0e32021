import { agentHandler } from 'turnstream/server'
import { type SqlDatabase, sqlStore } from 'turnstream/sql'

/** What is used of the storage of a Durable Object. */
export interface ObjectStorage {
  transactionSync<T>(run: () => T): T
  readonly sql: { exec(text: string, ...params: unknown[]): { toArray(): Record<string, unknown>[] } }
}

/** The handler of a Durable Object, which keeps conversations in its own SQLite. */
export function handlerOf(
  storage: ObjectStorage,
  options: Omit<Parameters<typeof agentHandler>[0], 'store'>,
): (request: Request) => Promise<Response> {
  const database: SqlDatabase = {
    dialect: 'sqlite',
    run: async (statements) =>
      storage.transactionSync(() =>
        // The parameters of SQLite are `?1`, `?2`, …
        statements.map(({ text, params }) =>
          storage.sql.exec(text.replace(/\$(?=\d)/g, '?'), ...params).toArray(),
        ),
      ),
  }
  const store = sqlStore({ database })
  const ready = store.createTables()
  const handler = agentHandler({ ...options, store })
  return async (request) => {
    await ready
    return handler(request)
  }
}
