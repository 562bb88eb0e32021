// Proves that a store in Redis applies each command once, whichever processes receive it, and whatever happens to
// Redis in between. The script runs in a Lua machine; `npm run test:all` repeats the same on a real Redis.

import fc from 'fast-check'
import { type ContextAnyEvent, type EventDraft, run } from 'turnstream'
import type { Answer, Receipt } from 'turnstream/commands'
import { redisLog, redisStore } from 'turnstream/redis'
import type { AgentInput, Stream } from 'turnstream/server'
import { verifier } from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isTaskEnd } from '../../src/events/task-end.ts'
import type { RedisStoreOptions } from '../../src/redis/redis-store.ts'
import type { OpenOptions } from '../../src/server/store.ts'
import { anyone } from '../support/anyone.ts'
import { inFakeTime } from '../support/fake-time.ts'
import { createRedisInMemory, type RedisInMemory } from '../support/redis-in-memory.ts'
import { runs } from '../support/runs.ts'

const user = { role: 'user', id: 'user-1' } as const
const start = Date.parse('2026-01-01T00:00:00.000Z')
const context = { contextId: 'ctx-1', taskId: 'task-1', timestamp: new Date(start).toISOString() }
const ask = { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: 'Well?' }
const begin = [
  { kind: 'task-created', initiator: 'user' },
  { kind: 'task-status', status: 'working' },
]
const waiting = { kind: 'task-status', status: 'waiting-input' }

const opened: Stream[] = []
afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.release()
})

type Options = Partial<RedisStoreOptions> & Pick<OpenOptions, 'onInput'>

function servers(redis: RedisInMemory = createRedisInMemory(), now?: () => number) {
  const clock = { ms: start }
  const options = { client: redis, stream: 's', now: now ?? (() => clock.ms), sleep: async () => {} }
  const open = async ({ onInput, ...more }: Options = {}): Promise<Stream> => {
    // Each with a client of its own, as in a process of its own.
    const client = Object.create(redis) as typeof redis
    const { stream, ...others } = options
    const store = redisStore({ ...anyone, ...others, client, ...more })
    const ledger = (await store.open(stream, onInput && { onInput })) as Stream
    opened.push(ledger)
    return ledger
  }
  const log = redisLog(options)
  const stamp = (event: Record<string, unknown>): ContextAnyEvent => {
    return {
      ...context,
      timestamp: new Date(options.now()).toISOString(),
      ...event,
    } as unknown as ContextAnyEvent
  }
  const emit = async (...events: Record<string, unknown>[]): Promise<void> => {
    for (const event of events) await (await log).append(stamp(event))
  }
  /** Appends events without waiting in between. */
  const emitTogether = async (...events: Record<string, unknown>[]): Promise<void> => {
    const { append } = await log
    await Promise.all(events.map((event) => append(stamp(event))))
  }
  const events = async (): Promise<ContextAnyEvent[]> => {
    const part = await (await log).read(undefined, { maxBytes: 1e7 })
    return part.type === 'batch' ? [...part.events] : []
  }
  return { open, emit, emitTogether, events, clock, redis, log }
}

let ids = 0
const respond = (value: unknown, inputId = 'i'): object => ({
  ...{ kind: 'input.respond', commandId: `cmd-${ids++}`, timestamp: context.timestamp },
  responses: [{ inputId, value }],
})

const send = (commandId: string): object => ({
  ...{ kind: 'task.send', commandId, timestamp: context.timestamp, input: 'Hi' },
})

describe('a store in Redis', () => {
  it('accepts the first of many answers that many processes receive at once', async () => {
    const { open, emit, events } = servers()
    await emit(...begin, ask, waiting)
    const ledgers = await Promise.all(Array.from({ length: 8 }, () => open()))
    const receipts = await Promise.all(ledgers.map((ledger, i) => ledger.submit(respond(i % 4), user)))
    const statuses = receipts.map(({ status }) => status)
    expect(statuses.filter((status) => status === 'accepted')).toHaveLength(1)
    expect(statuses.filter((status) => status === 'repeated')).toHaveLength(1)
    expect(statuses.filter((status) => status === 'conflict')).toHaveLength(6)
    expect((await events()).slice(4).map(({ kind }) => kind)).toEqual(['input-received', 'task-status'])
  })

  it('keeps the requests of two tasks with the same id apart', async () => {
    const { open, emit } = servers()
    const of = { taskId: 'task-2' }
    await emit(...begin, ...begin.map((event) => ({ ...event, ...of })), ask, { ...ask, ...of })
    const [one, other] = await Promise.all([open(), open()])
    const second = other.answer({ inputId: 'i', taskId: 'task-2' })
    const named = { ...respond(2), responses: [{ inputId: 'i', value: 2, taskId: 'task-2' }] }
    expect((await one.submit(respond(1), user)).status).toBe('ambiguous')
    expect((await one.submit(named, user)).status).toBe('accepted')
    expect((await second)?.value).toBe(2)
    expect((await other.submit(respond(1), user)).status).toBe('accepted')
    expect((await one.answer({ inputId: 'i', taskId: 'task-1' }))?.value).toBe(1)
  })

  it('hands the answer to the process that waits for it', async () => {
    const { open, emit } = servers()
    const [agent, other] = [await open(), await open()]
    const answer = agent.answer({ inputId: 'i' })
    await emit(...begin, ask, waiting)
    await other.submit(respond('yes'), user)
    expect(await answer).toMatchObject({ value: 'yes', sender: user })
    expect(await (await open()).answer({ inputId: 'i' })).toMatchObject({ value: 'yes' })
  })

  it('knows the answer that is stored while it reads the events', async () => {
    const { open, emit, redis } = servers()
    await emit(...begin, ask, waiting)
    const [agent, other] = [await open(), await open()]
    const { send: sendTo } = redis
    let isAnswered = false
    redis.send = async (args, key) => {
      const reply = await sendTo(args, key)
      if (redis.log.at(-1)?.endsWith('loadLedger') === true && !isAnswered) {
        isAnswered = true
        await other.submit(respond('yes'), user)
      }
      return reply
    }
    expect(await agent.answer({ inputId: 'i' })).toMatchObject({ value: 'yes' })
  })

  it('aborts the signal of a task in the process that runs it', async () => {
    const { open, emit } = servers()
    const [agent, other] = [await open(), await open()]
    const signal = agent.signalOf(context)
    const otherSignal = agent.signalOf({ ...context, taskId: 'task-2' })
    await emit(...begin)
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
    const cancel = { kind: 'task.cancel', commandId: 'c', timestamp: context.timestamp, taskId: 'task-1' }
    expect((await other.submit(cancel, user)).status).toBe('accepted')
    await aborted
    expect(otherSignal.aborted).toBe(false)
  })

  it('closes requests that have expired, once', async () => {
    let past = 0
    const { open, emit, events } = servers(undefined, () => Date.now() + past)
    await emit(...begin, { ...ask, metadata: { timeout: 0.02 } }, waiting)
    const ledgers = [await open(), await open()]
    expect(await Promise.all(ledgers.map((ledger) => ledger.answer({ inputId: 'i' })))).toEqual([
      undefined,
      undefined,
    ])
    expect((await events()).slice(4).map(({ kind }) => kind)).toEqual(['input-canceled', 'task-status'])
    past = 5000
    expect((await (await open()).submit(respond(1), user)).status).toBe('expired')
  })

  it('applies a commit once whose reply was lost', async () => {
    const { open, emit, events, redis } = servers()
    await emit(...begin, ask, waiting)
    const ledger = await open()
    const isCommit = (): boolean => redis.log.at(-1)?.endsWith('commit') === true
    const { send: sendTo } = redis
    let lost = 0
    redis.send = async (args, key) => {
      const reply = await sendTo(args, key)
      if (isCommit() && lost++ === 0) throw new Error('Socket closed unexpectedly')
      return reply
    }
    expect((await ledger.submit(respond('x'), user)).status).toBe('accepted')
    expect(lost).toBe(2)
    expect((await events()).filter(({ kind }) => kind === 'input-received')).toHaveLength(1)
  })

  it('continues after a restart of Redis, and where the ledger was lost knows what was answered', async () => {
    const { open, emit, redis } = servers()
    await emit(...begin, ask, waiting)
    const ledger = await open()
    await ledger.submit(respond('x'), user)
    redis.restart()
    expect((await ledger.submit(respond('x'), user)).status).toBe('repeated')
    for (const key of redis.keys.keys()) if (key.endsWith(':ledger')) redis.keys.delete(key)
    expect((await (await open()).submit(respond('x'), user)).status).toBe('conflict')
  })

  it('ends a task again whose end an older state of Redis lacks', async () => {
    const { open, events, redis } = servers(createRedisInMemory(), Date.now)
    const short = { now: Date.now, sleep: async () => {}, leaseMs: 300 }
    const agent = await redisLog({ client: redis, stream: 's', ...short })
    const stream = await open({ leaseMs: 300 })
    const emit = async (...given: object[]): Promise<void> => {
      for (const event of given) await agent.append({ ...context, ...event } as unknown as ContextAnyEvent)
    }
    const expectStatus = (status: string): Promise<void> =>
      vi.waitFor(async () => expect((await stream.view('all')).tasks).toMatchObject([{ status }]))
    await emit(...begin)
    await expectStatus('working')
    const old = structuredClone(redis.keys)
    await emit({ kind: 'task-status', status: 'completed' })
    await expectStatus('completed')
    redis.flush()
    for (const [key, value] of old) redis.keys.set(key, value)
    redis.restart()
    await emit({ ...begin[0], taskId: 'other' })
    const isEnded = (event: ContextAnyEvent): boolean => event.taskId === 'task-1' && isTaskEnd(event)
    await vi.waitFor(async () => expect((await events()).filter(isEnded)).toHaveLength(1), 5000)
    await agent.release()
  })

  it('knows what is open after old events were evicted', async () => {
    const { open, emit, redis } = servers()
    const log = await redisLog({ client: redis, stream: 's', now: () => start, limits: { maxEvents: 5 } })
    await emit(...begin, ask, waiting)
    for (let i = 0; i < 50; i++) {
      const note = { ...context, kind: 'custom', name: 'a.b', data: i } as unknown as ContextAnyEvent
      await log.append(note)
    }
    expect((await (await open()).submit(respond('x'), user)).status).toBe('accepted')
  })

  it('delivers input again that the agent did not take', async () => {
    const { open } = servers()
    const taken: string[] = []
    const failing = await open({
      onInput: () => {
        throw new Error('queue down')
      },
    })
    const other = await open({ onInput: (_, { commandId }) => taken.push(commandId) })
    await expect(failing.submit(send('c'), user)).rejects.toThrow('queue down')
    expect((await other.submit(send('c'), user)).status).toBe('accepted')
    expect((await failing.submit(send('c'), user)).status).toBe('repeated')
    expect(taken).toEqual(['c'])
  })

  it('hands over stored input whose process has stopped, once, to whoever reads or gets it again', () =>
    inFakeTime(async () => {
      const { open, redis } = servers()
      const taken: string[] = []
      const onInput = (_: Stream, { commandId }: AgentInput): unknown => taken.push(commandId)
      const { send: sendTo } = redis
      const stopped = await open({ onInput })
      redis.send = async (args, key) => {
        const reply = await sendTo(args, key)
        if (redis.log.at(-1)?.endsWith('commit') === true) throw new Error('Socket closed unexpectedly')
        return reply
      }
      await expect(stopped.submit(send('c'), user)).rejects.toThrow('Socket closed')
      redis.send = sendTo
      await stopped.release()
      taken.length = 0
      const others = [await open({ onInput }), await open({ onInput })]
      const receipts = await Promise.all(others.map((ledger) => ledger.submit(send('c'), user)))
      expect(receipts.map(({ status }) => status)).toEqual(['repeated', 'repeated'])
      expect(taken).toEqual(['c'])
    }))

  it('hands over stored input whose process has stopped although nobody sends it again', () =>
    inFakeTime(async () => {
      const { open, redis } = servers()
      const taken: unknown[] = []
      const stopped = await open({ onInput: (_, input) => taken.push(input) })
      redis.down = { when: 'after', message: 'Socket closed unexpectedly' }
      await expect(stopped.submit(send('c'), user)).rejects.toThrow('Socket closed')
      redis.down = undefined
      await stopped.release()
      await open()
      await open({ onInput: (_, input) => taken.push(input) })
      await vi.waitFor(() => expect(taken).toHaveLength(1), { timeout: 30_000, interval: 50 })
      expect(taken).toMatchObject([{ commandId: 'c', input: 'Hi', sender: user }])
    }))

  it('hands input over again in the process that has not got the reply of Redis', async () => {
    const { open, redis } = servers()
    const taken: string[] = []
    const ledger = await open({ onInput: (_, { commandId }) => taken.push(commandId) })
    redis.down = { when: 'after', message: 'Socket closed unexpectedly' }
    await expect(ledger.submit(send('c'), user)).rejects.toThrow('Socket closed')
    redis.down = undefined
    expect(taken).toEqual([])
    expect((await ledger.submit(send('c'), user)).status).toBe('repeated')
    expect((await ledger.submit(send('c'), user)).status).toBe('repeated')
    expect(taken).toEqual(['c'])
  })

  it('repeats a command to nobody before its input is taken', async () => {
    const { open } = servers()
    let failures = 2
    const taken: string[] = []
    const onInput = (_: Stream, { commandId }: AgentInput): void => {
      if (failures-- > 0) throw new Error('queue down')
      taken.push(commandId)
    }
    const ledgers = await Promise.all([open({ onInput }), open({ onInput }), open({ onInput })])
    const outcomes = await Promise.all(
      ledgers.flatMap((ledger) =>
        [1, 2].map(() => ledger.submit(send('c'), user).then(({ status }) => status, String)),
      ),
    )
    expect(outcomes.filter((each) => each === 'Error: queue down')).toHaveLength(2)
    expect(outcomes.filter((each) => each === 'accepted')).toHaveLength(1)
    expect(outcomes.filter((each) => each === 'repeated')).toHaveLength(3)
    expect(taken).toEqual(['c'])
  })

  it('stores what the events of the agent lead to, once', async () => {
    const { open, emit, events } = servers()
    const codes: string[] = []
    const [a, b] = [await open({ onDiagnostic: ({ code }) => codes.push(code) }), await open()]
    await emit(...begin)
    const cancel = { kind: 'task.cancel', commandId: 'c', timestamp: context.timestamp }
    await a.submit(cancel, user)
    await emit(ask)
    await Promise.all([a.submit(cancel, user), b.submit(cancel, user)])
    expect((await events()).slice(3)).toMatchObject([{ kind: 'input-canceled', reason: 'withdrawn' }])
    await emit({ ...ask, prompt: 'Other' })
    await a.submit(cancel, user)
    expect(codes).toEqual(['repeated-request'])
    expect(await a.requests()).toEqual([])
  })

  it('lets a request expire for which nobody waits', () =>
    inFakeTime(async () => {
      const { open, emit, events } = servers(undefined, Date.now)
      await open()
      await emit(...begin, { ...ask, metadata: { timeout: 0.01 } }, waiting)
      await vi.waitFor(async () => expect(await events()).toHaveLength(6), { timeout: 30_000, interval: 50 })
      expect((await events()).at(4)).toMatchObject({ kind: 'input-canceled', reason: 'expired' })
    }))

  it('gives all that open a stream in one process the same one: each submit takes few operations', async () => {
    const { emit, events, redis } = servers()
    await emit(...begin, ...Array.from({ length: 10 }, (_, i) => ({ ...ask, inputId: `i-${i}` })), waiting)
    const store = redisStore({ client: redis, ...anyone, now: () => start, sleep: async () => {} })
    const open = async () => (await store.open('s', { onInput: () => {} })) as Stream
    const streams = await Promise.all(Array.from({ length: 30 }, open))
    expect(new Set(streams).size).toBe(1)
    const before = redis.log.length
    const receipts = await Promise.all(
      streams.flatMap((ledger, i) => [
        ledger.submit(respond('x', `i-${i % 10}`), user),
        ledger.submit(send(`s-${i}`), user),
      ]),
    )
    expect(redis.log.length - before).toBeLessThanOrEqual(60 * 5)
    expect(receipts.filter(({ status }) => status === 'accepted')).toHaveLength(40)
    expect((await events()).filter(({ kind }) => kind === 'input-received')).toHaveLength(10)
    await store.close()
  })

  it('refuses input if the stream has no onInput, and the next one takes it', async () => {
    const { open } = servers()
    expect((await (await open()).submit(send('c'), user)).status).toBe('unsupported')
    const taken: unknown[] = []
    const ledger = await open({ onInput: (_, input) => taken.push(input) })
    expect((await ledger.submit(send('c'), user)).status).toBe('accepted')
    expect(taken).toHaveLength(1)
  })

  const cancel = { kind: 'task.cancel', commandId: 'c', timestamp: context.timestamp, taskId: 'task-1' }

  it('takes one operation for a command if nothing has happened meanwhile', async () => {
    const { open, emit, redis } = servers()
    await emit(...begin)
    const ledger = await open()
    const before = redis.log.length
    await ledger.submit(cancel, user)
    expect(redis.log.slice(before)).toEqual(['EVALSHA commit'])
  })

  it('takes one operation for a request and the status that waits for it if they are appended together', async () => {
    const { emit, emitTogether, redis } = servers()
    await emit(...begin)
    const before = redis.log.length
    await emitTogether(ask, waiting)
    expect(redis.log.slice(before)).toEqual(['EVALSHA append'])
  })

  it('lets a task work again whose answer was faster than the status that waits for it', async () => {
    const { open, emit, events } = servers()
    await emit(...begin, ask)
    const ledger = await open()
    await ledger.submit(respond(1), user)
    await emit(waiting)
    await ledger.submit(send('c'), user)
    expect((await events()).slice(4)).toMatchObject([waiting, { ...waiting, status: 'working' }])
  })

  it('keeps the stream as long as it takes commands', async () => {
    const { open, emit, redis } = servers()
    await emit(...begin)
    const ledger = await open()
    const [meta] = [...redis.keys].flatMap(([key, value]) =>
      key.endsWith(':meta') ? [value as Map<string, string>] : [],
    )
    // When the expiry of the keys was set last.
    meta?.set('expiry', '0')
    await ledger.submit(cancel, user)
    expect(Number(meta?.get('expiry'))).toBeGreaterThan(0)
  })

  it('answers each request at most once under any interleaving of processes, and the stream is legal', async () => {
    const move = fc.record({ at: fc.nat(2), what: fc.nat(9), flag: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 12 }), async (moves) => {
        const { open, emit, emitTogether, events, clock, log } = servers()
        await emit(...begin)
        const ledgers = [await open(), await open(), await open()]
        const receipts: Promise<Receipt>[] = []
        const answers: Promise<Answer | undefined>[] = []
        for (const [n, { at, what, flag }] of moves.entries()) {
          const ledger = ledgers[at]
          if (ledger === undefined) continue
          if (what < 3) {
            const request = { ...ask, inputId: `i-${n}`, ...(flag && { metadata: { timeout: 1 } }) }
            // Answers come before, between and after, but never between the two.
            await emitTogether(request, waiting)
            answers.push(ledger.answer({ inputId: `i-${n}` }).catch(() => undefined))
          } else if (what < 8) {
            receipts.push(ledger.submit(respond(flag, `i-${n % 4}`), user))
          } else if (what < 9) clock.ms += 2000
          else await Promise.all(receipts)
        }
        const statuses = (await Promise.all(receipts)).flatMap(({ results }) => results)
        const accepted = statuses.filter(({ status }) => status === 'accepted').map(({ inputId }) => inputId)
        expect(accepted).toEqual([...new Set(accepted)])
        const stream = await events()
        expect(stream.filter(({ kind }) => kind === 'input-received')).toHaveLength(accepted.length)
        const { push } = run(verifier({ mode: 'strict' }))
        expect(
          stream.flatMap((event) => [...push(event)]).filter(({ severity }) => severity === 'error'),
        ).toEqual([])
        for (const ledger of ledgers) await ledger.release()
        await Promise.all(answers)
        await (await log).release()
      }),
      { numRuns: runs(25) },
    )
  })
})

describe('two ends of one request', () => {
  const errorsIn = (stream: readonly ContextAnyEvent[]): unknown[] => {
    const { push } = run(verifier({ mode: 'strict' }))
    return stream.flatMap((event) => [...push(event)]).filter(({ severity }) => severity === 'error')
  }
  const toolCall = { id: 'c', function: { name: 'where', arguments: '{}' } }
  const canceled = { kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' }
  const result = { ...{ kind: 'tool.result', toolCallId: 'c', success: true }, timestamp: context.timestamp }

  it('are one: the answer of another process wins over the end that comes later, and the other way round', async () => {
    const { open, emit, emitTogether, events, log } = servers()
    const codes: string[] = []
    const [agent, other] = [await open({ onDiagnostic: ({ code }) => codes.push(code) }), await open()]
    const append = async (event: object): Promise<unknown> =>
      agent.append({ ...context, ...event } as unknown as ContextAnyEvent)
    await emit(...begin)
    await emitTogether(ask, waiting)
    expect((await other.submit(respond(1), user)).status).toBe('accepted')
    await append(canceled)
    await append({ kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'u' })
    await append(waiting)
    // A status that waits for what is answered loses nothing.
    expect(codes).toEqual(['dropped:input-canceled', 'dropped:input-received'])
    await emitTogether({ ...ask, inputId: 'j' }, waiting)
    await append({ ...canceled, inputId: 'j' })
    expect((await other.submit(respond(1, 'j'), user)).status).toBe('unknown-request')
    await emit({ kind: 'auth-required', authId: 'a', authType: 'custom', prompt: '?' })
    const auth = { kind: 'auth.respond', commandId: 'a1', timestamp: context.timestamp, authId: 'a' }
    expect((await other.submit({ ...auth, outcome: 'completed' }, user)).status).toBe('accepted')
    await append({ kind: 'auth-failed', authId: 'a', reason: 'failed' })
    await emit({ ...ask, inputId: 'k', metadata: { toolCall, provider: 'client' } })
    expect((await other.submit({ ...result, commandId: 'r1' }, user)).status).toBe('accepted')
    await append({ kind: 'tool-complete', toolCallId: 'c', toolName: 'where', success: false, error: 'slow' })
    expect(codes.slice(2)).toEqual(['dropped:auth-failed', 'dropped:tool-complete'])
    expect(errorsIn(await events())).toEqual([])
    await expect(append({ kind: 'input-canceled' })).rejects.toThrow(TypeError)
    await (await log).close()
    await expect(append({ ...canceled, inputId: 'z' })).rejects.toThrow('closed')
  })

  it('are one for a process that has read nothing of the request', async () => {
    const { open, emit, events } = servers()
    const [agent, other] = [await open(), await open()]
    await emit(...begin, { ...ask, metadata: { toolCall, provider: 'client' } }, waiting)
    expect((await agent.submit({ ...result, commandId: 'r1' }, user)).status).toBe('accepted')
    expect((await other.submit({ ...result, commandId: 'r2' }, user)).status).toBe('repeated')
    expect((await other.submit({ ...result, commandId: 'r3', result: 2 }, user)).status).toBe('conflict')
    expect(errorsIn(await events())).toEqual([])
  })

  it('leave a legal stream of a run, whichever processes answer whenever', async () => {
    const step = fc.record({ what: fc.nat(5), turns: fc.nat(40) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 6 }),
        fc.array(step, { maxLength: 12 }),
        async (asks, moves) => {
          const { open, events, log } = servers()
          const [agent, one, two] = [await open(), await open(), await open()]
          const turns = async (count: number): Promise<void> => {
            for (let turn = 0; turn < count; turn++) await Promise.resolve()
          }
          const answers = (async () => {
            for (const [n, { what, turns: count }] of moves.entries()) {
              await turns(count * 5)
              const ledger = n % 2 === 0 ? one : two
              const toolCallId = `c-${n % 6}`
              await (what === 0
                ? ledger.submit({ ...result, commandId: `r-${n}`, toolCallId }, user)
                : ledger.submit(respond(true, `i-${n % 6}`), user))
            }
          })()
          const running = agent.run(context, async function* () {
            for (const [n, { what, turns: count }] of asks.entries()) {
              const call = { ...toolCall, id: `c-${n}` }
              const metadata = what < 3 ? {} : { metadata: { toolCall: call, provider: 'client' } }
              yield { ...ask, inputId: `i-${n}`, ...metadata } as EventDraft
              await turns(count)
              yield waiting as EventDraft
              await turns(count * 5)
              if (what === 5) throw new Error('broken')
              // The agent has waited long enough.
              yield { ...canceled, inputId: `i-${n}` } as EventDraft
              yield { kind: 'task-status', status: 'working' }
            }
          })
          await running.catch(() => undefined)
          await answers
          const stream = await events()
          expect(errorsIn(stream)).toEqual([])
          const ends = stream.flatMap((event) =>
            event.kind === 'input-received' || event.kind === 'input-canceled' ? [event.inputId] : [],
          )
          expect(ends).toEqual([...new Set(ends)])
          for (const ledger of [agent, one, two]) await ledger.release()
          await (await log).release()
        },
      ),
      { numRuns: runs(25) },
    )
  })
})

it('refuses wrong options and senders', async () => {
  const { open, redis } = servers()
  expect(() => redisStore({ client: redis, expiryMs: 1 } as never)).toThrow(TypeError)
  expect(() => redisStore('redis://127.0.0.1' as never)).toThrow(
    new TypeError(
      '"options" must be an object such as { client }, with a client that is connected, got "redis://127.0.0.1".',
    ),
  )
  const ledger = await open()
  await expect(ledger.submit({}, { role: 'root', id: 'x' } as never)).rejects.toThrow('"role" must be')
  await expect(ledger.submit({}, { role: 'user', id: '' })).rejects.toThrow('"id" must be')
})

it.each([
  ['a later version', (state: object) => ({ ...state, format: 99 })],
  ['an unreleased version', ({ format: _, ...state }: Record<string, unknown>) => state],
  ['something else', () => [1]],
  ['nothing', () => null],
  ['half of it', undefined],
])('refuses a stream of which the state was stored by %s, and names it', async (_, change) => {
  const { open, redis } = servers()
  await (await open({ onInput: () => undefined })).submit(send('cmd'), user)
  const ledger = redis.keys.get('turnstream:{s}:ledger') as Map<string, string>
  const text = ledger.get('state') ?? ''
  ledger.set('state', change === undefined ? text.slice(0, 20) : JSON.stringify(change(JSON.parse(text))))
  await expect(open()).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/^Expected the state of stream "s" (?:in format 2|as JSON), got /),
  })
})

describe('a Redis that returns to an older state', () => {
  const step = fc.record({
    type: fc.constantFrom('ask', 'ask', 'answer', 'look', 'look', 'save', 'return', 'end'),
    id: fc.constantFrom('i', 'j'),
    by: fc.nat(1),
  })

  it('is followed by processes that have its streams open', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10, size: 'max' }), async (steps) => {
        const { open, emit, redis } = servers()
        await emit(...begin)
        const processes = await Promise.all([open(), open()])
        let saved = structuredClone(redis.keys)
        for (const { type, id, by } of steps) {
          const own = processes[by] as Stream
          if (type === 'ask') await emit({ ...ask, inputId: id })
          else if (type === 'answer') await own.submit(respond(by, id), user)
          else if (type === 'end') await emit({ kind: 'task-status', status: 'completed' })
          else if (type === 'look') await own.requests()
          else if (type === 'save') saved = structuredClone(redis.keys)
          else {
            redis.flush()
            for (const [key, value] of structuredClone(saved)) redis.keys.set(key, value)
            redis.restart()
          }
        }
        const fresh = await (await open()).requests()
        for (const each of processes) expect(await each.requests()).toEqual(fresh)
      }),
      { numRuns: runs(60) },
    ))
})
