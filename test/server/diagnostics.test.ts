// Proves that each diagnostic of a store has its code, a sentence, and the ids of what it is about; and that a receipt names its task
// after a restart.
import type { ContextAnyEvent, Diagnostic } from 'turnstream'
import { createCommand } from 'turnstream/commands'
import { logStore, memoryStore, type Store, type Stream } from 'turnstream/server'
import type { EventLog } from 'turnstream/streams'
import { afterEach, expect, it, vi } from 'vitest'
import type { StoreOptions } from '../../src/server/store.ts'
import { anyone } from '../support/anyone.ts'
import { inFakeTime } from '../support/fake-time.ts'
import { leaseLogs } from '../testing/lease-log.ts'

const user = { role: 'user', id: 'user-1' } as const
const within = { timeout: 30_000, interval: 10 }
const task = { contextId: 'ctx-1', taskId: 'task-1' } as const
const timestamp = '2026-01-01T00:00:00Z'
const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close().catch(() => undefined)
})

const event = (fields: object): ContextAnyEvent => ({ ...task, timestamp, ...fields }) as ContextAnyEvent
const begun = [
  event({ kind: 'task-created', initiator: 'user' }),
  event({ kind: 'task-status', status: 'working' }),
]
const waiting = [
  event({ kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: 'Well?' }),
  event({ kind: 'task-status', status: 'waiting-input' }),
]

async function appendAll(stream: Stream, events: readonly ContextAnyEvent[]): Promise<void> {
  for (const each of events) await stream.append(each)
}

/** Processes that share logs with leases. */
function world() {
  const { open, expireLeases } = leaseLogs()
  const logs: EventLog[] = []
  return {
    expire: () => expireLeases?.(logs),
    start(options: StoreOptions = {}) {
      const found: Diagnostic[] = []
      const store = logStore({
        open(stream) {
          const log = open(stream)
          logs.push(log)
          return log
        },
        ...{ leaseMs: 100, onDiagnostic: (each) => found.push(each), ...anyone, ...options },
      })
      stores.push(store)
      return { store, found }
    },
  }
}

async function expectReported(found: readonly Diagnostic[], code: string, detail?: object): Promise<void> {
  await vi.waitFor(() => expect(found.map((each) => each.code)).toContain(code), within)
  const reported = found.find((each) => each.code === code)
  expect(reported?.message).toMatch(/^Expected .+\.$/s)
  expect(reported?.detail).toEqual(detail)
}

it('task-not-resumed: a task that waits, and that no input has begun', async () => {
  const { start, expire } = world()
  const stream = await start().store.open('s')
  await appendAll(stream, [...begun, ...waiting])
  const { store, found } = start()
  await store.open('s')
  await expire()
  await expectReported(found, 'task-not-resumed', task)
})

it('take-over-failed: onLeaseExpired throws, and is called again', async () => {
  const { start, expire } = world()
  await appendAll(await start().store.open('s'), begun)
  let calls = 0
  const { store, found } = start({
    onLeaseExpired({ expiredAt, ...expired }) {
      expect([expired, Number.isNaN(Date.parse(expiredAt))]).toEqual([task, false])
      if (calls++ === 0) throw new Error('not now')
    },
  })
  await store.open('s')
  await expire()
  await expectReported(found, 'take-over-failed', task)
  await vi.waitFor(() => expect(calls).toBe(2), within)
})

it('leases-not-watched: the streams with expired leases cannot be found', async () => {
  const found: Diagnostic[] = []
  const { open } = leaseLogs()
  const expiredStreams = () => Promise.reject(new Error('down'))
  stores.push(logStore({ open, expiredStreams, leaseMs: 100, onDiagnostic: (each) => found.push(each) }))
  await expectReported(found, 'leases-not-watched')
})

it('input-not-taken: the agent reads no more', async () => {
  const found: Diagnostic[] = []
  const store = memoryStore({ onDiagnostic: (each) => found.push(each), ...anyone })
  stores.push(store)
  const stream = await store.open('s')
  await appendAll(stream, begun)
  const reading = stream.inputs(task)[Symbol.asyncIterator]()
  const first = reading.next()
  const say = (input: string) => createCommand({ kind: 'task.send', input, ...task })
  const [one, two] = [say('one'), say('two')]
  await vi.waitFor(async () => expect((await stream.submit(one, user)).status).toBe('accepted'), within)
  expect((await first).value).toMatchObject({ input: 'one', commandId: one.commandId })
  expect((await stream.submit(two, user)).status).toBe('accepted')
  await reading.return?.()
  await expectReported(found, 'input-not-taken', { commandId: two.commandId })
})

it('input-not-taken: onInput throws when it is the turn of a message, and is called again', () =>
  inFakeTime(async () => {
    const found: Diagnostic[] = []
    const store = memoryStore({ onDiagnostic: (each) => found.push(each), ...anyone })
    stores.push(store)
    const [first, second] = ['one', 'two'].map((input) => createCommand({ kind: 'task.send', input }))
    const taken: unknown[] = []
    let isFirst = true
    const stream = await store.open('s', {
      onInput(own, { taskId, commandId, input }) {
        if (commandId === second?.commandId && isFirst) {
          isFirst = false
          throw new Error('not now')
        }
        taken.push(input)
        return own.run({ contextId: 'ctx-1', taskId }, async function* () {
          yield { kind: 'content-complete', content: 'Done.' }
        })
      },
    })
    for (const command of [first, second])
      expect((await stream.submit(command, user)).status).toBe('accepted')
    await expectReported(found, 'input-not-taken', { commandId: second?.commandId })
    await vi.waitFor(() => expect(taken).toEqual(['one', 'two']), within)
  }))

it('a stream that was released names itself', async () => {
  const store = memoryStore(anyone)
  stores.push(store)
  const stream = await store.open('conversation')
  await stream.release()
  await expect(stream.append(event({ kind: 'task-created', initiator: 'user' }))).rejects.toMatchObject({
    ...{ name: 'StoreError', code: 'released', message: expect.stringMatching(/^Expected .*\.$/s) },
  })
})

it('tasks-forgotten: the stream is larger than its limit', async () => {
  const found: Diagnostic[] = []
  const store = memoryStore({
    limits: { maxBytes: 4000 },
    onDiagnostic: (each) => found.push(each),
    ...anyone,
  })
  stores.push(store)
  const stream = await store.open('s')
  for (let n = 0; n < 60; n++) {
    const ended = [
      ...begun,
      event({ kind: 'task-status', status: 'completed' }),
      event({ kind: 'task-complete' }),
    ]
    await appendAll(
      stream,
      ended.map((each) => ({ ...each, taskId: `task-${n}` })),
    )
  }
  await stream.view('all')
  await vi.waitFor(() => expect(found.map(({ code }) => code)).toContain('tasks-forgotten'), within)
})

it('a receipt names its task, also when the command is repeated after a restart', async () => {
  const { start } = world()
  const send = createCommand({ kind: 'task.send', input: 'Hi', contextId: 'ctx-1' })
  const taken: string[] = []
  const open = (): Promise<Stream> =>
    start().store.open('s', { onInput: (_, { taskId }) => taken.push(taskId) })
  const first = await open()
  const accepted = await first.submit(send, user)
  await first.release()
  const repeated = await (await open()).submit(send, user)
  expect([accepted, repeated].map(({ status }) => status)).toEqual(['accepted', 'repeated'])
  const names = [accepted, repeated].map(({ commandId, results }) => [commandId, results[0]?.taskId])
  expect(names).toEqual([
    [send.commandId, taken[0]],
    [send.commandId, taken[0]],
  ])
  expect(taken).toHaveLength(1)
})
