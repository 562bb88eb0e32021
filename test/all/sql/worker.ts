/** A process of the steps: it writes to a stream, or reads it, and reports on lines of JSON. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContextAnyEvent } from 'turnstream'
import { type SqlDatabase, sqlite, sqlLog, sqlStore } from 'turnstream/sql'
import { follow } from 'turnstream/streams'
import type { SqliteClient } from '../../../src/sql/drivers/sqlite.ts'
import { connectPostgres, createTables, withoutFunctions } from './databases.ts'

/** What a process is to do. */
export interface WorkerOptions {
  /** A file of SQLite, or the port of Postgres. */
  readonly at: string | number
  readonly role: 'create' | 'write' | 'read' | 'cost' | 'idle'
  readonly stream: string
  readonly id: string
  /** How many events it writes or reads. */
  readonly count: number
  readonly leaseMs: number
  /** Whether it takes over what has expired. */
  readonly takesOver?: boolean
}

/** What a process reports of an event: its text or status, and its position. */
export interface Seen {
  readonly text: string
  readonly seq: number
}

const options = JSON.parse(process.argv[2] ?? '{}') as WorkerOptions
const { stream, id, count, leaseMs } = options

async function connect(): Promise<SqlDatabase> {
  if (typeof options.at === 'number') return connectPostgres({ port: options.at, user: 'postgres' }).database
  const { DatabaseSync } = (await import('node:sqlite' as string)) as {
    DatabaseSync: new (path: string) => SqliteClient
  }
  for (;;) {
    try {
      return sqlite(new DatabaseSync(options.at))
    } catch {
      // Another process changes the mode of the file.
      await sleep(20)
    }
  }
}

const report = (value: unknown): boolean => process.stdout.write(`${JSON.stringify(value)}\n`)
const base = { contextId: 'ctx', taskId: id, timestamp: '2026-01-01T00:00:00Z' }
const deltaOf = (index: number): ContextAnyEvent => ({
  ...{ kind: 'content-delta', ...base, delta: `${id}#${index}`, index },
})
const textOf = (event: ContextAnyEvent): string =>
  'delta' in event && typeof event.delta === 'string'
    ? event.delta
    : 'status' in event
      ? `${event.taskId} ${String(event.status)}`
      : `${event.taskId} ${event.kind}`

async function write(database: SqlDatabase): Promise<void> {
  const log = await sqlLog({ database, stream, leaseMs })
  let waiting: Promise<unknown>[] = []
  for (let index = 0; index < count; index++) {
    const text = `${id}#${index}`
    waiting.push(log.append(deltaOf(index)).then(({ seq }) => report({ text, seq })))
    if (index % 7 < 3) await Promise.all(waiting)
    if (index % 7 < 3) waiting = []
  }
  await Promise.all(waiting)
}

async function read(database: SqlDatabase): Promise<void> {
  if (options.takesOver === true) sqlStore({ database, leaseMs })
  const log = await sqlLog({ database, stream, leaseMs })
  let seen = 0
  for await (const part of follow(log)) {
    if (part.type === 'reset') throw new Error(`Expected no reset, got ${part.reason}.`)
    for (const [n, event] of part.events.entries()) report({ text: textOf(event), seq: part.seqs[n] })
    seen += part.events.length
    if (seen >= count) return
  }
}

/** What appends cost, one by one and in one go, in microseconds. */
async function cost(database: SqlDatabase): Promise<void> {
  const ways =
    database.dialect === 'postgres'
      ? { functions: database, lists: withoutFunctions(database) }
      : { list: database }
  for (const [way, each] of Object.entries(ways)) {
    const log = await sqlLog({ database: each, stream: `${stream}/${way}`, leaseMs })
    for (let n = 0; n < 100; n++) await log.append(deltaOf(n))
    const times: number[] = []
    for (let n = 100; n < count + 100; n++) {
      const start = performance.now()
      await log.append(deltaOf(n))
      times.push((performance.now() - start) * 1000)
    }
    const start = performance.now()
    await Promise.all(Array.from({ length: 4000 }, (_, n) => log.append(deltaOf(n))))
    const burst = ((performance.now() - start) * 1000) / 4000
    times.sort((a, b) => a - b)
    const at = (share: number): number => Math.round(times[Math.floor(times.length * share)] ?? 0)
    const mean = Math.round(times.reduce((sum, time) => sum + time, 0) / times.length)
    report({ way, mean, p50: at(0.5), p99: at(0.99), burst: Math.round(burst * 10) / 10 })
  }
}

/** How many statements readers cause that wait for 20 seconds. */
async function idle(database: SqlDatabase): Promise<void> {
  let statements = 0
  const counted: SqlDatabase = {
    ...database,
    run(list, how) {
      statements += list.length
      return database.run(list, how)
    },
  }
  sqlStore({ database: counted })
  const logs = []
  for (let n = 0; n < count; n++) logs.push(await sqlLog({ database: counted, stream: `${stream}/${n}` }))
  for (const log of logs) void log.read(undefined, { wait: true })
  await sleep(3000)
  let slowest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    slowest = Math.max(slowest, performance.now() - last - 5)
    last = performance.now()
  }, 5)
  statements = 0
  await sleep(20_000)
  clearInterval(timer)
  report({ statements, slowest: Math.round(slowest) })
}

/** Ends the process once all it has reported is written: it waits for nobody. */
const exit = (code: number): unknown => process.stdout.write('', () => process.exit(code))

const roles = { create: createTables, write, read, cost, idle }
roles[options.role](await connect()).then(
  () => exit(0),
  (error: unknown) => {
    report({ text: `failed: ${String(error)}`, seq: -1 })
    exit(1)
  },
)
