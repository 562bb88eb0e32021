// Measures many concurrent streams in one process, in memory or in Redis: what docs/scale.md shows.
//
//     npm run bench:scale -- [memory|redis] [streams] [seconds]
//
// Each stream has an emitter and one reader in the same process, and gets one event a second in memory, one in ten
// seconds in Redis.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

const built = (path: string): string => new URL(`../dist/${path}/index.js`, import.meta.url).href
const { createEmitter } = (await import(built('.'))) as typeof import('turnstream')
const { createStream } = (await import(built('streams'))) as typeof import('turnstream/streams')
const { redisLog } = (await import(built('redis'))) as typeof import('turnstream/redis')
type Stream = ReturnType<typeof createStream>

interface Row {
  readonly stream: Stream
  readonly emitter: ReturnType<typeof createEmitter>
  /** When the event that the reader waits for was appended. 0: it waits for none. */
  sentAt: number
}

interface Store {
  open(n: number): Promise<Stream>
  /** Bytes and CPU seconds of the store itself. */
  usage(): Promise<{ readonly bytes: number; readonly seconds: number }>
  readonly periodMs: number
  close(): void
}

const inMemory: Store = {
  open: async (n) => createStream({ stream: `task/${n}`, epoch: 'epoch-1' }),
  usage: async () => ({ bytes: 0, seconds: 0 }),
  periodMs: 1000,
  close() {},
}

async function inRedis(): Promise<Store> {
  const port = await freePort()
  const dir = mkdtempSync(join(tmpdir(), 'scale-'))
  const server: ChildProcess = spawn('redis-server', ['--port', `${port}`, '--save', '', '--dir', dir], {
    stdio: 'ignore',
  })
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 50 })
  client.on('error', () => {})
  await new Promise((resolve) => client.once('ready', resolve))
  const number = async (section: string, name: RegExp): Promise<number> =>
    Number(name.exec(await client.info(section))?.[1])
  return {
    open: async (n) => createStream({ log: await redisLog({ client, stream: `task/${n}` }) }),
    usage: async () => ({
      bytes: await number('memory', /used_memory:(\d+)/),
      seconds:
        (await number('cpu', /used_cpu_sys:([\d.]+)/)) + (await number('cpu', /used_cpu_user:([\d.]+)/)),
    }),
    periodMs: 10_000,
    close() {
      client.disconnect()
      server.kill()
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

const [kind = 'memory', streams = '10000', seconds = '15'] = process.argv.slice(2)
const [count, duration] = [Number(streams), Number(seconds) * 1000]
if (globalThis.gc === undefined) throw new Error('Run it with --expose-gc.')
const store = kind === 'redis' ? await inRedis() : inMemory

const kib = (bytes: number): string => `${(bytes / count / 1024).toFixed(1)} KiB`
const heap = async (): Promise<number> => {
  for (let i = 0; i < 3; i++) {
    await sleep(10)
    globalThis.gc?.()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const delays: number[] = []
const rows: Row[] = []

async function open(n: number): Promise<void> {
  const stream = await store.open(n)
  const emitter = createEmitter({ contextId: 'ctx-1', taskId: `task-${n}` })
  const row: Row = { stream, emitter, sentAt: 0 }
  rows.push(row)
  await stream.append(emitter.emit({ kind: 'task-created', initiator: 'user' }))
  void read(row)
}

async function read(row: Row): Promise<void> {
  const reader = row.stream.respond(null, { viewer: { audience: 'user' } }).body?.getReader()
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    if (row.sentAt === 0) continue
    delays.push(performance.now() - row.sentAt)
    row.sentAt = 0
  }
}

const [heapBefore, before] = [await heap(), await store.usage()]
for (let n = 0; n < count; n += 200) {
  await Promise.all(Array.from({ length: Math.min(200, count - n) }, (_, i) => open(n + i)))
}
await sleep(1000)
const [heapIdle, idle] = [await heap(), await store.usage()]
const rss = process.memoryUsage().rss / 2 ** 20
console.log(
  `idle, each of ${count}: heap ${kib(heapIdle - heapBefore)}, store ${kib(idle.bytes - before.bytes)}`,
)
console.log(`idle, process: ${rss.toFixed(0)} MiB resident`)

const slot = 10
const perSlot = Math.max(1, Math.round((count * slot) / store.periodMs))
const cpu = process.cpuUsage()
const start = performance.now()
let sent = 0
for (let due = start; due < start + duration; due += slot) {
  await sleep(Math.max(0, due - performance.now()))
  for (let i = 0; i < perSlot; i++) {
    const row = rows[sent++ % rows.length] as Row
    row.sentAt = performance.now()
    void row.stream.append(row.emitter.emit({ kind: 'content-delta', delta: 'four words of text ' }))
  }
}
await sleep(500)
const { user, system } = process.cpuUsage(cpu)
const elapsed = (performance.now() - start) / 1000
const busy = await store.usage()
delays.sort((a, b) => a - b)
const quantile = (q: number): string => `${(delays[Math.floor(delays.length * q)] ?? 0).toFixed(1)} ms`
console.log(`events: ${sent} sent, ${delays.length} received, ${(sent / elapsed).toFixed(0)} a second`)
console.log(
  `CPU an event: process ${((user + system) / sent).toFixed(1)} µs, store ${(((busy.seconds - idle.seconds) * 1e6) / sent).toFixed(0)} µs`,
)
console.log(`CPU of the process: ${((user + system) / 1e4 / elapsed).toFixed(0)} % of a core`)
console.log(`append to reader: p50 ${quantile(0.5)}, p99 ${quantile(0.99)}`)
store.close()
process.exit()
