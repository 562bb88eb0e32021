/** A Redis whose memory, or whose disk, is full. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { redisLog } from 'turnstream/redis'
import { fullAndAgain, onDisk, TIMEOUT_MS } from '../full.ts'
import { clients } from './clients.ts'
import { startRedis } from './server.ts'

export const full = (): Promise<string> =>
  onDisk(24, async (disk) => {
    const server = await startRedis(disk.folder, { storage: 'aof' })
    const set = (name: string, value: string): void => {
      execFileSync('redis-cli', ['-p', `${server.port}`, 'CONFIG', 'SET', name, value], { stdio: 'ignore' })
    }
    const seen: string[] = []
    try {
      set('maxmemory-policy', 'noeviction')
      // Its copies of the file would need room of their own.
      set('auto-aof-rewrite-percentage', '0')
      for (const [name, connect] of Object.entries(clients)) {
        const { client, close } = await connect(server.port)
        const causes = {
          memory: {
            makeFull: () => set('maxmemory', '4mb'),
            makeRoom: () => set('maxmemory', '0'),
            code: 'refused',
          },
          disk: { makeFull: () => disk.fill(400_000), makeRoom: disk.free },
        }
        for (const [cause, change] of Object.entries(causes)) {
          const stream = randomUUID()
          const open = () => redisLog({ client, stream, timeoutMs: TIMEOUT_MS })
          seen.push(`${name}, ${cause}: ${await fullAndAgain(open, change)}`)
        }
        close()
      }
    } finally {
      await server.kill()
    }
    return seen.join('; ')
  })
