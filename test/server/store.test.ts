// Proves what a store promises of all its streams: names that no two share, one object for one stream, bounds and deadlines.
import fc from 'fast-check'
import { createEmitter, type Diagnostic } from 'turnstream'
import { createCommand } from 'turnstream/commands'
import { logStore, memoryStore, StoreError, type Stream } from 'turnstream/server'
import type { EventLog } from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { StreamName } from '../../src/server/stream-name.ts'
import { nameOf } from '../../src/server/stream-name.ts'
import { runs } from '../support/runs.ts'
import { openOver, plainLog, Stored, sharedLog } from './shared-log.ts'

const user = { role: 'user', id: 'user-1' } as const
const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
const created = emit({ kind: 'task-created', initiator: 'user' })
const delta = emit({ kind: 'content-delta', delta: 'Hi' })

afterEach(() => void vi.useRealTimers())

describe('the name of a stream', () => {
  const part = fc.oneof(
    fc.string({ minLength: 1, unit: 'binary' }),
    fc.constantFrom(
      '.',
      '..',
      '/',
      'a/b',
      'a%2Fb',
      '\ud800',
      '\udc00',
      '\ufffd',
      'x'.repeat(9000),
      'x'.repeat(9001),
    ),
    fc.constantFrom('ann', 'ann.smith', 'main', 'smith.main', 'smith/main'),
  )

  it('is shared by no two pairs, and by no pair and text', () => {
    const pair = fc.record({ owner: part, contextId: part })
    fc.assert(
      fc.property(pair, pair, part, (a, b, text) => {
        const isSame = a.owner === b.owner && a.contextId === b.contextId
        expect(nameOf(a) === nameOf(b)).toBe(isSame)
        const name = nameOf(a)
        expect(name).toMatch(/^of(?:\/[A-Za-z0-9%._~-]{1,200}){2}$/)
        expect(name.split('/')).not.toContain('..')
        if (!text.startsWith('of/')) expect(nameOf(text)).not.toBe(name)
      }),
      { numRuns: runs(500) },
    )
    expect(() => nameOf('of/a/b')).toThrow('"name" must be')
    const other = { owner: 'a', contextId: 'b', team: 'c' }
    expect(() => nameOf(other)).toThrow(/^"name" must be an object of "owner" and "contextId", got "team"/)
  })
})

describe('a store', () => {
  it.each([undefined, null, 'log', {}, { read() {} }])('needs a log of `open`, not %j', async (log) => {
    const store = logStore({ open: () => log as never })
    await expect(store.open('s')).rejects.toThrow(
      /^"open\(\)" must be a log with append, read and close, got /,
    )
    const found = store.open('s', { create: false })
    if (log === undefined) expect(await found).toBeUndefined()
    else await expect(found).rejects.toThrow(TypeError)
  })

  it('keeps the other tasks of a conversation when one is too large', async () => {
    const store = memoryStore()
    const stream = await store.open('s', {
      async onInput(its, { contextId = '', taskId, input }) {
        await its.run({ contextId, taskId, input }, async function* () {
          yield { kind: 'content-complete', content: input === 'large' ? 'x'.repeat(9e6) : 'Done.' }
        })
      },
    })
    const shown = async (): Promise<unknown[]> => (await stream.view()).tasks.map(({ input }) => input)
    for (const [i, input] of ['before', 'large', 'after', 'last'].entries()) {
      const command = createCommand({ kind: 'task.send', contextId: 'c', input })
      const { results } = await stream.submit(command, { role: 'user', id: 'ann' })
      await vi.waitFor(async () => {
        const { tasks } = await stream.view()
        const task = tasks.find(({ taskId }) => taskId === results[0]?.taskId)
        expect(i === 1 ? 'completed' : task?.status).toBe('completed')
      })
    }
    // Of the large one, what it did after that is left.
    await vi.waitFor(async () => expect(await shown()).toEqual(['before', 'after', 'last', undefined]))
  })

  it('gives one object for one name, until it is released, and the stream as it was after that', async () => {
    const store = memoryStore()
    const names: StreamName[] = [
      { owner: 'ann', contextId: 'main' },
      { owner: 'ann', contextId: 'main' },
    ]
    const [one, other] = await Promise.all(names.map((name) => store.open(name)))
    expect(one).toBe(other)
    await one?.append(created)
    await one?.release()
    const again = await store.open(names[0] as StreamName, { create: false })
    expect(again).not.toBe(one)
    expect((await again?.view())?.tasks).toHaveLength(1)
    expect(await store.open('other', { create: false })).toBeUndefined()
    expect(await store.open('other')).toBeDefined()
    await store.close()
  })

  it('lets a stream take input that a reader has opened first', async () => {
    const store = memoryStore()
    await store.open('s')
    const inputs: unknown[] = []
    const stream = await store.open('s', { onInput: (_, { input }) => inputs.push(input) })
    const send = createCommand({ kind: 'task.send', input: 'Hi' })
    expect((await stream?.submit(send, user))?.status).toBe('accepted')
    expect(inputs).toEqual(['Hi'])
  })

  it('in memory keeps as many streams as it is told, the latest ones', async () => {
    const store = memoryStore({ maxStreams: 2 })
    for (const name of ['a', 'b', 'a', 'c']) await (await store.open(name))?.append(created)
    const kept = await Promise.all(['a', 'b', 'c'].map((name) => store.open(name, { create: false })))
    expect(kept.map((stream) => stream !== undefined)).toEqual([true, false, true])
  })

  it('in memory keeps what runs or waits for an answer rather than what does not', async () => {
    const found: Diagnostic[] = []
    const store = memoryStore({ maxStreams: 2, onDiagnostic: (diagnostic) => found.push(diagnostic) })
    const waiting = (await store.open('waits')) as Stream
    const ask = { inputId: 'i', prompt: 'Well?' }
    void waiting.run({ contextId: 'c', taskId: 't' }, () =>
      waiting.ask({ contextId: 'c', taskId: 't', ...ask }),
    )
    await vi.waitFor(async () => expect(await waiting.requests()).toHaveLength(1))
    for (const name of ['a', 'b', 'c']) await store.open(name)
    expect(await store.open('waits', { create: false })).toBe(waiting)
    expect(found.filter(({ code }) => code === 'stream-evicted')).toMatchObject([
      { code: 'stream-evicted', detail: { stream: 'a' } },
      { code: 'stream-evicted', detail: { stream: 'b' } },
    ])
  })

  it('in memory checks its limits when it is created', () => {
    expect(() => memoryStore({ limits: { maxEvent: 1 } as never })).toThrow('"limits" must')
  })

  it('reports a log that stores no state, and no other', async () => {
    const found: Diagnostic[] = []
    const onDiagnostic = (diagnostic: Diagnostic): unknown => found.push(diagnostic)
    await openOver(plainLog(new Stored()), { onDiagnostic })
    expect(found).toMatchObject([{ code: 'one-process', detail: { stream: 's' } }])
    await (await openOver(sharedLog(new Stored()), { onDiagnostic })).release()
    await memoryStore({ onDiagnostic }).open('s')
    expect(found).toHaveLength(1)
  })

  it('opens a stream again after its log could not be opened', async () => {
    let fails = true
    const store = logStore({
      open: () => {
        if (fails) throw new Error('no database')
        return plainLog(new Stored())
      },
    })
    await expect(store.open('s')).rejects.toThrow('no database')
    fails = false
    expect(await store.open('s')).toBeDefined()
  })
})

describe('a deadline', () => {
  const never = (): Promise<never> => new Promise(() => {})

  /** A log whose functions hang after it was opened. */
  async function hanging(which: Partial<EventLog>) {
    vi.useFakeTimers()
    const log = { ...plainLog(new Stored()) }
    const stream = await openOver(log, { timeoutMs: 1000 })
    Object.assign(log, which)
    return stream
  }

  it.each<[string, (stream: Awaited<ReturnType<typeof hanging>>) => Promise<unknown>]>([
    ['an append', (stream) => stream.append(delta)],
    ['a command', (stream) => stream.submit(createCommand({ kind: 'task.cancel' }), user)],
    ['the end', (stream) => stream.close()],
    ['the view', (stream) => stream.view()],
  ])('ends %s of a log that hangs, also what waits behind it, counted from the call', async (what, call) => {
    const stream = await hanging({ append: never, read: never, close: never })
    const ends: number[] = []
    const start = Date.now()
    const expectLate = (promise: Promise<unknown>): Promise<void> =>
      promise.then(
        () => expect.unreachable(),
        (error: unknown) => {
          expect(error).toBeInstanceOf(StoreError)
          expect((error as StoreError).code).toBe('unavailable')
          ends.push(Date.now() - start)
        },
      )
    const first = expectLate(stream.append(delta))
    const second = expectLate(call(stream))
    await vi.advanceTimersByTimeAsync(400)
    const third = expectLate(call(stream))
    await vi.advanceTimersByTimeAsync(5000)
    await Promise.all([first, second, third])
    // An append would pass those before it.
    expect(ends).toEqual([1000, 1000, what === 'an append' ? 1000 : 1400])
  })

  it('ends the opening of a log that hangs', async () => {
    vi.useFakeTimers()
    const store = logStore({ open: never, timeoutMs: 500 })
    const opened = expect(store.open('s')).rejects.toThrow('within 500 ms')
    await vi.advanceTimersByTimeAsync(500)
    await opened
  })

  it('appends nothing later that nobody waits for any more', async () => {
    vi.useFakeTimers()
    const stored = new Stored()
    let release = (): void => {}
    stored.onAppend = () => new Promise<void>((resolve) => (release = resolve))
    const stream = await openOver(plainLog(stored), { timeoutMs: 1000 })
    const late = [stream.append(created), stream.append(delta)].map((each) =>
      expect(each).rejects.toThrow('within 1000 ms'),
    )
    await vi.advanceTimersByTimeAsync(1000)
    await Promise.all(late)
    stored.onAppend = () => {}
    release()
    await vi.advanceTimersByTimeAsync(1)
    expect(stored.events.map(({ kind }) => kind)).toEqual(['task-created'])
  })
})
