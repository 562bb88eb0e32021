/**
 * A process is killed while its task waits for an approval. Another one goes on with the task when the user answers.
 *
 *     npx tsx examples/resume/main.ts redis://127.0.0.1:6379
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from 'redis'
import { createCommand } from 'turnstream/commands'
import { redisStore } from 'turnstream/redis'
import { openConversation } from './agent.ts'

const [url = 'redis://127.0.0.1:6379', leaseMs = '1000'] = process.argv.slice(2)
const owner = `user-${randomUUID()}`
const worker = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [url, owner, leaseMs])
const client = await createClient({ url }).connect()
const store = redisStore({ client, leaseMs: Number(leaseMs) })
const stream = await openConversation(store, owner)

const [request] = await until(async () => {
  const requests = await stream.requests()
  return requests.length > 0 ? requests : undefined
})
console.log(`Process ${worker.pid} asks: ${request?.prompt}`)
worker.kill('SIGKILL')
await once(worker, 'exit')
console.log(`Process ${worker.pid} is killed.`)
// Answered before or after the lease has expired: the task goes on either way.
if (process.argv[4] !== 'at-once') await sleep(Number(leaseMs) * 2)
const responses = [{ inputId: request?.id ?? '', value: true, outcome: 'answered' as const }]
const receipt = await stream.submit(createCommand({ kind: 'input.respond', responses }), {
  role: 'user',
  id: owner,
})
console.log(`The answer is ${receipt.status} by process ${process.pid}.`)
const text = await until(async () => {
  const [task] = (await stream.view()).tasks
  const texts = task?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return task?.status === 'completed' ? texts?.join('') : undefined
})
console.log(text)
await store.close()
client.destroy()

/** Asks again and again. */
async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    await sleep(20)
  }
}
