/** The example with a store in SQLite, in a process that is killed. Arguments: the file, the port. */
import { agentHandler } from 'turnstream/server'
import { type SqliteClient, sqlite, sqlStore, tables } from 'turnstream/sql'
import { pageServer } from '../../../examples/agent/page-server.ts'
import { agent } from '../../../examples/agent/server.ts'
import { needsApproval, userOf } from '../../../examples/agent/shop.ts'

const [, , file = '', port] = process.argv
// Types of Node 20 have none.
const { DatabaseSync } = (await import('node:sqlite' as string)) as {
  DatabaseSync: new (path: string) => SqliteClient
}
const client = new DatabaseSync(file)
client.exec(tables('sqlite').join(';\n'))
const store = sqlStore({ database: sqlite(client), needsApproval, leaseMs: 1000 })
const server = await pageServer(agentHandler({ store, user: userOf, agent, onError: console.error }))
server.listen(Number(port), '127.0.0.1', () => console.log('ready'))
