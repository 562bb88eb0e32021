// Proves that a ledger in one process keeps the order of its stream, hands answers to whoever waits, lets requests
// expire, and aborts the signals of canceled tasks only.
import { type ContextAnyEvent, createEmitter, type Diagnostic, run } from 'turnstream'
import {
  type CommandLedgerState,
  type CreateLedgerOptions,
  createCommand,
  createLedger,
  openRequests,
  type Sender,
} from 'turnstream/commands'
import { closeDangling, emptyView, foldEvents, verifier } from 'turnstream/streams'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const user: Sender = { role: 'user', id: 'user-1' }
const task = { contextId: 'ctx-1', taskId: 'task-1' }

function server(options: Partial<CreateLedgerOptions> = {}) {
  const log: ContextAnyEvent[] = []
  const append = async (event: ContextAnyEvent): Promise<void> => {
    await Promise.resolve()
    log.push(event)
  }
  const ledger = createLedger({ append, ...options })
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
  return { log, ledger, emit, begin, ask }
}

const respond = (inputId: string, value?: unknown) =>
  createCommand({ kind: 'input.respond', responses: [{ inputId, ...(value !== undefined && { value }) }] })

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') }))
afterEach(() => vi.useRealTimers())

describe('a ledger in one process', () => {
  it('appends in order, and answers with a receipt once what follows is appended', async () => {
    const { log, ledger, emit } = server()
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
    const { ledger, begin, ask } = server()
    const early = ledger.answer({ inputId: 'i' })
    await begin()
    await ask('i')
    await ledger.submit(respond('i', 'yes'), user)
    expect(await early).toMatchObject({ value: 'yes' })
    expect(await ledger.answer({ inputId: 'i' })).toMatchObject({ value: 'yes' })
  })

  it('lets a request expire by itself', async () => {
    const { log, ledger, begin, ask } = server()
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

  it('stops waiting when the signal of the caller is aborted, or the ledger is closed', async () => {
    const { ledger } = server()
    const controller = new AbortController()
    const [aborted, closed] = [
      expect(ledger.answer({ inputId: 'i' }, { signal: controller.signal })).rejects.toThrow('gone'),
      expect(ledger.answer({ inputId: 'i' })).rejects.toThrow('closed'),
    ]
    controller.abort(new Error('gone'))
    ledger.close()
    await Promise.all([aborted, closed])
  })

  it('rejects what could not be appended, and goes on', async () => {
    let fails = true
    const { ledger, emit } = server({
      append: () => {
        if (fails) throw new Error('disk full')
      },
    })
    await expect(ledger.append(emit({ kind: 'task-created', initiator: 'user' }))).rejects.toThrow(
      'disk full',
    )
    fails = false
    await ledger.append(emit({ kind: 'task-status', status: 'working' }))
  })
})

describe('an event that cannot be appended', () => {
  /** A ledger whose `append` fails for the n-th event, once. */
  function failing(nth: number) {
    const log: ContextAnyEvent[] = []
    let count = 0
    const append = (event: ContextAnyEvent): void => {
      if (count++ === nth) throw new Error('disk full')
      log.push(event)
    }
    return { ...server({ append }), log }
  }

  it.each([4, 5])('leaves an answer to be given again, with nothing doubled: number %i', async (nth) => {
    const { log, ledger, emit, begin, ask } = failing(nth)
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
    const { log, ledger, begin, ask } = failing(5)
    await begin()
    await ask('i')
    expect((await ledger.submit(respond('i'), user)).status).toBe('accepted')
    expect(log).toHaveLength(5)
    await vi.advanceTimersByTimeAsync(1001)
    expect(log.slice(4)).toMatchObject([{ kind: 'input-received' }, { status: 'working' }])
  })

  it('does not keep a task from being canceled', async () => {
    const log: ContextAnyEvent[] = []
    const saved: string[] = []
    let isFull = false
    const options = {
      append: (event: ContextAnyEvent) => {
        if (isFull && event.kind !== 'input-received') throw new Error('disk full')
        log.push(event)
      },
      save: (state: CommandLedgerState) => saved.push(JSON.stringify(state)),
    }
    const { ledger, emit, begin, ask } = server(options)
    await begin()
    const toolCall = { id: 'c', function: { name: 't', arguments: '{}' } }
    const asked = { inputId: 'i', inputType: 'tool-execution', prompt: '?' } as const
    await ledger.append(
      emit({ kind: 'input-required', ...asked, metadata: { toolCall, provider: 'client' } }),
    )
    await ask('j')
    isFull = true
    const result = createCommand({ kind: 'tool.result', toolCallId: 'c', success: true })
    expect((await ledger.submit(result, user)).status).toBe('accepted')
    const { length } = log
    const signal = ledger.signalOf(task)
    await expect(ledger.submit(respond('j'), user)).rejects.toThrow('disk full')
    const unknown = createCommand({ kind: 'task.cancel', taskId: 'task-9' })
    expect((await ledger.submit(unknown, user)).status).toBe('unknown-task')
    expect(saved).toEqual([])
    const cancel = createCommand({ kind: 'task.cancel', taskId: 'task-1' })
    expect((await ledger.submit(cancel, user)).status).toBe('accepted')
    expect(signal.aborted).toBe(true)
    expect((await ledger.submit(cancel, user)).status).toBe('repeated')
    expect(log).toHaveLength(length)
    expect(saved).toHaveLength(1)
    isFull = false
    // Whether it is this process or the next one that appends them.
    const state = JSON.parse(saved[0] ?? '') as CommandLedgerState
    const before = [...log]
    await vi.advanceTimersByTimeAsync(1001)
    // The task works while the call runs, and waits again.
    const kinds = ['task-status', 'tool-start', 'tool-complete', 'task-status', 'input-canceled']
    expect(log.slice(length).map(({ kind }) => kind)).toEqual(kinds)
    ledger.close()
    log.splice(0, log.length, ...before)
    await createLedger({ ...options, state }).requests()
    expect(log.slice(length).map(({ kind }) => kind)).toEqual(kinds)
    const { push } = run(verifier({ mode: 'strict' }))
    expect(log.flatMap((event) => [...push(event)]).filter(({ severity }) => severity === 'error')).toEqual(
      [],
    )
  })

  it('of the agent has not happened', async () => {
    const { log, ledger, begin, ask } = failing(2)
    await begin()
    await expect(ask('i')).rejects.toThrow('disk full')
    expect((await ledger.submit(respond('i'), user)).status).toBe('unknown-request')
    await ask('i')
    expect(log).toHaveLength(4)
  })

  it('is tried again if a request has expired', async () => {
    const { log, begin, ask } = failing(4)
    await begin()
    await ask('i', 60)
    await vi.advanceTimersByTimeAsync(60_002)
    expect(log).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(1001)
    expect(log.slice(4)).toMatchObject([{ reason: 'expired' }, { status: 'working' }])
  })
})

describe('a status that waits', () => {
  it('is not appended once all requests are answered, however many there were', async () => {
    const { log, ledger, emit, begin, ask } = server()
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
    const { log, ledger, emit, begin } = server()
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
    const { ledger } = server({
      onOutput: (output) => {
        if (fails) throw new Error('queue down')
        taken.push(output)
      },
    })
    const command = createCommand({ kind: 'task.send', input: 'Hi' })
    await expect(ledger.submit(command, user)).rejects.toThrow('queue down')
    fails = false
    expect((await ledger.submit(command, user)).status).toBe('accepted')
    expect((await ledger.submit(command, user)).status).toBe('repeated')
    expect(taken).toMatchObject([{ type: 'send', command }])
  })

  it('is reported if an async onOutput rejects after it took the output', async () => {
    const [taken, found]: [unknown[], Diagnostic[]] = [[], []]
    const { ledger, begin } = server({
      onOutput: async (output) => {
        taken.push(output)
        throw new Error('queue down')
      },
      onDiagnostic: (diagnostic) => found.push(diagnostic),
    })
    await begin()
    const cancel = createCommand({ kind: 'task.cancel', taskId: 'task-1' })
    expect((await ledger.submit(cancel, user)).status).toBe('accepted')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(taken).toHaveLength(1)
    expect(found).toMatchObject([{ code: 'output-failed', detail: { type: 'cancel' } }])
  })

  it('if it is a cancel, is handed over again until it is taken, and the task stops at once', async () => {
    const [taken, codes]: [unknown[], string[]] = [[], []]
    let fails = 2
    const { ledger, begin } = server({
      onOutput: (output) => {
        if (fails-- > 0) throw new Error('queue down')
        taken.push(output)
      },
      onDiagnostic: ({ code }) => codes.push(code),
    })
    await begin()
    const signal = ledger.signalOf(task)
    const cancel = createCommand({ kind: 'task.cancel', taskId: 'task-1' })
    expect((await ledger.submit(cancel, user)).status).toBe('accepted')
    expect(signal.aborted).toBe(true)
    expect((await ledger.submit(cancel, user)).status).toBe('repeated')
    expect(taken).toEqual([])
    expect(codes).toEqual(['output-not-taken', 'output-not-taken'])
    await vi.advanceTimersByTimeAsync(1001)
    expect(taken).toEqual([{ type: 'cancel', ...task }])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(taken).toHaveLength(1)
  })

  it('is kept within bounds', async () => {
    const calls: string[] = []
    const { ledger, emit } = server({
      onOutput: (output) => {
        if (output.type === 'cancel') calls.push(output.taskId)
        throw new Error('queue down')
      },
    })
    for (let i = 0; i < 1010; i++) {
      await ledger.append({ ...emit({ kind: 'task-created', initiator: 'user' }), taskId: `t-${i}` })
    }
    await ledger.submit(createCommand({ kind: 'task.cancel' }), user)
    calls.length = 0
    await vi.advanceTimersByTimeAsync(1001)
    expect(calls).toHaveLength(1000)
  })
})

describe('an onDiagnostic that throws', () => {
  it('loses no command, no event and no input', async () => {
    const taken: string[] = []
    const { log, ledger, emit, begin } = server({
      maxEntries: 1,
      onOutput: ({ type }) => taken.push(type),
      onDiagnostic: ({ code }) => {
        throw new Error(code)
      },
    })
    await begin()
    for (const inputId of ['i', 'j']) {
      await ledger.append(emit({ kind: 'input-required', inputId, inputType: 'custom', prompt: '?' }))
    }
    expect(log.at(-1)).toMatchObject({ kind: 'input-canceled', inputId: 'i' })
    for (let i = 0; i < 4; i++) {
      expect((await ledger.submit(createCommand({ kind: 'task.send', input: i }), user)).status).toBe(
        'accepted',
      )
    }
    expect(taken).toHaveLength(4)
    await ledger.append(emit({ kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' }))
  })
})

describe('new input that nobody takes', () => {
  it.each([{}, { taskId: 'task-1' }])('is refused as unsupported, and stored nowhere: %j', async (of) => {
    const saved: unknown[] = []
    const { log, ledger, begin } = server({ save: (state) => saved.push(state) })
    await begin()
    const { length } = log
    const before = ledger.state
    const receipt = await ledger.submit(createCommand({ kind: 'task.send', input: 'Hi', ...of }), user)
    expect(receipt).toMatchObject({
      status: 'unsupported',
      results: [{ ...of, message: expect.stringContaining('onOutput') }],
    })
    expect(ledger.state).toEqual(before)
    expect([log.length, saved.length]).toEqual([length, 0])
  })

  it('states to a sender no more than a ledger that takes it', async () => {
    const { ledger, begin } = server()
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
    const { log, ledger, emit, begin } = server({ onDiagnostic: ({ code }) => codes.push(code) })
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
    expect(codes).toEqual(
      ['input-canceled', 'tool-complete', 'auth-failed', 'task-status'].map((kind) => `dropped:${kind}`),
    )
    await ledger.append(emit({ kind: 'input-canceled', inputId: 'unknown', reason: 'withdrawn' }))
    expect(log).toHaveLength(length + 3)
  })
})

describe('the state', () => {
  it('is plain JSON, and a ledger that is created with it continues', async () => {
    const { ledger, begin, ask } = server()
    await begin()
    await ask('i', 60)
    await ask('j')
    await ledger.submit(respond('j', 'yes'), user)
    expect(openRequests(ledger.state)).toMatchObject([{ id: 'i' }])
    ledger.close()
    const codes: string[] = []
    const state = JSON.parse(JSON.stringify(ledger.state)) as typeof ledger.state
    const { log, ledger: next, emit } = server({ state, onDiagnostic: ({ code }) => codes.push(code) })
    expect(await next.answer({ inputId: 'j' })).toMatchObject({ value: 'yes' })
    await vi.advanceTimersByTimeAsync(60_001)
    expect(log).toMatchObject([{ kind: 'input-canceled', inputId: 'i' }, { status: 'working' }])
    const repeated = { kind: 'input-required', inputId: 'j', inputType: 'custom', prompt: 'Other' } as const
    await next.append(emit(repeated))
    expect(codes).toEqual(['repeated-request'])
  })
})

describe('a process that stores the state', () => {
  /** Ledgers that continue from what was stored last. `stop` lets the latest one stop before it does anything else. */
  function processes(options: Partial<CreateLedgerOptions> = {}) {
    let stored: string | undefined
    let isStopped = false
    const log: ContextAnyEvent[] = []
    const store = (state: CommandLedgerState): void => {
      if (isStopped) throw new Error('stopped')
      stored = JSON.stringify(state)
    }
    const next = (more: Partial<CreateLedgerOptions> = {}) => {
      isStopped = false
      const append = (event: ContextAnyEvent, state: CommandLedgerState): void => {
        store(state)
        log.push(event)
      }
      const state = stored === undefined ? {} : { state: JSON.parse(stored) as CommandLedgerState }
      return createLedger({ append, save: store, ...state, ...options, ...more })
    }
    const stop = (): void => {
      isStopped = true
    }
    return { next, stop, log }
  }
  const created = createEmitter(task).emit({ kind: 'task-created', initiator: 'user' })
  const send = createCommand({ kind: 'task.send', input: 'Hi' })

  it('knows after a restart which tasks are to stop, and which commands were accepted', async () => {
    const { next } = processes()
    const first = next({ onOutput: () => {} })
    await first.append(created)
    expect((await first.submit(send, user)).status).toBe('accepted')
    expect((await first.submit(createCommand({ kind: 'task.cancel' }), user)).status).toBe('accepted')
    const taken: unknown[] = []
    const second = next({ onOutput: (output) => taken.push(output) })
    expect(second.signalOf(task).aborted).toBe(true)
    expect((await second.submit(send, user)).status).toBe('repeated')
    expect(taken).toEqual([])
  })

  it('keeps input that was stored and not taken if the ledger has no onOutput', async () => {
    const { next, stop } = processes()
    expect((await next({ onOutput: stop }).submit(send, user)).status).toBe('accepted')
    await next().append(created)
    const taken: unknown[] = []
    await next({ onOutput: (output) => taken.push(output) }).requests()
    expect(taken).toMatchObject([{ type: 'send', command: send }])
  })

  it('hands input over that was stored and not taken', async () => {
    const { next, stop } = processes()
    const first = next({ onOutput: stop })
    expect((await first.submit(send, user)).status).toBe('accepted')
    // It stopped while it handed the input over: nobody knows whether it was taken.
    const taken: unknown[] = []
    let fails = true
    const second = next({
      onOutput: (output) => {
        if (fails) throw new Error('queue down')
        taken.push(output)
      },
    })
    expect((await second.submit(send, user)).status).toBe('repeated')
    fails = false
    await vi.advanceTimersByTimeAsync(1001)
    expect(taken).toMatchObject([{ type: 'send', command: send, sender: user }])
    await next({ onOutput: (output) => taken.push(output) }).requests()
    expect(taken).toHaveLength(1)
  })

  it('refuses what cannot be saved, and accepts it again', async () => {
    let fails = true
    const taken: string[] = []
    const ledger = createLedger({
      append: () => undefined,
      save: async () => {
        if (fails) throw new Error('disk full')
      },
      onOutput: ({ type }) => taken.push(type),
    })
    await ledger.append(created)
    const cancel = createCommand({ kind: 'task.cancel' })
    await expect(ledger.submit(send, user)).rejects.toThrow('disk full')
    await expect(ledger.submit(cancel, user)).rejects.toThrow('disk full')
    expect(ledger.signalOf(task).aborted).toBe(false)
    expect(taken).toEqual([])
    fails = false
    expect((await ledger.submit(send, user)).status).toBe('accepted')
    expect((await ledger.submit(cancel, user)).status).toBe('accepted')
    expect(taken).toEqual(['send', 'cancel'])
  })

  it('saves nothing for what changes nothing', async () => {
    let saves = 0
    const ledger = createLedger({ append: () => undefined, save: () => saves++ })
    await ledger.submit({}, user)
    await ledger.submit(createCommand({ kind: 'task.cancel' }), user)
    await ledger.append(created)
    expect(saves).toBe(0)
  })
})

describe('the signal of a task', () => {
  it('is aborted by a cancel and by nothing else, and what was written so far is kept', async () => {
    const outputs: string[] = []
    const { log, ledger, emit, begin } = server({ onOutput: ({ type }) => outputs.push(type) })
    await begin()
    const signal = ledger.signalOf(task)
    await ledger.append(emit({ kind: 'content-delta', delta: 'The first half' }))
    await ledger.submit(createCommand({ kind: 'stream.resume' }), user)
    expect(signal.aborted).toBe(false)
    await ledger.submit(createCommand({ kind: 'task.cancel', taskId: 'task-1', reason: 'Enough.' }), user)
    expect(signal.aborted).toBe(true)
    expect(ledger.signalOf(task).aborted).toBe(true)
    expect(outputs).toEqual(['cancel'])

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
    const { ledger, emit, begin } = server()
    await begin()
    const signal = ledger.signalOf(task)
    await ledger.append(emit({ kind: 'task-status', status: 'completed' }))
    await ledger.submit(createCommand({ kind: 'task.cancel' }), user)
    expect(signal.aborted).toBe(false)
  })

  it('is the same for whoever asks', () => {
    const { ledger } = server()
    expect(ledger.signalOf(task)).toBe(ledger.signalOf({ ...task }))
    expect(ledger.signalOf(task)).not.toBe(ledger.signalOf({ ...task, taskId: 'task-2' }))
  })
})
