// Proves that a log whose append hangs blocks neither cancels nor open requests, and that nothing is doubled when it settles at last.
import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter } from 'turnstream'
import { createCommand } from 'turnstream/commands'
import type { Stream } from 'turnstream/server'
import type { EventLog } from 'turnstream/streams'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectOrderOfCalls } from '../support/overlapping-law.ts'
import { runs } from '../support/runs.ts'
import { openOver, plainLog, Stored, sharedLog } from './shared-log.ts'

const user = { role: 'user', id: 'user-1' } as const
const task = { contextId: 'ctx-1', taskId: 'task-1' }
const cancel = createCommand({ kind: 'task.cancel', ...task, reason: 'Enough.' })
const logs: [string, (stored: Stored) => EventLog][] = [
  ['a log that stores no state', plainLog],
  ['a log that stores a state', (stored) => ({ ...sharedLog(stored), changes: nothing })],
]

/** Nobody else writes to the log. */
async function* nothing(): AsyncGenerator<void> {}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Makes the next append hang. */
function hangNext(stored: Stored): { settle(error?: Error): void } {
  let settle = (_?: Error): void => {}
  stored.onAppend = () => {
    stored.onAppend = () => {}
    return new Promise<void>((resolve, reject) => {
      settle = (error) => (error === undefined ? resolve() : reject(error))
    })
  }
  return { settle: (error) => settle(error) }
}

/** Makes all appends hang from now on. */
function hangAll(stored: Stored): void {
  stored.onAppend = () => new Promise(() => {})
}

/** A stream with a task that has asked and waits, and the signal of its agent. */
async function asked(stored: Stored, logOf: (stored: Stored) => EventLog) {
  const stream = await openOver(logOf(stored), { timeoutMs: 10_000 })
  let signal: AbortSignal | undefined
  const done = stream
    .run(task, async function* (its) {
      signal = its
      yield* stream.ask({ ...task, inputId: 'i', prompt: 'Well?' })
    })
    .catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(50)
  expect(await stream.requests()).toMatchObject([{ id: 'i' }])
  return { stream, done, signal: () => signal as AbortSignal }
}

const delta = (text: string): ContextAnyEvent =>
  createEmitter(task).emit({ kind: 'content-delta', delta: text })
const deltasIn = (stored: Stored): unknown[] =>
  stored.events.flatMap((event) => (event.kind === 'content-delta' ? [event.delta] : []))
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? error,
  )

describe.each(logs)('a hanging append to %s', (_, logOf) => {
  it('leaves the open requests as they are known', async () => {
    const stored = new Stored()
    const { stream } = await asked(stored, logOf)
    hangAll(stored)
    const hanging = outcome(stream.append(delta('a')))
    const requests = stream.requests()
    await vi.advanceTimersByTimeAsync(2000)
    expect(await requests).toMatchObject([{ id: 'i' }])
    await vi.advanceTimersByTimeAsync(8000)
    expect(await hanging).toBe('unavailable')
  })

  it('tells the log at its deadline that nobody waits any more', async () => {
    const stored = new Stored()
    const signals: (AbortSignal | undefined)[] = []
    const log = logOf(stored)
    const append: EventLog['append'] = (event, options) => {
      signals.push(options?.signal)
      return log.append(event, options)
    }
    const stream = await openOver({ ...log, append }, { timeoutMs: 10_000 })
    await stream.append(delta('a'))
    hangAll(stored)
    const hanging = outcome(stream.append(delta('b')))
    await vi.advanceTimersByTimeAsync(9999)
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false])
    await vi.advanceTimersByTimeAsync(1)
    expect(await hanging).toBe('unavailable')
    expect(signals[1]?.reason).toMatchObject({ code: 'unavailable' })
    expect(signals[0]?.aborted).toBe(false)
  })

  it('lets a cancel reach the agent at once, and states that it is not stored', async () => {
    const stored = new Stored()
    const { stream, signal } = await asked(stored, logOf)
    hangAll(stored)
    const hanging = outcome(stream.append(delta('a')))
    const submitted = stream.submit(cancel, user)
    await vi.advanceTimersByTimeAsync(0)
    expect(signal().aborted).toBe(true)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await submitted).toMatchObject({
      status: 'accepted',
      results: [{ status: 'accepted', message: expect.stringContaining('not stored') }],
    })
    expect(await hanging).toBe('unavailable')
  })

  it('stops no agent for who may not cancel it', async () => {
    const stored = new Stored()
    const { stream, signal } = await asked(stored, logOf)
    hangAll(stored)
    const hanging = outcome(stream.append(delta('a')))
    const observer = outcome(stream.submit(cancel, { role: 'observer', id: 'user-2' }))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(signal().aborted).toBe(false)
    expect([await hanging, await observer]).toEqual(['unavailable', 'unavailable'])
  })

  it('stores the cancel with its reason once the append has ended', async () => {
    const stored = new Stored()
    const { stream, done } = await asked(stored, logOf)
    hangNext(stored)
    const hanging = outcome(stream.append(delta('a')))
    await vi.advanceTimersByTimeAsync(5000)
    const submitted = stream.submit(cancel, user)
    await vi.advanceTimersByTimeAsync(20_000)
    expect((await submitted).results).toMatchObject([{ status: 'accepted', message: 'Canceled 1 tasks.' }])
    expect(await hanging).toBe('unavailable')
    await done
    const ends = stored.events.filter(({ kind }) => kind === 'task-status')
    expect(ends.at(-1)).toMatchObject({ status: 'canceled', metadata: { reason: 'Enough.' } })
    expect(await stream.requests()).toEqual([])
  })

  it('ends a task that was canceled once the log answers, however long that takes', async () => {
    const stored = new Stored()
    const { stream, done } = await asked(stored, logOf)
    hangAll(stored)
    const hanging = outcome(stream.append(delta('a')))
    const submitted = stream.submit(cancel, user)
    await vi.advanceTimersByTimeAsync(600_000)
    expect([await hanging, (await submitted).status]).toEqual(['unavailable', 'accepted'])
    stored.onAppend = () => {}
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await done).toBeUndefined()
    expect(stored.events.at(-1)).toMatchObject({ kind: 'task-status', status: 'canceled' })
    expect(await stream.requests()).toEqual([])
  })

  it('keeps no process alive with nothing but the end of a task that was canceled', async () => {
    const stored = new Stored()
    const { stream } = await asked(stored, logOf)
    hangAll(stored)
    const set = globalThis.setTimeout
    const timers: NodeJS.Timeout[] = []
    const noted = (run: () => void, ms?: number): NodeJS.Timeout => {
      const timer = set(run, ms)
      timers.push(timer)
      return timer
    }
    await Promise.all([stream.submit(cancel, user), vi.advanceTimersByTimeAsync(200_000)])
    globalThis.setTimeout = noted as typeof setTimeout
    await vi.advanceTimersByTimeAsync(20_000)
    globalThis.setTimeout = set
    expect(timers.length).toBeGreaterThan(3)
    expect(timers.filter((timer) => timer.hasRef())).toEqual([])
    const released = outcome(stream.release())
    await vi.advanceTimersByTimeAsync(100_000)
    await released
  })

  it('is waited for no longer once the stream is released', async () => {
    const stored = new Stored()
    const { stream, done } = await asked(stored, logOf)
    hangAll(stored)
    await Promise.all([stream.submit(cancel, user), vi.advanceTimersByTimeAsync(100_000)])
    const released = outcome(stream.release())
    await vi.advanceTimersByTimeAsync(100_000)
    expect([await released, await outcome(done)]).toEqual(['unavailable', 'done'])
  })

  it('takes those with it that wait behind it, and no later ones', async () => {
    const stored = new Stored()
    const { stream } = await asked(stored, logOf)
    const hang = hangNext(stored)
    const events = ['a', 'b', 'c'].map(delta)
    const appends: Promise<unknown>[] = []
    for (const event of events) {
      appends.push(outcome(stream.append(event)))
      await vi.advanceTimersByTimeAsync(1)
    }
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await Promise.all(appends)).toEqual(['unavailable', 'unavailable', 'unavailable'])
    const another = outcome(stream.append(delta('d')))
    await vi.advanceTimersByTimeAsync(1)
    expect(await another).toBe('done')
    hang.settle(new Error('lost'))
    const again = events.map((event) => outcome(stream.append(event)))
    await vi.advanceTimersByTimeAsync(1)
    expect(await Promise.all(again)).toEqual(['done', 'done', 'done'])
    expect(deltasIn(stored)).toEqual(['d', 'a', 'b', 'c'])
  })
})

describe('an append that settles after its deadline', () => {
  /** Appends again until it succeeds, as an agent does. */
  async function untilStored(stream: Stream, event: ContextAnyEvent): Promise<void> {
    for (;;) {
      try {
        await stream.append(event)
        return
      } catch {}
    }
  }

  it.each(logs)('stores each event once, in order, in %s', async (_, logOf) => {
    const hang = fc.record({
      at: fc.nat(5),
      ms: fc.integer({ min: 1, max: 40 }).map((n) => n * 1000),
      isStored: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(hang, { maxLength: 3 }), async (hangs) => {
        const stored = new Stored()
        const stream = await openOver(logOf(stored), { timeoutMs: 10_000 })
        await stream.append(createEmitter(task).emit({ kind: 'task-created', initiator: 'user' }))
        let count = 0
        stored.onAppend = async () => {
          const found = hangs.find(({ at }) => at === count)
          count++
          if (found === undefined) return
          await new Promise((resolve) => setTimeout(resolve, found.ms))
          if (!found.isStored) throw new Error('lost')
        }
        const writing = (async () => {
          for (let n = 0; n < 4; n++) await untilStored(stream, delta(`${n}`))
        })()
        await vi.advanceTimersByTimeAsync(200_000)
        await writing
        expect(deltasIn(stored)).toEqual(['0', '1', '2', '3'])
      }),
      { numRuns: runs(50) },
    )
  })

  it.each(logs)('keeps the order of calls that overlap, in %s', async (_, logOf) => {
    const fate = fc.record({ ms: fc.constantFrom(0, 0, 0, 3, 12, 30), isStored: fc.boolean() })
    vi.useRealTimers()
    await expectOrderOfCalls(
      fc.array(fate, { minLength: 1, maxLength: 12 }),
      async (fates) => {
        const stored = new Stored()
        const log = logOf(stored)
        const stream = await openOver(log, { timeoutMs: 15 })
        let count = 0
        stored.onAppend = async () => {
          const { ms, isStored } = fates[count++] ?? { ms: 0, isStored: true }
          await new Promise((resolve) => setTimeout(resolve, ms))
          if (ms > 0 && !isStored) throw Object.assign(new Error('lost'), { code: 'unavailable' })
        }
        return { append: (event) => stream.append(event), stored: async () => stored.events }
      },
      { timeoutMs: 15, numRuns: runs(200) },
    )
  })

  it('is known to the ledger before the next command', async () => {
    const stored = new Stored()
    const stream = await openOver(plainLog(stored), { timeoutMs: 1000 })
    const { emit } = createEmitter(task)
    const question = { inputId: 'i', inputType: 'clarification', prompt: 'Well?' } as const
    await stream.append(emit({ kind: 'task-created', initiator: 'user' }))
    await stream.append(emit({ kind: 'input-required', ...question }))
    const hang = hangNext(stored)
    const late = outcome(stream.append(emit({ kind: 'task-status', status: 'failed' })))
    await vi.advanceTimersByTimeAsync(1000)
    expect(await late).toBe('unavailable')
    hang.settle()
    await vi.advanceTimersByTimeAsync(1)
    const respond = createCommand({ kind: 'input.respond', responses: [{ inputId: 'i', value: 'Yes.' }] })
    expect((await stream.submit(respond, user)).status).not.toBe('accepted')
  })

  it('is known to the ledger though another event was appended behind it', async () => {
    const stored = new Stored()
    const log = plainLog(stored)
    const stream = await openOver(log, { timeoutMs: 1000 })
    const { emit } = createEmitter(task)
    await stream.append(emit({ kind: 'task-created', initiator: 'user' }))
    const hang = hangNext(stored)
    const late = outcome(
      stream.append(
        emit({ kind: 'input-required', inputId: 'i', inputType: 'clarification', prompt: 'Well?' }),
      ),
    )
    await vi.advanceTimersByTimeAsync(1000)
    expect(await late).toBe('unavailable')
    // It is stored between what the next step reads and what it appends.
    stored.onAppend = async () => {
      stored.onAppend = () => {}
      hang.settle()
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    const input = { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} } as const
    const started = stream.append(emit(input))
    await vi.advanceTimersByTimeAsync(10)
    await started
    expect(await stream.requests()).toMatchObject([{ id: 'i' }])
  })
})
