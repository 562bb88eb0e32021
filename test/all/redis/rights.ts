/** What a user of Redis may not do, and clients that cannot subscribe. */
import { equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { createClient, createClientPool } from 'redis'
import type { ContextAnyEvent } from 'turnstream'
import { redisLog } from 'turnstream/redis'
import type { Lab } from '../lab.ts'
import { sentinelClients } from './clients.ts'
import { startRedis, startSentinel } from './server.ts'

/** As in docs/redis.md. */
const COMMANDS =
  'eval evalsha info time subscribe unsubscribe publish ssubscribe sunsubscribe spublish hset hget hmget hgetall hlen hdel set get del exists rename pexpire pttl xadd xlen xrange xtrim zadd zscore zrem zrangebyscore'

/** What only a cluster is asked for. */
const SHARDED = ['ssubscribe', 'spublish']
/** Whose lack shows when a reader leaves. */
const LATER = ['unsubscribe', 'sunsubscribe']

/** Takes one command after the other from a user: the message names it. */
export async function rights(lab: Lab): Promise<string> {
  const all = COMMANDS.split(' ')
  const single = all.filter((name) => ![...SHARDED, ...LATER].includes(name))
  await tryWithout(lab, false, all, single)
  await tryWithout(lab, true, all, SHARDED)
  return `${single.length + SHARDED.length} commands, with node-redis and ioredis`
}

async function tryWithout(
  lab: Lab,
  cluster: boolean,
  all: readonly string[],
  tried: readonly string[],
): Promise<void> {
  const { port, kill } = await startRedis(lab.temporary, { cluster })
  const admin = await createClient({ url: `redis://127.0.0.1:${port}` }).connect()
  try {
    for (const missing of [undefined, ...tried]) {
      const granted = all.map((name) => `${name === missing ? '-' : '+'}${name}`)
      const base = [
        'ACL',
        'SETUSER',
        'agents',
        'reset',
        'on',
        '>password',
        '~turnstream:*',
        '&turnstream:*',
        '+ping',
      ]
      await admin.sendCommand([...base, ...granted])
      await admin.sendCommand(['SCRIPT', 'FLUSH'])
      const login = { username: 'agents', password: 'password' }
      const plain = createClient({ url: `redis://127.0.0.1:${port}`, ...login })
      const other = new Redis(port, '127.0.0.1', { ...login, enableReadyCheck: false })
      for (const client of [await plain.on('error', () => {}).connect(), other.on('error', () => {})]) {
        const opened = await redisLog({ client, stream: 's' }).then(
          () => 'opened',
          ({ message }: Error) => message,
        )
        if (missing === undefined) equal(opened, 'opened')
        else match(opened, new RegExp(`^Redis refuses what stream "s" needs: .*${missing}`, 'i'))
      }
      plain.destroy()
      other.disconnect()
    }
  } finally {
    admin.destroy()
    await kill()
  }
}

/** Clients of a sentinel, and a pool. */
export async function sentinels(lab: Lab): Promise<string> {
  const { port, kill } = await startRedis(lab.temporary)
  const sentinel = await startSentinel(lab.temporary, port)
  const pool = createClientPool({ url: `redis://127.0.0.1:${port}` }).on('error', () => {})
  await pool.connect()
  const connecting = {
    ...sentinelClients,
    createClientPool: async (_port: number) => ({ client: pool, close: () => pool.destroy() }),
  }
  const seen: string[] = []
  try {
    for (const [name, connect] of Object.entries(connecting)) {
      const { client, close } = await connect(sentinel.port)
      const codes: string[] = []
      const stream = randomUUID()
      const log = await redisLog({ client, stream, onDiagnostic: ({ code }) => codes.push(code) })
      const { epoch } = await log.append(statusOf('working'))
      const waiting = log.read({ stream, epoch, seq: 0 }, { wait: true })
      await sleep(300)
      await log.append(statusOf('completed'))
      equal((await waiting).through, 1)
      equal(codes.join(), name.endsWith('ioredis') ? '' : 'polling')
      seen.push(`${name}: ${codes.join() || 'subscribes'}`)
      close()
    }
  } finally {
    sentinel.kill()
    await kill()
  }
  return seen.join(', ')
}

function statusOf(status: 'working' | 'completed'): ContextAnyEvent {
  return { kind: 'task-status', contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z', status }
}
