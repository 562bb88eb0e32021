// Proves that no call starts without the approval that it needs, whoever writes, and that none which has it is held back.
import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter, type EventDraft } from 'turnstream'
import { createCommand, type Sender } from 'turnstream/commands'
import { redisStore } from 'turnstream/redis'
import { ApprovalError, logStore, memoryStore, type Stream } from 'turnstream/server'
import { afterEach, describe, expect, it } from 'vitest'
import type { StoreOptions } from '../../src/server/store.ts'
import { anyone } from '../support/anyone.ts'
import { createRedisInMemory } from '../support/redis-in-memory.ts'
import { runs } from '../support/runs.ts'
import { plainLog, Stored, sharedLog } from './shared-log.ts'

const user: Sender = { role: 'user', id: 'user-1' }
const taskA = { contextId: 'ctx-1', taskId: 'a' }
const taskB = { contextId: 'ctx-1', taskId: 'b' }
const needsApproval: StoreOptions['needsApproval'] = ({ toolName }) => toolName === 'pay'

const opened: Stream[] = []
afterEach(async () => {
  for (const stream of opened.splice(0)) await stream.release()
})

/** What several processes write to: each call opens the stream as a process of its own, if the store has any. */
type World = (options?: StoreOptions) => Promise<Stream>

const worlds: Record<string, () => World> = {
  'in memory': () => {
    const store = memoryStore({ ...anyone, needsApproval })
    return (options) => (options === undefined ? store : memoryStore({ ...anyone, ...options })).open('s')
  },
  'over a log with a state': () => {
    const log = sharedLog(new Stored())
    return (options = {}) => logStore({ open: () => log, ...anyone, needsApproval, ...options }).open('s')
  },
  'over a log without a state': () => {
    const log = plainLog(new Stored())
    return (options = {}) => logStore({ open: () => log, ...anyone, needsApproval, ...options }).open('s')
  },
  'on Redis': () => {
    const redis = createRedisInMemory()
    return (options = {}) => {
      const client = Object.create(redis) as typeof redis
      return redisStore({ client, ...anyone, needsApproval, ...options }).open('s')
    }
  },
}

async function opening(world: World, options?: StoreOptions): Promise<Stream> {
  const stream = await world(options)
  opened.push(stream)
  return stream
}

/** What a task appends through a stream. */
function writer(stream: Stream, task = taskA) {
  const { emit } = createEmitter(task)
  const append = async (...drafts: EventDraft[]): Promise<void> => {
    for (const draft of drafts) await stream.append(emit(draft))
  }
  return {
    append,
    begin: () =>
      append({ kind: 'task-created', initiator: 'user' }, { kind: 'task-status', status: 'working' }),
    ask: (inputId = 'i', args = '{"to":"bob"}', toolCallId = 'c', more: object = {}) =>
      append({
        ...{ kind: 'input-required', inputId, inputType: 'tool-execution', prompt: 'Pay?' },
        schema: { properties: { arguments: { type: 'object' } } },
        metadata: { toolCall: { id: toolCallId, function: { name: 'pay', arguments: args } }, ...more },
      }),
    start: (args: Record<string, unknown> = { to: 'bob' }, toolCallId = 'c', more: object = {}) =>
      append({ kind: 'tool-start', toolCallId, toolName: 'pay', arguments: args, ...more }),
  }
}

type Response = { outcome?: 'answered' | 'declined'; value?: unknown; taskId?: string; inputId?: string }

const respond = (stream: Stream, { inputId = 'i', outcome = 'answered', ...more }: Response = {}) =>
  stream.submit(
    createCommand({ kind: 'input.respond', responses: [{ inputId, outcome, ...more }] } as never),
    user,
  )

async function kindsOf(stream: Stream): Promise<string[]> {
  const part = await stream.log.read(undefined, { maxBytes: 1e7 })
  return part.type === 'batch' ? part.events.map(({ kind }) => kind) : []
}

async function refused(stream: Stream, start: Promise<unknown>): Promise<string> {
  const before = await kindsOf(stream)
  const error: unknown = await start.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApprovalError)
  expect(await kindsOf(stream)).toEqual(before)
  const { name, code, toolCallId, message } = error as ApprovalError
  expect([name, message]).toEqual(['ApprovalError', expect.stringContaining(`toolCallId "${toolCallId}"`)])
  return code
}

describe.each(Object.entries(worlds))('a call that needs an approval, %s', (_, world) => {
  it('does not start if nobody was asked, nor while the request is open', async () => {
    const stream = await opening(world())
    const { begin, ask, start } = writer(stream)
    await begin()
    expect(await refused(stream, start())).toBe('not-asked')
    await ask()
    expect(await refused(stream, start())).toBe('waiting')
    expect((await respond(stream)).status).toBe('accepted')
    await start()
    expect((await kindsOf(stream)).at(-1)).toBe('tool-start')
  })

  it('does not start if it was declined, has expired or was withdrawn', async () => {
    const stream = await opening(world())
    const { append, begin, ask, start } = writer(stream)
    await begin()
    await ask()
    await respond(stream, { outcome: 'declined' })
    expect(await refused(stream, start())).toBe('declined')
    await ask('j', '{}', 'd', { timeout: 0.001 })
    while ((await stream.requests()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await refused(stream, start({}, 'd'))).toBe('expired')
    await ask('k', '{}', 'e')
    await append({ kind: 'input-canceled', inputId: 'k', reason: 'withdrawn' })
    expect(await refused(stream, start({}, 'e'))).toBe('canceled')
  })

  it('starts with what was approved, in any order, and once', async () => {
    const stream = await opening(world())
    const { begin, ask, start } = writer(stream)
    await begin()
    await ask('i', '{"to":"bob","cents":5}')
    await respond(stream)
    expect(await refused(stream, start({ to: 'bob', cents: 6 }))).toBe('changed')
    expect(await refused(stream, start({ to: 'eve', cents: 5 }))).toBe('changed')
    const of = createEmitter(taskA)
    const other = of.emit({
      kind: 'tool-start',
      toolCallId: 'c',
      toolName: 'book',
      arguments: { cents: 5, to: 'bob' },
    })
    expect(await refused(stream, stream.append(other))).toBe('changed')
    await start({ cents: 5, to: 'bob' })
    expect(await refused(stream, start({ cents: 5, to: 'bob' }))).toBe('started')
    // The same id again, with an approval of its own.
    await ask('j', '{"to":"bob","cents":5}')
    expect(await refused(stream, start({ cents: 5, to: 'bob' }))).toBe('waiting')
    await respond(stream, { inputId: 'j' })
    await start({ cents: 5, to: 'bob' })
  })

  it('does not start by an answer that an agent appends', async () => {
    const diagnostics: string[] = []
    const stream = await opening(world(), {
      needsApproval,
      onDiagnostic: ({ code }) => diagnostics.push(code),
    })
    const { append, begin, ask, start } = writer(stream)
    await begin()
    await ask()
    await append({ kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'user-1' })
    expect(diagnostics).toContain('dropped:input-received')
    expect(await refused(stream, start())).toBe('waiting')
    expect(await stream.requests()).toHaveLength(1)
  })

  it('does not start by the approval of another task with the same ids', async () => {
    const stream = await opening(world())
    const [a, b] = [writer(stream, taskA), writer(stream, taskB)]
    await a.begin()
    await b.begin()
    await a.ask()
    await b.ask()
    await respond(stream, { taskId: 'b' })
    expect(await refused(stream, a.start())).toBe('waiting')
    await b.start()
    await respond(stream, { taskId: 'a', outcome: 'declined' })
    expect(await refused(stream, a.start())).toBe('declined')
  })

  it('does not start once its task was canceled or has ended', async () => {
    const stream = await opening(world())
    const { append, begin, ask, start } = writer(stream)
    await begin()
    await ask()
    await respond(stream)
    await stream.submit(createCommand({ kind: 'task.cancel', taskId: 'a' }), user)
    expect(await refused(stream, start())).toBe('ended')
    await append({ kind: 'task-status', status: 'canceled' })
    expect(await refused(stream, start())).toBe('ended')
    expect(await refused(stream, start({}, 'x'))).toBe('ended')
  })

  it('is reported, and logged, if the store only reports, or if it runs at the provider', async () => {
    const diagnostics: unknown[] = []
    const onDiagnostic: StoreOptions['onDiagnostic'] = ({ code, detail }) => {
      if (code === 'call-not-approved') diagnostics.push(detail)
    }
    const stream = await opening(world(), { needsApproval, onDiagnostic, enforce: 'report' })
    const { begin, start } = writer(stream)
    await begin()
    await start()
    expect(diagnostics).toEqual([{ toolCallId: 'c', reason: 'not-asked' }])
    const strict = await opening(world(), { needsApproval, onDiagnostic })
    await writer(strict).begin()
    await writer(strict).start({}, 'p', { metadata: { provider: 'provider' } })
    expect(diagnostics[1]).toEqual({ toolCallId: 'p', reason: 'not-asked' })
  })

  it('runs no tool of an agent that does not ask, and fails its task', async () => {
    const stream = await opening(world())
    const executed: string[] = []
    const run = stream.run(taskA, async function* () {
      yield { kind: 'tool-start', toolCallId: 'c', toolName: 'pay', arguments: {} }
      executed.push('c')
      yield { kind: 'tool-complete', toolCallId: 'c', toolName: 'pay', success: true }
    })
    await expect(run).rejects.toBeInstanceOf(ApprovalError)
    expect(executed).toEqual([])
    expect(await kindsOf(stream)).toEqual(['task-created', 'task-status', 'task-status'])
    const { events } = (await stream.log.read()) as unknown as { events: ContextAnyEvent[] }
    const reason = 'The agent started a call that was not approved.'
    expect(events.at(-1)).toMatchObject({ status: 'failed', metadata: { reason } })
  })

  it('takes no result of a client that was asked to run it only', async () => {
    const stream = await opening(world())
    const { begin, ask } = writer(stream)
    await begin()
    await ask('i', '{}', 'c', { provider: 'client' })
    const result = () => createCommand({ kind: 'tool.result', toolCallId: 'c', success: true })
    expect((await stream.submit(result(), user)).status).toBe('forbidden')
    await ask('j', '{}')
    await respond(stream, { inputId: 'j' })
    expect((await stream.submit(result(), user)).status).toBe('accepted')
  })
})

describe.each(Object.entries(worlds).filter(([name]) => name !== 'in memory'))(
  'two processes that write %s',
  (_, world) => {
    it('share approvals: one takes the answer, the other starts the call', async () => {
      const shared = world()
      const [agent, other] = [await opening(shared), await opening(shared)]
      const { begin, ask, start } = writer(agent)
      await begin()
      await ask()
      expect(await refused(other, writer(other).start())).toBe('waiting')
      expect((await respond(other)).status).toBe('accepted')
      expect(await refused(agent, start({ to: 'eve' }))).toBe('changed')
      await start()
      expect(await refused(other, writer(other).start())).toBe('started')
    })

    it('keep what was approved over a restart', async () => {
      const shared = world()
      const first = await opening(shared)
      await writer(first).begin()
      await writer(first).ask()
      await respond(first)
      await first.release()
      const second = await opening(shared)
      expect(await refused(second, writer(second).start({ to: 'eve' }))).toBe('changed')
      await writer(second).start()
    })
  },
)

// Without a state, a process may not see what another one appends at the same time.
it.each(['over a log with a state', 'on Redis'])(
  'starts an approved call once, %s, whoever is first',
  async (name) => {
    const shared = (worlds[name] as () => World)()
    const first = await opening(shared)
    const streams = [first, await opening(shared), await opening(shared)]
    await writer(first).begin()
    await writer(first).ask()
    await respond(first)
    const starts = await Promise.allSettled(streams.map((stream) => writer(stream).start()))
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  },
)

describe('an option', () => {
  it('that throws for a call names it', async () => {
    const stream = await memoryStore({
      needsApproval: () => {
        throw new Error('?')
      },
    }).open('s')
    await writer(stream).begin()
    expect(await refused(stream, writer(stream).start())).toBe('not-asked')
  })

  it.each([{ needsApproval: true }, { enforce: 'maybe' }])('%j is a TypeError', (options) => {
    expect(() => memoryStore(options as never)).toThrow(TypeError)
  })
})

describe('two tasks with the same ids', () => {
  const steps = fc.array(
    fc.record({
      task: fc.nat(1),
      what: fc.constantFrom('ask', 'approve', 'edit', 'decline', 'start', 'other', 'forge', 'cancel', 'end'),
      call: fc.nat(1),
      args: fc.nat(1),
      process: fc.nat(1),
    }),
    { maxLength: 30, size: 'max' },
  )

  /** What a model of one sentence says: a call may start once with each approval, with what was approved. */
  class Model {
    asked?: { inputId: string; args: number }
    approved?: number
    isOpen = false
  }

  it('start exactly the calls that were approved, whichever process writes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const log = sharedLog(new Stored())
        const open = (): Promise<Stream> => logStore({ open: () => log, ...anyone, needsApproval }).open('s')
        const streams = [await open(), await open()]
        const tasks = [taskA, taskB]
        const over = [false, false]
        const models = new Map<string, Model>()
        let ids = 0
        for (const [i, task] of tasks.entries()) await writer(streams[i] as Stream, task).begin()
        for (const { task, what, call, args, process } of all) {
          const stream = streams[process] as Stream
          const of = tasks[task] as typeof taskA
          const { append, ask, start } = writer(stream, of)
          const key = `${task} ${call}`
          const model = models.get(key) ?? new Model()
          models.set(key, model)
          const toolCallId = `c-${call}`
          if (over[task] && what !== 'start') continue
          if (what === 'ask' && !model.isOpen) {
            const inputId = `i-${ids++}`
            await ask(inputId, JSON.stringify({ args }), toolCallId)
            Object.assign(model, { asked: { inputId, args }, approved: undefined, isOpen: true })
          } else if (model.isOpen && model.asked && ['approve', 'edit', 'decline'].includes(what)) {
            const { inputId } = model.asked
            const value = what === 'edit' ? { arguments: { args } } : undefined
            const receipt = await respond(stream, {
              ...{ inputId, taskId: of.taskId, outcome: what === 'decline' ? 'declined' : 'answered' },
              ...(value && { value }),
            })
            expect(receipt.status).toBe('accepted')
            model.isOpen = false
            if (what !== 'decline') model.approved = what === 'edit' ? args : model.asked.args
          } else if (what === 'forge' && model.asked) {
            const { inputId } = model.asked
            await append({ kind: 'input-received', inputId, providedBy: 'user', userId: 'user-1' })
          } else if (what === 'other') {
            const draft = {
              kind: 'tool-start',
              toolCallId: `f-${ids++}`,
              toolName: 'free',
              arguments: {},
            } as const
            await append(draft)
          } else if (what === 'start') {
            const isStarted = await start({ args }, toolCallId).then(
              () => true,
              (error: unknown) => {
                if (error instanceof ApprovalError) return false
                throw error
              },
            )
            expect(isStarted).toBe(model.approved === args && !over[task])
            if (isStarted) delete model.approved
          } else if (what === 'cancel' && call === 0 && args === 0) {
            await stream.submit(createCommand({ kind: 'task.cancel', taskId: of.taskId }), user)
            over[task] = true
          } else if (what === 'end' && call === 0 && args === 0) {
            await append({ kind: 'task-status', status: 'completed' })
            over[task] = true
          }
        }
        for (const stream of streams) await stream.release()
      }),
      { numRuns: runs(300) },
    )
  })
})
