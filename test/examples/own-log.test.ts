// Proves that the log which docs/streams/own-log.md shows obeys the laws, and that a store of such logs keeps its rules.
import { createCommand } from 'turnstream/commands'
import { logStore } from 'turnstream/server'
import type { StateLog } from 'turnstream/streams'
import { eventLogLaw } from 'turnstream/testing'
import { describe, expect, it, vi } from 'vitest'
import { Database } from '../../examples/own-log/database.ts'
import { databaseLog } from '../../examples/own-log/log.ts'
import type { OpenOptions } from '../../src/server/store.ts'
import { inFakeTime } from '../support/fake-time.ts'

/** A connection that loses seven of ten requests or answers. */
function unreliable(database: Database): Database {
  let turn = 0
  const lossy = Object.create(database) as Database
  lossy.read = (...args) => database.read(...args)
  lossy.changed = (...args) => database.changed(...args)
  lossy.write = async (stream, body) => {
    const fate = turn++ % 10
    if (fate < 3) throw new Error('The request is lost.')
    const result = await database.write(stream, body)
    if (fate < 7) throw new Error('The answer is lost.')
    return result
  }
  return lossy
}

/** A database whose clock is set. */
class ClockedDatabase extends Database {
  ms = 0
  override now(): number {
    return this.ms
  }
}

it('obeys the laws', async () => {
  const database = new ClockedDatabase()
  const skipped: string[] = []
  await eventLogLaw((stream) => databaseLog(database, stream), {
    openUnreliable: (stream) => databaseLog(unreliable(database), stream),
    expireLeases() {
      database.ms += 20_000
    },
    onSkipped: (law) => skipped.push(law),
  })
  // The store ends them.
  expect(skipped.filter((law) => !/deadline|in time/.test(law))).toEqual([])
})

it('applies a command once in all processes', async () => {
  const database = new Database()
  const open = (stream: string): StateLog => databaseLog(database, stream)
  const taken: string[] = []
  const streams = await Promise.all(
    [1, 2].map(async (process) => {
      const store = logStore({ open, mayAccess: () => true })
      return store.open('s', { onInput: (_, { input }) => taken.push(`${process}: ${input}`) })
    }),
  )
  const command = createCommand({ kind: 'task.send', input: 'Hi', contextId: 'ctx-1' })
  const receipts = await Promise.all(streams.map((each) => each.submit(command, { role: 'user', id: 'u' })))
  expect(receipts.map(({ status }) => status).sort()).toEqual(['accepted', 'repeated'])
  expect(taken).toHaveLength(1)
  for (const stream of streams) await stream.release()
})

describe('the lease of a process', () => {
  const LEASE_MS = 200
  const within = { timeout: 20_000 }

  /** A process that can be cut off from the database, as `kill -9` does. */
  function start(database: Database, onInput: OpenOptions['onInput']) {
    const cutOff = new Promise<never>(() => {})
    let isDead = false
    const ask = <T>(call: () => T): T | typeof cutOff => (isDead ? cutOff : call())
    const own = {
      now: () => database.now(),
      streams: () => ask(() => database.streams()),
      read: (...args) => ask(() => database.read(...args)),
      write: (...args) => ask(() => database.write(...args)),
      changed: (...args) => ask(() => database.changed(...args)),
    } as Pick<Database, keyof Database> as Database
    const store = logStore({
      open: (stream) => databaseLog(own, stream, LEASE_MS),
      expiredStreams: () => own.streams(),
      leaseMs: LEASE_MS,
      mayAccess: () => true,
      mayAnswer: () => true,
    })
    return {
      open: () => store.open('s', { ...(onInput && { onInput }) }),
      die() {
        isDead = true
      },
    }
  }

  const user = { role: 'user', id: 'u' } as const
  const send = () => createCommand({ kind: 'task.send', input: 'Hi', contextId: 'c' })

  it('is renewed while it works; if it stops, another one fails what ran', () =>
    inFakeTime(async () => {
      const database = new ClockedDatabase()
      const working: OpenOptions['onInput'] = (stream, { taskId }) =>
        stream.run({ contextId: 'c', taskId }, async function* () {
          yield { kind: 'content-delta', delta: 'Let me' }
          await new Promise(() => {})
        })
      const [first, second] = [start(database, working), start(database, undefined)]
      const [mine, other] = [await first.open(), await second.open()]
      await mine.submit(send(), user)
      const status = async () => (await other.view()).tasks[0]?.status
      await vi.waitFor(async () => expect(await status()).toBe('working'))
      const expiresAt = () =>
        database.read('s', ({ leases }) => Math.max(...[...leases.values()].map((each) => each.expiresAt)))
      for (let renewal = 0; renewal < 3; renewal++) {
        database.ms += LEASE_MS / 2
        await vi.waitFor(async () => expect(await expiresAt()).toBe(database.ms + LEASE_MS))
      }
      expect(await status()).toBe('working')
      first.die()
      await vi.waitFor(async () => {
        // What the first one had asked for before may still be stored.
        database.ms += LEASE_MS
        expect(await status()).toBe('failed')
      }, within)
    }))

  it('passes to another one, which goes on when its user answers', () =>
    inFakeTime(async () => {
      const database = new ClockedDatabase()
      const asking: OpenOptions['onInput'] = (stream, { taskId }) =>
        stream.run({ contextId: 'c', taskId }, async function* (signal) {
          const reply = yield* stream.ask({ contextId: 'c', taskId, inputId: 'i', prompt: 'Well?', signal })
          yield { kind: 'content-complete', content: `${reply.status === 'answered' && reply.value}` }
        })
      const first = start(database, asking)
      await (await first.open()).submit(send(), user)
      const second = start(database, asking)
      const stream = await second.open()
      await vi.waitFor(async () => expect(await stream.requests()).toHaveLength(1))
      first.die()
      const responses = [{ inputId: 'i', value: 'Yes.', outcome: 'answered' as const }]
      await stream.submit(createCommand({ kind: 'input.respond', responses }), user)
      await vi.waitFor(async () => {
        database.ms += LEASE_MS
        const [task] = (await stream.view()).tasks
        expect(task).toMatchObject({ status: 'completed', parts: [{ type: 'input' }, { text: 'Yes.' }] })
      }, within)
    }))
})
