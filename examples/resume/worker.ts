/** A process with the agent: it begins the task, and waits. */
import { createClient } from 'redis'
import { createCommand } from 'turnstream/commands'
import { redisStore } from 'turnstream/redis'
import { openConversation } from './agent.ts'

const [url = '', owner = '', leaseMs = ''] = process.argv.slice(2)
const client = await createClient({ url }).connect()
const stream = await openConversation(redisStore({ client, leaseMs: Number(leaseMs) }), owner)
await stream.submit(createCommand({ kind: 'task.send', contextId: 'main', input: 'Deploy it.' }), {
  role: 'user',
  id: owner,
})
