/** A Postgres that is stopped, connections that are lost, and a writer that is stopped within a transaction. */
import { equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContextAnyEvent } from 'turnstream'
import { type SqlDatabase, sqlLog } from 'turnstream/sql'
import { connectPostgres, createTables, withoutFunctions } from './databases.ts'
import { type PostgresServer, startPostgres } from './server.ts'

const TIMEOUT_MS = 2000
/** How much later than its deadline a call may end on a busy machine. */
const SLACK_MS = 3000

const eventOf = (index: number): ContextAnyEvent => ({
  ...{ kind: 'content-delta', contextId: 'ctx', taskId: 'task', timestamp: '2026-01-01T00:00:00Z' },
  ...{ delta: `<${index}>`, index },
})

export async function stopped(): Promise<string> {
  const server = await startPostgres()
  const { database, end } = connectPostgres(server)
  try {
    await createTables(database)
    const seen = [
      await otherServer(database),

      await stoppedServer(server, database),
      await lostConnections(server, database),
      await stoppedWriter(server),
    ]
    void end().catch(() => undefined)
    return seen.join('; ')
  } finally {
    server.resume()
    await server.kill()
  }
}

async function stoppedServer(server: PostgresServer, database: SqlDatabase): Promise<string> {
  const options = { database, timeoutMs: TIMEOUT_MS, leaseMs: 120_000, stream: randomUUID() }
  const [log, doomed] = [await sqlLog(options), await sqlLog({ ...options, stream: 'doomed' })]
  const { epoch, seq } = await log.append(eventOf(0))
  server.stop()
  const begin = Date.now()
  const events = Array.from({ length: 14 }, (_, n) => eventOf(n + 1))
  const calls: Promise<unknown>[] = [
    ...events.map((event) => log.append(event)),
    ...events.map((_, n) => doomed.read(undefined, { maxBytes: n + 1 })),
    ...[doomed.loadState(), doomed.expiredLeases(), doomed.close(), sqlLog({ ...options, stream: 'new' })],
    doomed.appendIf({ epoch, next: 0, version: '0' }, [], {}),
  ]
  const codes = await Promise.all(
    calls.map((call) =>
      call.then(
        () => 'a result',
        ({ code }) => String(code),
      ),
    ),
  )
  const ms = Date.now() - begin
  server.resume()
  equal(codes.filter((code) => code !== 'unavailable').join(), '')
  ok(ms < TIMEOUT_MS + SLACK_MS, `${ms} ms`)
  for (const event of events) await log.append(event)
  const { events: stored = [] } = await log.read({ stream: options.stream, epoch, seq })
  equal(
    stored.map((event) => Object(event).delta).join(''),
    events.map((event) => Object(event).delta).join(''),
  )
  return `${calls.length} calls ended after ${ms} ms, and the same events were stored once after it`
}

/** A server that was started again has lost nothing; one that was promoted or restored may have. */
async function otherServer(database: SqlDatabase): Promise<string> {
  const stream = randomUUID()
  const log = await sqlLog({ database, stream })
  const { epoch } = await log.append(eventOf(0))
  const set = async (column: string): Promise<void> => {
    const { signal } = new AbortController()
    await database.run(
      [{ text: `UPDATE turnstream_stream SET ${column} WHERE name = $1`, params: [stream] }],
      { signal },
    )
  }
  await set(`server = 'another run'`)
  equal((await log.append(eventOf(1))).epoch, epoch)
  equal((await log.read()).epoch, epoch)
  await set(`server = 'another', lineage = 'another'`)
  const part = await log.read({ stream, epoch, seq: 0 })
  equal(part.type === 'reset' && part.reason, 'epoch-changed')
  const at = await log.append(eventOf(2))
  equal(`${at.epoch} ${at.seq}`, `${part.epoch} 2`)
  await set(`server = 'a third', lineage = 'a third'`)
  ok((await log.append(eventOf(3))).epoch !== part.epoch, 'an append begins no epoch')
  return 'a new epoch begins where the history of the server is another'
}

async function lostConnections(server: PostgresServer, database: SqlDatabase): Promise<string> {
  const other = connectPostgres(server)
  const stream = randomUUID()
  const [reader, writer] = [
    await sqlLog({ database, stream }),
    await sqlLog({ database: other.database, stream }),
  ]
  const { epoch, seq } = await writer.append(eventOf(0))
  const waiting = reader.read({ stream, epoch, seq }, { wait: true })
  await sleep(1000)
  const { signal } = new AbortController()
  const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`
  await other.database.run([{ text, params: [] }], { signal })
  const begin = Date.now()
  await writer.append(eventOf(1))
  equal((await waiting).through, seq + 1)
  const ms = Date.now() - begin
  void other.end()
  return `a reader whose connections were lost got the next event after ${ms} ms`
}

/** Without functions, a transaction can stay open while its client stands still. */
async function stoppedWriter(server: PostgresServer): Promise<string> {
  const [one, two] = [connectPostgres(server, { idleMs: 1000, standsStill: true }), connectPostgres(server)]
  const stream = randomUUID()
  const log = await sqlLog({ database: withoutFunctions(two.database), stream, timeoutMs: 8000 })
  await log.append(eventOf(0))
  const { signal } = new AbortController()
  const lock = 'SELECT id FROM turnstream_stream WHERE name = $1 FOR UPDATE'
  void one.database
    .run(
      [lock, lock].map((text) => ({ text, params: [stream] })),
      { signal },
    )
    .catch(() => undefined)
  await sleep(200)
  const begin = Date.now()
  await log.append(eventOf(1))
  const ms = Date.now() - begin
  for (const { end } of [one, two]) void end()
  return `beside a writer that stood still within a transaction, an append took ${ms} ms`
}
