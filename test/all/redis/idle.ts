/** What readers cost that wait: nothing is asked of Redis, but that it is alive. */
import { ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { redisStore } from 'turnstream/redis'
import type { Lab } from '../lab.ts'
import { clients } from './clients.ts'
import { startRedis } from './server.ts'

const STREAMS = 2000
const READERS = 3
const SECONDS = 20
/** What is run within scripts is counted, and so is the count itself. */
const MOST = 100

export async function idle({ temporary }: Lab): Promise<string> {
  const seen: string[] = []
  for (const [name, connect] of Object.entries(clients)) {
    const server = await startRedis(temporary)
    const { client, close } = await connect(server.port)
    const stop = new AbortController()
    const store = redisStore({ client, mayAccess: () => true })
    try {
      let ended = 0
      const read = async (body: ReadableStream<Uint8Array> | null): Promise<void> => {
        const reader = body?.getReader()
        while ((await reader?.read())?.done === false);
        ended++
      }
      for (let n = 0; n < STREAMS; n++) {
        const stream = await store.open(`s-${n}`)
        for (let reader = 0; reader < READERS; reader++)
          void read(stream.respond(null, { signal: stop.signal }).body)
      }
      const commands = (): number =>
        Number(/total_commands_processed:(\d+)/.exec(server.send('INFO', 'stats'))?.[1])
      const during = async (seconds: number): Promise<number> => {
        const before = commands()
        await sleep(seconds * 1000)
        return commands() - before
      }
      // The leases of what was opened expire once, with pauses between them.
      for (let tries = 0; (await during(SECONDS)) > MOST; tries++)
        ok(tries < 15, `${name}: not idle after 5 minutes`)
      const count = await during(SECONDS)
      ok(count <= MOST, `${name}: ${count} commands in ${SECONDS} s`)
      ok(ended === 0, `${name}: ${ended} readers ended`)
      seen.push(`${name}: ${count} commands in ${SECONDS} s`)
    } finally {
      stop.abort()
      await store.close()
      close()
      await server.kill()
    }
  }
  return `${STREAMS} streams with ${READERS} readers each, ${seen.join(', ')}`
}
