/** The attacks on the way back, by two connections to a real Redis. */
import { randomUUID } from 'node:crypto'
import { redisStore } from 'turnstream/redis'
import type { Stream } from 'turnstream/server'
import { attacks } from '../../support/attacks.ts'
import type { Lab } from '../lab.ts'
import { clients } from './clients.ts'
import { startRedis } from './server.ts'

export async function attacked({ temporary }: Lab): Promise<string> {
  const server = await startRedis(temporary)
  const names = Object.keys(clients)
  try {
    for (const connect of Object.values(clients)) {
      const connections = [await connect(server.port), await connect(server.port)] as const
      for (const { name, run } of attacks) {
        const opened: Stream[] = []
        let stream = ''
        await run(async (options, more) => {
          // A conversation has two processes.
          if (opened.length % 2 === 0) stream = randomUUID()
          const { client } = connections[opened.length % 2 === 0 ? 0 : 1]
          opened.push((await redisStore({ client, ...options }).open(stream, more)) as Stream)
          return opened.at(-1) as Stream
        }).catch((error: unknown) => {
          throw new Error(`the attack was not refused: ${name}`, { cause: error })
        })
        for (const each of opened) await each.release()
      }
      for (const { close } of connections) close()
    }
  } finally {
    await server.kill()
  }
  return `${attacks.length} attacks by two connections were refused: ${names.join(', ')}`
}
