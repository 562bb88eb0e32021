// Proves that a stream keeps the order of what is written, hands answers to whoever waits, lets requests expire, aborts the
// signals of canceled tasks only, and loses nothing when appends fail: over a log that stores no state, and one that does.
import { createEmitter, type Diagnostic, run } from 'turnstream'
import { createCommand, type Sender } from 'turnstream/commands'
import type { AgentInput } from 'turnstream/server'
import {
  closeDangling,
  type EventLog,
  emptyView,
  foldEvents,
  type StateLog,
  verifier,
} from 'turnstream/streams'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OpenOptions, StoreOptions } from '../../src/server/store.ts'
import { openOver, plainLog, Stored, sharedLog } from './shared-log.ts'

const user: Sender = { role: 'user', id: 'user-1' }
const task = { contextId: 'ctx-1', taskId: 'task-1' }

type Options = StoreOptions & Pick<OpenOptions, 'onInput'>

async function server(options: Options = {}, stored = new Stored()) {
  const log = stored.events
  const ledger = await openOver(plainLog(stored), options)
  const { emit } = createEmitter(task)
  const begin = async (): Promise<void> => {
    await ledger.append(emit({ kind: 'task-created', initiator: 'user' }))
    await ledger.append(emit({ kind: 'task-status', status: 'working' }))
  }
  const ask = async (inputId: string, timeout?: number): Promise<void> => {
    const metadata = timeout === undefined ? {} : { metadata: { timeout } }
    await ledger.append(
      emit({ kind: 'input-required', inputId, inputType: 'custom', prompt: '?', ...metadata }),
    )
    await ledger.append(emit({ kind: 'task-status', status: 'waiting-input' }))
  }
  return { log, ledger, emit, begin, ask, stored }
}

const respond = (inputId: string, value?: unknown) =>
  createCommand({ kind: 'input.respond', responses: [{ inputId, ...(value !== undefined && { value }) }] })

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') }))
afterEach(() => vi.useRealTimers())

describe('a stream over a log without a state', () => {
  it('appends in order, and answers with a receipt once what follows is appended', async () => {
    const { log, ledger, emit } = await server()
    for (const event of [
      emit({ kind: 'task-created', initiator: 'user' }),
      emit({ kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?' }),
      emit({ kind: 'task-status', status: 'waiting-input' }),
    ]) {
      void ledger.append(event)
    }
    const receipt = ledger.submit(respond('i', 7), user)
    const rest = ledger.append(emit({ kind: 'content-delta', delta: 'Thanks.' }))
    expect(await receipt).toMatchObject({ status: 'accepted' })
    expect(log.map(({ kind }) => kind).slice(3, 5)).toEqual(['input-received', 'task-status'])
    await rest
    const { push } = run(verifier({ mode: 'strict' }))
    expect(log.flatMap((event) => [...push(event)])).toEqual([])
  })

  it('hands over an answer that comes before or after somebody waits', async () => {
    const { ledger, begin, ask } = await server()
    const early = ledger.answer({ inputId: 'i' })
    await begin()
    await ask('i')
    await ledger.submit(respond('i', 'yes'), user)
    expect(await early).toMatchObject({ value: 'yes' })
    expect(await ledger.answer({ inputId: 'i' })).toMatchObject({ value: 'yes' })
  })

  it('lets a request expire by itself', async () => {
    const { log, ledger, begin, ask } = await server()
    await begin()
    await ask('i', 60)
    const answer = ledger.answer({ inputId: 'i' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(log).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(1)
    expect(await answer).toBeUndefined()
    expect(log.slice(4)).toMatchObject([{ reason: 'expired' }, { status: 'working' }])
    expect((await ledger.submit(respond('i'), user)).status).toBe('expired')
  })

  it('stops waiting when the signal of the caller is aborted, or the stream is released', async () => {
    const { ledger } = await server()
    const controller = new AbortController()
    const [aborted, closed] = [
      expect(ledger.answer({ inputId: 'i' }, { signal: controller.signal })).rejects.toThrow('gone'),
      expect(ledger.answer({ inputId: 'i' })).rejects.toThrow('released'),
    ]
    controller.abort(new Error('gone'))
    await ledger.release()
    await Promise.all([aborted, closed])
  })

  it('rejects what could not be appended, and goes on', async () => {
    const { ledger, emit, stored } = await server()
    stored.onAppend = () => {
      throw new Error('disk full')
    }
    const created = emit({ kind: 'task-created', initiator: 'user' })
    await expect(ledger.append(created)).rejects.toThrow('disk full')
    stored.onAppend = () => {}
    await ledger.append(emit({ kind: 'task-status', status: 'working' }))
  })
})

describe('an event that cannot be appended', () => {
  /** A stream whose n-th event cannot be appended, once. */
  async function failing(nth: number) {
    const stored = new Stored()
    let count = 0
    stored.onAppend = () => {
      if (count++ === nth) throw new Error('disk full')
    }
    return server({}, stored)
  }

  it.each([4, 5])('leaves an answer to be given again, with nothing doubled: number %i', async (nth) => {
    const { log, ledger, emit, begin, ask } = await failing(nth)
    await begin()
    await ask('i')
    const command = respond('i', 'yes')
    const first = await ledger.submit(command, user).catch((error: unknown) => String(error))
    expect(first).toEqual(nth === 4 ? 'Error: disk full' : expect.objectContaining({ status: 'accepted' }))
    const again = await ledger.submit(command, user)
    expect(again.status).toBe(nth === 4 ? 'accepted' : 'repeated')
    expect(await ledger.answer({ inputId: 'i' })).toMatchObject({ value: 'yes' })
    await ledger.append(emit({ kind: 'task-status', status: 'completed' }))
    const { push, end } = run(verifier({ mode: 'strict' }))
    expect([...log.flatMap((event) => [...push(event)]), ...end()]).toEqual([])
  })

  it('after an answer is tried again without another call', async () => {
    const { log, ledger, begin, ask } = await failing(5)
    await begin()
    await ask('i')
    expect((await ledger.submit(respond('i'), user)).status).toBe('accepted')
    expect(log).toHaveLength(5)
    await vi.advanceTimersByTimeAsync(1001)
    expect(log.slice(4)).toMatchObject([{ kind: 'input-received' }, { status: 'working' }])
  })

  it('of the agent has not happened', async () => {
    const { log, ledger, begin, ask } = await failing(2)
    await begin()
    await expect(ask('i')).rejects.toThrow('disk full')
    expect((await ledger.submit(respond('i'), user)).status).toBe('unknown-request')
    await ask('i')
    expect(log).toHaveLength(4)
  })

  it('is tried again if a request has expired', async () => {
    const { log, begin, ask } = await failing(4)
    await begin()
    await ask('i', 60)
    await vi.advanceTimersByTimeAsync(60_002)
    expect(log).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(1001)
    expect(log.slice(4)).toMatchObject([{ reason: 'expired' }, { status: 'working' }])
  })
})

describe('a log without a state', () => {
  const state = { kind: 'task-status', status: 'working' } as const

  it('takes commands after events that were appended elsewhere, or whose answer was lost', async () => {
    const stored = new Stored()
    const log = plainLog(stored)
    let isLost = false
    const append: EventLog['append'] = async (event) => {
      const position = await log.append(event)
      if (isLost) throw new Error('answer lost')
      return position
    }
    const stream = await openOver({ ...log, append })
    const { emit } = createEmitter(task)
    await stream.append(emit({ kind: 'task-created', initiator: 'user' }))
    await log.append(emit(state))
    await log.append(emit({ kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?' }))
    expect((await stream.submit(respond('i'), user)).status).toBe('accepted')
    isLost = true
    await expect(stream.append(emit(state))).rejects.toThrow('answer lost')
    isLost = false
    await stream.append(emit({ kind: 'input-required', inputId: 'j', inputType: 'custom', prompt: '?' }))
    expect((await stream.submit(respond('j'), user)).status).toBe('accepted')
  })

  it('gets no fields that are null, which count as absent', async () => {
    const { log, ledger, emit } = await server()
    await ledger.append({ ...emit({ kind: 'task-created', initiator: 'user' }), parentTaskId: null } as never)
    expect(log[0]).not.toHaveProperty('parentTaskId')
  })
})

describe('a status that waits', () => {
  it('is not appended once all requests are answered, however many there were', async () => {
    const { log, ledger, emit, begin, ask } = await server()
    await begin()
    await ask('i')
    await ledger.append(emit({ kind: 'input-required', inputId: 'j', inputType: 'custom', prompt: '?' }))
    await ledger.submit(respond('i'), user)
    await ledger.submit(respond('j'), user)
    const { length } = log
    await ledger.append(emit({ kind: 'task-status', status: 'waiting-input' }))
    expect(log).toHaveLength(length)
    await ask('k')
    expect(log).toHaveLength(length + 2)
  })

  it('for an authentication is not one for the input that was answered before', async () => {
    const { log, ledger, emit, begin } = await server()
    await begin()
    await ledger.append(emit({ kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?' }))
    await ledger.submit(respond('i'), user)
    await ledger.append(emit({ kind: 'auth-required', authId: 'a', authType: 'custom', prompt: '?' }))
    const { length } = log
    await ledger.append(emit({ kind: 'task-status', status: 'waiting-input' }))
    expect(log).toHaveLength(length)
  })
})

describe('input that the agent does not take', () => {
  it('is delivered again when the sender tries again', async () => {
    const taken: unknown[] = []
    let fails = true
    const { ledger } = await server({
      onInput: (_, { commandId }) => {
        if (fails) throw new Error('queue down')
        taken.push(commandId)
      },
    })
    const command = createCommand({ kind: 'task.send', input: 'Hi' })
    await expect(ledger.submit(command, user)).rejects.toThrow('queue down')
    fails = false
    expect((await ledger.submit(command, user)).status).toBe('accepted')
    expect((await ledger.submit(command, user)).status).toBe('repeated')
    expect(taken).toEqual([command.commandId])
  })

  it('is reported if an async onInput rejects after it took the input', async () => {
    const [taken, found]: [unknown[], Diagnostic[]] = [[], []]
    const { ledger } = await server({
      onInput: async (_, input) => {
        taken.push(input)
        throw new Error('queue down')
      },
      onDiagnostic: (diagnostic) => found.push(diagnostic),
    })
    const send = createCommand({ kind: 'task.send', input: 'Hi' })
    expect((await ledger.submit(send, user)).status).toBe('accepted')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(taken).toHaveLength(1)
    expect(found).toMatchObject([
      { code: 'one-process' },
      { code: 'input-failed', detail: { commandId: send.commandId } },
    ])
  })

  it('names its task, which the receipt of a repeated command names too', async () => {
    const taken: AgentInput[] = []
    const { ledger } = await server({ onInput: (_, input) => taken.push(input) })
    const send = createCommand({ kind: 'task.send', input: 'Hi', contextId: 'ctx-1' })
    const taskIds = [await ledger.submit(send, user), await ledger.submit(send, user)].map(
      ({ results }) => results[0]?.taskId,
    )
    expect(taken).toEqual([
      {
        ...{ contextId: 'ctx-1', taskId: taskIds[0], input: 'Hi', sender: user },
        ...{ commandId: send.commandId, isResumed: false },
      },
    ])
    expect(taskIds).toEqual([expect.stringMatching(/^task-[0-9a-f]{32}$/), taskIds[0]])
  })
})

describe('an onDiagnostic that throws', () => {
  it('loses no command, no event and no input', async () => {
    const taken: string[] = []
    const { log, ledger, emit, begin } = await server({
      maxEntries: 1,
      onInput: (_, { commandId }) => taken.push(commandId),
      onDiagnostic: ({ code }) => {
        throw new Error(code)
      },
    })
    await begin()
    for (const inputId of ['i', 'j']) {
      await ledger.append(emit({ kind: 'input-required', inputId, inputType: 'custom', prompt: '?' }))
    }
    expect(log.at(-1)).toMatchObject({ kind: 'input-canceled', inputId: 'j' })
    for (let i = 0; i < 4; i++) {
      expect(
        (
          await ledger.submit(
            createCommand({ kind: 'task.send', input: i }, { now: () => Date.now() + i }),
            user,
          )
        ).status,
      ).toBe('accepted')
    }
    expect(taken).toHaveLength(4)
    await ledger.append(emit({ kind: 'input-canceled', inputId: 'j', reason: 'withdrawn' }))
  })
})

describe('new input that nobody takes', () => {
  it.each([
    ['for a new task', {}, 'onInput'],
    ['for one that runs', { taskId: 'task-1' }, 'reads no input'],
  ])('is refused as unsupported, and stored nowhere: %s', async (_, of, reason) => {
    const stored = new Stored()
    const stream = await openOver(sharedLog(stored))
    await stream.append(createEmitter(task).emit({ kind: 'task-created', initiator: 'user' }))
    const { length } = stored.events
    const receipt = await stream.submit(createCommand({ kind: 'task.send', input: 'Hi', ...of }), user)
    expect(receipt).toMatchObject({
      status: 'unsupported',
      results: [{ ...of, message: expect.stringContaining(reason) }],
    })
    expect([stored.events.length, stored.state.version]).toEqual([length, '0'])
    await stream.release()
  })

  it('states to a sender no more than a ledger that takes it', async () => {
    const { ledger, begin } = await server()
    await begin()
    const statusOf = async (taskId: string, role: Sender['role']): Promise<string> =>
      (await ledger.submit(createCommand({ kind: 'task.send', input: 1, taskId }), { role, id: 'u' })).status
    expect(await statusOf('task-9', 'user')).toBe('unknown-task')
    expect(await statusOf('task-1', 'observer')).toBe('forbidden')
  })
})

describe('an event of the agent that comes too late', () => {
  it('is not appended, and reported', async () => {
    const codes: string[] = []
    const onDiagnostic = ({ code }: Diagnostic): unknown => code !== 'one-process' && codes.push(code)
    const { log, ledger, emit, begin } = await server({ onDiagnostic })
    await begin()
    const toolCall = { id: 'c', function: { name: 't', arguments: '{}' } }
    const asked = { kind: 'input-required', inputType: 'tool-execution', prompt: '?' } as const
    await ledger.append(emit({ ...asked, inputId: 'i', metadata: { toolCall, provider: 'client' } }))
    await ledger.submit(createCommand({ kind: 'tool.result', toolCallId: 'c', success: true }), user)
    const { length } = log
    await ledger.append(emit({ kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' }))
    await ledger.append(emit({ kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: false }))
    expect(log).toHaveLength(length)
    await ledger.append(emit({ kind: 'auth-required', authId: 'a', authType: 'custom', prompt: '?' }))
    await ledger.submit(createCommand({ kind: 'auth.respond', authId: 'a', outcome: 'completed' }), user)
    await ledger.append(emit({ kind: 'auth-failed', authId: 'a', reason: 'failed' }))
    await ledger.append(emit({ kind: 'task-status', status: 'waiting-auth' }))
    expect(log).toHaveLength(length + 2)
    // A status that waits for what is answered loses nothing.
    expect(codes).toEqual(['input-canceled', 'tool-complete', 'auth-failed'].map((kind) => `dropped:${kind}`))
    await ledger.append(emit({ kind: 'input-canceled', inputId: 'unknown', reason: 'withdrawn' }))
    expect(log).toHaveLength(length + 3)
  })
})

describe('a log that stores the state', () => {
  /** Streams that continue from what is stored. `stop` lets the latest one stop before it stores anything else. */
  function processes() {
    const stored = new Stored()
    const next = (options: Options = {}) => {
      const log = sharedLog(stored)
      let isStopped = false
      const stop = (): void => {
        isStopped = true
      }
      const appendIf: StateLog['appendIf'] = async (...args) => {
        if (isStopped) throw new Error('stopped')
        return log.appendIf(...args)
      }
      return { stream: openOver({ ...log, appendIf } as StateLog, options), stop }
    }
    return { next, stored }
  }
  const created = createEmitter(task).emit({ kind: 'task-created', initiator: 'user' })
  const send = createCommand({ kind: 'task.send', input: 'Hi' })

  it('lets the next process continue: requests, answers and their expiry', async () => {
    const { next, stored } = processes()
    const first = await next().stream
    const { emit } = createEmitter(task)
    await first.append(created)
    for (const [inputId, metadata] of [
      ['i', { timeout: 60 }],
      ['j', {}],
    ] as const) {
      await first.append(
        emit({ kind: 'input-required', inputId, inputType: 'custom', prompt: '?', metadata }),
      )
    }
    await first.submit(respond('j', 'yes'), user)
    expect(await first.requests()).toMatchObject([{ id: 'i' }])
    await first.release()
    const codes: string[] = []
    const second = await next({ onDiagnostic: ({ code }) => codes.push(code) }).stream
    expect(await second.answer({ inputId: 'j' })).toMatchObject({ value: 'yes' })
    const { length } = stored.events
    await vi.advanceTimersByTimeAsync(61_000)
    expect(stored.events.slice(length)).toMatchObject([{ kind: 'input-canceled', inputId: 'i' }])
    await second.append(emit({ kind: 'input-required', inputId: 'j', inputType: 'custom', prompt: 'Other' }))
    await second.requests()
    expect(codes).toEqual(['repeated-request'])
    await second.release()
  })

  it('lets the next process know which tasks are to stop, and which commands were accepted', async () => {
    const { next } = processes()
    const first = await next({ onInput: () => {} }).stream
    await first.append(created)
    expect((await first.submit(send, user)).status).toBe('accepted')
    expect((await first.submit(createCommand({ kind: 'task.cancel' }), user)).status).toBe('accepted')
    const taken: unknown[] = []
    const second = await next({ onInput: (_, input) => taken.push(input) }).stream
    expect(second.signalOf(task).aborted).toBe(true)
    expect((await second.submit(send, user)).status).toBe('repeated')
    expect(taken).toEqual([])
    await Promise.all([first.release(), second.release()])
  })

  it('hands input over that was stored and not taken, once', async () => {
    const { next } = processes()
    const first = next({ onInput: () => first.stop() })
    expect((await (await first.stream).submit(send, user)).status).toBe('accepted')
    // It stopped while it handed the input over: nobody knows whether it was taken. Without onInput, it is kept.
    const idle = await next().stream
    await idle.append(created)
    const taken: string[] = []
    let fails = true
    const onInput = (_: unknown, { commandId }: AgentInput): void => {
      if (fails) throw new Error('queue down')
      taken.push(commandId)
    }
    const second = await next({ onInput }).stream
    await vi.advanceTimersByTimeAsync(2000)
    fails = false
    expect((await second.submit(send, user)).status).toBe('repeated')
    await vi.advanceTimersByTimeAsync(2000)
    expect(taken).toEqual([send.commandId])
    const third = await next({ onInput }).stream
    await vi.advanceTimersByTimeAsync(2000)
    expect(taken).toHaveLength(1)
    await Promise.all([idle.release(), second.release(), third.release()])
  })

  it('refuses what cannot be stored, and accepts it again', async () => {
    const { next } = processes()
    const taken: string[] = []
    const { stream, stop } = next({ onInput: (_, { commandId }) => taken.push(commandId) })
    const ledger = await stream
    await ledger.append(created)
    const cancel = createCommand({ kind: 'task.cancel' })
    stop()
    await expect(ledger.submit(send, user)).rejects.toThrow('stopped')
    await expect(ledger.submit(cancel, user)).rejects.toThrow('stopped')
    expect(ledger.signalOf(task).aborted).toBe(false)
    expect(taken).toEqual([])
    await ledger.release()
    const other = await next({ onInput: (_, { commandId }) => taken.push(commandId) }).stream
    expect((await other.submit(send, user)).status).toBe('accepted')
    expect((await other.submit(cancel, user)).status).toBe('accepted')
    expect(taken).toEqual([send.commandId])
    await other.release()
  })

  it('follows what other processes store again after that has failed', async () => {
    const stored = new Stored()
    const log = sharedLog(stored)
    let failures = 2
    const changes: StateLog['changes'] = async function* (signal) {
      if (failures-- > 0) throw new Error('no connection')
      yield* log.changes(signal)
    }
    const stream = await openOver({ ...log, changes } as StateLog)
    const other = await openOver(log)
    await other.append(created)
    const signal = stream.signalOf(task)
    await other.submit(createCommand({ kind: 'task.cancel' }), user)
    await vi.advanceTimersByTimeAsync(5000)
    expect(signal.aborted).toBe(true)
    await Promise.all([stream.release(), other.release()])
  })

  it('stores nothing for what changes nothing', async () => {
    const { next, stored } = processes()
    const ledger = await next().stream
    await ledger.submit({}, user)
    await ledger.submit(createCommand({ kind: 'task.cancel' }), user)
    await ledger.append(created)
    expect(stored.state.version).toBe('0')
    await ledger.release()
  })
})

describe('the signal of a task', () => {
  it('is aborted by a cancel and by nothing else, and what was written so far is kept', async () => {
    const { log, ledger, emit, begin } = await server()
    await begin()
    const signal = ledger.signalOf(task)
    await ledger.append(emit({ kind: 'content-delta', delta: 'The first half' }))
    await ledger.submit(createCommand({ kind: 'stream.resume' }), user)
    expect(signal.aborted).toBe(false)
    await ledger.submit(createCommand({ kind: 'task.cancel', taskId: 'task-1', reason: 'Enough.' }), user)
    expect(signal.aborted).toBe(true)
    expect(ledger.signalOf(task).aborted).toBe(true)

    const at = new Date().toISOString()
    const closing = closeDangling(foldEvents(emptyView, log), { reason: 'Enough.', status: 'canceled', at })
    for (const event of closing) await ledger.append(event)
    const view = foldEvents(emptyView, log)
    expect(view.tasks[0]).toMatchObject({
      status: 'canceled',
      parts: [{ type: 'text', text: 'The first half' }],
    })
    const { push } = run(verifier({ mode: 'strict' }))
    expect(log.flatMap((event) => [...push(event)]).filter(({ severity }) => severity === 'error')).toEqual(
      [],
    )
  })

  it('of a task that has ended is forgotten, not aborted', async () => {
    const { ledger, emit, begin } = await server()
    await begin()
    const signal = ledger.signalOf(task)
    await ledger.append(emit({ kind: 'task-status', status: 'completed' }))
    await ledger.submit(createCommand({ kind: 'task.cancel' }), user)
    expect(signal.aborted).toBe(false)
  })

  it('is the same for whoever asks', async () => {
    const { ledger } = await server()
    expect(ledger.signalOf(task)).toBe(ledger.signalOf({ ...task }))
    expect(ledger.signalOf(task)).not.toBe(ledger.signalOf({ ...task, taskId: 'task-2' }))
  })
})
