// Proves that a store in SQL keeps the rules across processes, and what becomes of tasks whose process stops.
import type { ContextAnyEvent } from 'turnstream'
import { type SqlDatabase, SqlStoreError, sqlite, sqlLog, sqlStore, tables } from 'turnstream/sql'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SqlStoreOptions } from '../../src/sql/sql-store.ts'
import { anyone } from '../support/anyone.ts'
import { inFakeTime } from '../support/fake-time.ts'
import { createSqlite, type SqliteFile, sqliteNames } from '../support/sqlite-databases.ts'

const timestamp = '2026-01-01T00:00:00Z'
const task = { contextId: 'ctx-1', taskId: 'task-1' }
const begin: ContextAnyEvent = { kind: 'task-created', ...task, timestamp, initiator: 'user' }
const delta = (index: number, taskId = 'task-1'): ContextAnyEvent => ({
  ...{ kind: 'content-delta', ...task, taskId, timestamp, delta: `${index}`, index },
})
const user = { role: 'user', id: 'user-1' } as const

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Databases of one file, each as in a process of its own. */
async function connections(
  name = sqliteNames[0] ?? '',
): Promise<{ file: SqliteFile; connect: () => Promise<SqlDatabase> }> {
  const file = await createSqlite(name)
  ends.push(() => file.end())
  const client = await file.connect()
  const database = sqlite(client)
  const store = sqlStore({ database })
  await store.createTables()
  // It would take over what the processes of a test leave.
  await store.close()
  return { file, connect: async () => sqlite(client) }
}

function storeOn(database: SqlDatabase, options: Partial<SqlStoreOptions> = {}) {
  const store = sqlStore({ ...anyone, database, leaseMs: 100, ...options })
  ends.push(() => store.close())
  return store
}

describe('a store in SQL', () => {
  it('accepts the first of many answers that many processes receive at once', async () => {
    const { connect } = await connections()
    const streams = await Promise.all(
      Array.from({ length: 6 }, async () => storeOn(await connect(), { leaseMs: 10_000 }).open('s')),
    )
    const [first] = streams
    await first?.append(begin)
    await first?.append({
      kind: 'input-required',
      ...task,
      timestamp,
      inputId: 'i',
      inputType: 'custom',
      prompt: '?',
    })
    const receipts = await Promise.all(
      streams.map((stream, n) =>
        stream.submit(
          { kind: 'input.respond', commandId: `c-${n}`, timestamp, responses: [{ inputId: 'i', value: n }] },
          user,
        ),
      ),
    )
    expect(receipts.filter(({ status }) => status === 'accepted')).toHaveLength(1)
    expect(receipts.filter(({ status }) => status === 'conflict')).toHaveLength(5)
  })

  it('fails a task whose process has stopped, once, also where nobody has opened its stream', () =>
    inFakeTime(async () => {
      const { connect } = await connections()
      const own = await connect()
      let isStopped = false
      const run: SqlDatabase['run'] = (statements, options) =>
        isStopped ? new Promise(() => {}) : own.run(statements, options)
      const dead = await sqlLog({ database: { ...own, run }, stream: 's', leaseMs: 100 })
      await dead.append(begin)
      await dead.append(delta(0))
      isStopped = true
      const stores = [storeOn(await connect()), storeOn(await connect())]
      const reader = await sqlLog({ database: await connect(), stream: 's', create: false })
      const kinds = async () => {
        const part = await reader.read()
        return (part.events ?? []).map((event) =>
          'status' in event ? `${event.kind} ${event.status}` : event.kind,
        )
      }
      expect(stores).toHaveLength(2)
      await expect.poll(kinds).toContain('task-status failed')
      expect((await kinds()).filter((kind) => kind === 'task-status failed')).toHaveLength(1)
      isStopped = false
      await expect(dead.append(delta(1))).rejects.toMatchObject({ code: 'lease-lost' })
    }))

  it('keeps what a store has written for the next one', async () => {
    const { connect } = await connections()
    const first = storeOn(await connect(), { leaseMs: 10_000 })
    const stream = await first.open({ owner: 'ann', contextId: 'c' })
    for (let index = 0; index < 5; index++) await stream.append(delta(index))
    await first.close()
    const second = storeOn(await connect())
    expect((await second.open({ owner: 'ann', contextId: 'c' }, { create: false }))?.log).toBeDefined()
    expect(await second.open('another', { create: false })).toBeUndefined()
  })
})

describe('what is missing is named', () => {
  it('tables', async () => {
    const file = await createSqlite(sqliteNames[0] ?? '')
    ends.push(() => file.end())
    const opening = sqlLog({ database: sqlite(await file.connect()), stream: 's' })
    await expect(opening).rejects.toThrow(/no such table.*createTables\(\)/)
    await expect(opening).rejects.toMatchObject({ code: 'refused' })
  })

  it('a version', async () => {
    const { connect, file } = await connections()
    const client = await file.connect()
    client.prepare('UPDATE turnstream_version SET version = 7').all()
    const opening = sqlLog({ database: await connect(), stream: 's' })
    await expect(opening).rejects.toThrow('Expected tables of version 1, got 7')
  })

  it('a state that is not JSON', async () => {
    const { connect, file } = await connections()
    const store = storeOn(await connect(), { leaseMs: 10_000 })
    await (await store.open('s')).append(begin)
    await (await store.open('s')).submit({ kind: 'task.cancel', commandId: 'c', timestamp }, user)
    const client = await file.connect()
    client.prepare(`UPDATE turnstream_ledger SET state = '{"open":['`).all()
    await expect(storeOn(await connect()).open('s')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/^Expected the state of stream "s" as JSON, got other text\.$/),
    })
  })

  it('a client that is closed', async () => {
    const { file } = await connections()
    const client = await file.connect()
    const log = await sqlLog({ database: sqlite(client), stream: 's' })
    client.close()
    await expect(log.append(delta(0))).rejects.toBeInstanceOf(SqlStoreError)
    await expect(log.append(delta(0))).rejects.toThrow(/closed|not open/i)
  })
})

it.each([
  'database is locked',
  'database or disk is full',
  // A full disk, in WebAssembly.
  'disk I/O error',
])('%s: what is appended is stored once that is over, else the call ends as unavailable', async (message) => {
  const { connect } = await connections()
  const own = await connect()
  let failures = 0
  const run: SqlDatabase['run'] = async (statements, options) => {
    if (failures-- > 0) throw new Error(message)
    return own.run(statements, options)
  }
  const log = await sqlLog({ database: { ...own, run }, stream: 's', timeoutMs: 300 })
  failures = 2
  await log.append(delta(0))
  failures = 1000
  await expect(log.append(delta(1))).rejects.toMatchObject({
    ...{ name: 'SqlStoreError', code: 'unavailable', cause: { message } },
    message: expect.stringContaining(message),
  })
  failures = 0
  const { events } = await log.read()
  expect(events).toMatchObject([{ delta: '0' }])
})

it('asks nothing after the last of those who wait for events or changes', async () => {
  const { connect } = await connections()
  const own = await connect()
  let asked = 0
  const run: SqlDatabase['run'] = (...given) => {
    asked++
    return own.run(...given)
  }
  const log = await sqlLog({ database: { ...own, run }, stream: 's' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    for (const wait of [
      (signal: AbortSignal) => log.read(undefined, { wait: true, signal }),
      async (signal: AbortSignal) => {
        for await (const _ of log.changes(signal));
      },
    ]) {
      const stop = new AbortController()
      const waiting = wait(stop.signal)
      await vi.advanceTimersByTimeAsync(60_000)
      const before = asked
      await vi.advanceTimersByTimeAsync(60_000)
      expect(asked).toBeGreaterThan(before)
      stop.abort()
      await waiting
      await vi.advanceTimersByTimeAsync(60_000)
      const after = asked
      await vi.advanceTimersByTimeAsync(600_000)
      expect(asked).toBe(after)
    }
  } finally {
    vi.useRealTimers()
  }
})

it('the statements of tables can be run again', async () => {
  const { connect } = await connections()
  const database = await connect()
  const { signal } = new AbortController()
  for (const text of tables('sqlite')) await database.run([{ text, params: [] }], { signal })
  await sqlLog({ database, stream: 's' })
})

describe('an onLeaseExpired that throws', () => {
  it.each([true, false])(
    'is called again until it takes the task (its stream is opened: %s)',
    async (isOpened) => {
      const { connect } = await connections()
      const past = Date.now() - 60_000
      const log = await sqlLog({ database: await connect(), stream: 's', leaseMs: 100, now: () => past })
      await log.append({ kind: 'task-status', ...task, timestamp, status: 'working' })
      let calls = 0
      const heir = storeOn(await connect(), {
        async onLeaseExpired({ contextId, taskId }, stream) {
          calls++
          if (calls < 4) throw new Error('Not yet.')
          await stream.append({ kind: 'task-status', contextId, taskId, timestamp, status: 'failed' })
        },
      })
      if (isOpened) await heir.open('s')
      await vi.waitFor(() => expect(calls).toBe(4), { timeout: 30_000, interval: 10 })
      const view = async (): Promise<unknown> => (await (await heir.open('s')).view('all')).tasks[0]?.status
      await vi.waitFor(async () => expect(await view()).toBe('failed'), { timeout: 30_000, interval: 10 })
      expect(calls).toBe(4)
    },
  )
})
