/** The attacks on the way back, by two connections to a real Redis. */
import { redisStore } from 'turnstream/redis'
import { refuseAttacks } from '../attacks.ts'
import type { Lab } from '../lab.ts'
import { clients } from './clients.ts'
import { startRedis } from './server.ts'

export async function attacked({ temporary }: Lab): Promise<string> {
  const server = await startRedis(temporary)
  let count = 0
  try {
    for (const connect of Object.values(clients)) {
      const connections = [await connect(server.port), await connect(server.port)] as const
      count = await refuseAttacks((process, options) => {
        const { client } = connections[process]
        return redisStore({ client, ...options })
      })
      for (const { close } of connections) close()
    }
  } finally {
    await server.kill()
  }
  return `${count} attacks by two connections were refused: ${Object.keys(clients).join(', ')}`
}
