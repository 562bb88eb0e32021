// Proves that an agent asks with one call, finds what was asked and decided after a restart, and asks nothing twice.
import { type ContextAnyEvent, type EventDraft, run } from 'turnstream'
import { createCommand, type Receipt, type Sender } from 'turnstream/commands'
import { type Approval, logStore, memoryStore, type Reply, type Stream } from 'turnstream/server'
import { type View, verifier } from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ApproveOptions, AskOptions, ToolCall } from '../../src/server/ask-options.ts'
import type { StoreOptions } from '../../src/server/store.ts'
import { anyone } from '../support/anyone.ts'
import { Stored, sharedLog } from './shared-log.ts'

const user: Sender = { role: 'user', id: 'user-1' }
const task = { contextId: 'ctx-1', taskId: 'task-1' }
const pay: ToolCall = { toolCallId: 'c-1', toolName: 'pay', arguments: '{ "to": "bob" }' }
const book: ToolCall = { toolCallId: 'c-2', toolName: 'book', arguments: '{"seats":2}' }

const opened: Stream[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const stream of opened.splice(0)) await stream.release()
})

function server(options: StoreOptions = {}) {
  const stored = new Stored()
  const log = sharedLog(stored)
  /** Each call is a process of its own. */
  const open = async (): Promise<Stream> => {
    const stream = await logStore({ open: () => log, ...anyone, ...options }).open('s')
    opened.push(stream)
    return stream
  }
  const requests = async (stream: Stream, count: number): Promise<string[]> => {
    const open = await vi.waitUntil(async () => {
      const all = await stream.requests()
      return all.length >= count && all
    })
    return open.map(({ id }) => id)
  }
  return { open, requests, events: stored.events }
}

/** Runs an agent that asks about calls, and starts what is approved. */
function approving(stream: Stream, calls: readonly ToolCall[], options: ApproveOptions = {}) {
  const approvals: Approval[] = []
  const done = stream.run(task, async function* (): AsyncGenerator<EventDraft> {
    approvals.push(...(yield* stream.approve(calls, { ...task, ...options })))
    for (const each of approvals) {
      if (each.status !== 'approved') continue
      const { toolCallId, toolName, arguments: text } = each.call
      yield { kind: 'tool-start', toolCallId, toolName, arguments: JSON.parse(text) }
      yield { kind: 'tool-complete', toolCallId, toolName, success: true }
    }
  })
  return { approvals, done }
}

const respond = (
  stream: Stream,
  inputId: string,
  response: object = { outcome: 'answered' },
): Promise<Receipt> =>
  stream.submit(createCommand({ kind: 'input.respond', responses: [{ inputId, ...response }] }), user)

function expectLegal(events: readonly ContextAnyEvent[]): void {
  const { push, end } = run(verifier({ mode: 'strict' }))
  const violations = [...events.flatMap((event) => [...push(event)]), ...end()]
  expect(violations.filter(({ severity }) => severity === 'error')).toEqual([])
}

const toolIn = (view: View): unknown => view.tasks[0]?.parts.find(({ type }) => type === 'tool')

const kinds = (events: readonly ContextAnyEvent[]): string[] =>
  events.map((event) => (event.kind === 'task-status' ? event.status : event.kind))

describe('approve', () => {
  it('asks about all calls before it waits, and returns what was decided in their order', async () => {
    const { open, requests, events } = server()
    const stream = await open()
    const { approvals, done } = approving(stream, [pay, book])
    const [first = '', second = ''] = await requests(stream, 2)
    await respond(stream, second, { outcome: 'declined', reason: 'Too late.' })
    await respond(await open(), first)
    await done
    expect(approvals).toEqual([
      { status: 'approved', call: { ...pay, isEdited: false, by: user } },
      { status: 'declined', reason: 'Too late.' },
    ])
    expect(kinds(events)).toEqual([
      ...['task-created', 'working', 'input-required', 'input-required', 'waiting-input'],
      ...['input-received', 'input-received', 'working', 'tool-start', 'tool-complete', 'completed'],
      'task-complete',
    ])
    expectLegal(events)
  })

  it('asks only about the calls that need an approval, if the store names them', async () => {
    const { open, requests, events } = server({ needsApproval: ({ toolName }) => toolName === 'pay' })
    const stream = await open()
    const { approvals, done } = approving(stream, [book, pay])
    const [inputId = ''] = await requests(stream, 1)
    await respond(stream, inputId)
    await done
    expect(approvals).toMatchObject([
      { status: 'approved', call: { ...book, isEdited: false } },
      { status: 'approved', call: { ...pay, by: user } },
    ])
    expect(events.filter(({ kind }) => kind === 'input-required')).toHaveLength(1)
    expectLegal(events)
  })

  it('asks about a call that the store does not name, if it is always to', async () => {
    const { open, requests, events } = server({ needsApproval: () => false })
    const stream = await open()
    const { approvals, done } = approving(stream, [pay], { always: true })
    const [inputId = ''] = await requests(stream, 1)
    await respond(stream, inputId, { outcome: 'declined' })
    await done
    expect(approvals).toEqual([{ status: 'declined' }])
    expectLegal(events)
    expect(() => stream.approve([pay], { ...task, always: 1 as never })).toThrow(
      '"always" must be true or false',
    )
  })

  it('asks nothing again, whichever process the agent continues in', async () => {
    const { open, requests, events } = server()
    const stream = await open()
    await stream.append(at({ kind: 'task-created', initiator: 'user' }))
    const ask = stream.approve([pay], task)
    const drafts: EventDraft[] = []
    for (let next = await ask.next(); !next.done && drafts.length < 2; ) {
      drafts.push(next.value)
      await stream.append(at(next.value))
      if (drafts.length < 2) next = await ask.next()
    }
    const other = await open()
    const again = other.approve([pay], task)
    expect((await again.next()).value).toMatchObject({ kind: 'task-status', status: 'waiting-input' })
    const [inputId = ''] = await requests(other, 1)
    const waiting = again.next()
    await respond(stream, inputId)
    const approved = [{ status: 'approved', call: { ...pay, isEdited: false, by: user } }]
    expect(await waiting).toEqual({ done: true, value: approved })
    expect(await (await open()).approve([pay], task).next()).toEqual({ done: true, value: approved })
    expect(events.filter(({ kind }) => kind === 'input-required')).toHaveLength(1)
    // What has started is not started again.
    await other.append(
      at({ kind: 'tool-start', toolCallId: 'c-1', toolName: 'pay', arguments: { to: 'bob' } }),
    )
    expect((await (await open()).approve([pay], task).next()).value).toMatchObject([{ status: 'canceled' }])
    // Other arguments are asked about.
    const eve = { ...pay, arguments: '{"to":"eve"}' }
    expect((await other.approve([eve], task).next()).value).toMatchObject({ kind: 'input-required' })
  })

  it('expires, and is canceled with its task', async () => {
    const { open, requests } = server()
    const stream = await open()
    const expiring = approving(stream, [pay], { timeoutMs: 20 })
    await expiring.done
    expect(expiring.approvals).toEqual([{ status: 'expired' }])
    const other = { contextId: 'ctx-1', taskId: 'task-2' }
    const asking = stream.approve([pay], other)
    const first = (await asking.next()).value as EventDraft
    await stream.append(at(first, other))
    await asking.next()
    const waiting = asking.next()
    await requests(stream, 1)
    await stream.submit(createCommand({ kind: 'task.cancel', taskId: 'task-2' }), user)
    expect(await waiting).toEqual({ done: true, value: [{ status: 'canceled' }] })
  })

  it('takes edits only if it is editable, with the schema or by validate', async () => {
    const edit = (seats: unknown): object => ({ value: { arguments: { seats } } })
    const few = { properties: { seats: { $ref: '#/$defs/few' } }, $defs: { few: { maximum: 4 } } }
    const nested = { type: 'object', properties: { seats: { $ref: '#' } }, additionalProperties: false }
    const cases: [ApproveOptions, unknown, string, unknown][] = [
      [{}, 4, 'invalid', undefined],
      [{ editable: { schema: { properties: { seats: { maximum: 4 } } } } }, 5, 'invalid', undefined],
      [{ editable: { schema: { properties: { seats: { maximum: 4 } } } } }, 4, 'accepted', '{"seats":4}'],
      [{ editable: { schema: few } }, 5, 'invalid', undefined],
      [{ editable: { schema: few } }, 4, 'accepted', '{"seats":4}'],
      [{ editable: { schema: nested } }, { arguments: {} }, 'invalid', undefined],
      [{ editable: { schema: nested } }, { seats: {} }, 'accepted', '{"seats":{"seats":{}}}'],
      [{ editable: { validate: () => undefined } }, 9, 'accepted', '{"seats":9}'],
    ]
    for (const [options, seats, status, result] of cases) {
      const { open, requests } = server()
      const stream = await open()
      const { approvals, done } = approving(stream, [book], options)
      const [inputId = ''] = await requests(stream, 1)
      expect((await respond(stream, inputId, edit(seats))).status).toBe(status)
      if (status === 'invalid') await respond(stream, inputId, { outcome: 'declined' })
      await done
      const [approval] = approvals
      expect(approval?.status === 'approved' ? approval.call.arguments : approval?.reason).toBe(result)
    }
  })

  it.each<[string, (text: string) => string | undefined, RegExp]>([
    ['says why not', (text) => `Not ${text}.`, /Not {"seats":9}\./],
    ['throws', () => JSON.parse('{'), /could not be checked/],
    ['returns a promise', (async () => undefined) as never, /could not be checked/],
    ['gives no reason', () => '', /refused/],
  ])('refuses an edit for which validate %s: the request stays open', async (_, validate, message) => {
    const { open, requests, events } = server()
    const stream = await open()
    const { approvals, done } = approving(stream, [book], { editable: { validate } })
    const [inputId = ''] = await requests(stream, 1)
    const edit = { value: { arguments: { seats: 9 } } }
    const receipt = await respond(stream, inputId, edit)
    expect(receipt).toMatchObject({
      status: 'invalid',
      results: [{ message: expect.stringMatching(message) }],
    })
    expect(await requests(stream, 1)).toEqual([inputId])
    // Another process cannot check it.
    expect(await respond(await open(), inputId, edit)).toMatchObject({ status: 'invalid' })
    const start = at({ kind: 'tool-start', toolCallId: 'c-2', toolName: 'book', arguments: { seats: 9 } })
    await expect(stream.append(start)).rejects.toMatchObject({ code: 'waiting' })
    expect(toolIn(await stream.view())).toMatchObject({ status: 'waiting', approval: { status: 'waiting' } })
    expect((await respond(await open(), inputId)).status).toBe('accepted')
    await done
    expect(approvals).toMatchObject([{ status: 'approved', call: { ...book, isEdited: false } }])
    expectLegal(events)
  })

  it.each([false, 'no', null, 0, { approved: true }])(
    'declines for the answer %j, wherever it shows',
    async (value) => {
      const { open, requests, events } = server()
      const stream = await open()
      const { approvals, done } = approving(stream, [book])
      const [inputId = ''] = await requests(stream, 1)
      expect((await respond(await open(), inputId, { value })).status).toBe('accepted')
      expect((await respond(stream, inputId, { outcome: 'declined' })).status).toBe('repeated')
      await done
      expect(approvals).toEqual([{ status: 'declined', ...(value === 'no' && { reason: 'no' }) }])
      expect(events.find(({ kind }) => kind === 'input-received')).toMatchObject({ outcome: 'declined' })
      expect(toolIn(await stream.view())).toMatchObject({
        status: 'declined',
        approval: { status: 'declined' },
      })
      expectLegal(events)
    },
  )

  it('refuses an answer that contradicts itself', async () => {
    const { open, requests } = server()
    const stream = await open()
    const { approvals, done } = approving(stream, [book])
    const [inputId = ''] = await requests(stream, 1)
    const contradicting = { outcome: 'declined', value: true }
    expect((await respond(stream, inputId, contradicting)).status).toBe('invalid')
    expect(await requests(stream, 1)).toEqual([inputId])
    const responses = [
      { inputId, outcome: 'declined' as const, value: false },
      { inputId, value: true },
    ]
    const twice = await stream.submit(createCommand({ kind: 'input.respond', responses }), user)
    expect(twice.results.map(({ status }) => status)).toEqual(['accepted', 'conflict'])
    await done
    expect(approvals).toEqual([{ status: 'declined' }])
  })

  it.each([
    ['{"n":12345678901234567890}', 'a double can hold'],
    ['{"a":1,"a":2}', 'each key of an object once'],
    ['[1]', 'a JSON object'],
  ])('declines %s without a question', async (text, reason) => {
    const { open, events } = server()
    const { approvals, done } = approving(await open(), [{ ...pay, arguments: text }])
    await done
    expect(approvals).toEqual([{ status: 'declined', reason: expect.stringContaining(reason) }])
    expect(kinds(events)).not.toContain('input-required')
  })

  it('refuses a schema with a keyword that is not checked', async () => {
    const stream = await memoryStore().open('s')
    const editable = { schema: { properties: { path: { pattern: '^/tmp/' } } } }
    expect(() => stream.approve([pay], { ...task, editable })).toThrow(/"editable.schema".*pattern/)
    expect(() => stream.approve([{ ...pay, arguments: {} as never }], task)).toThrow(TypeError)
    expect(() => stream.approve([pay], { ...task, timeoutMs: 0 })).toThrow(TypeError)
    expect(() => stream.ask({ ...task, inputId: '', prompt: '?' })).toThrow(TypeError)
  })
})

describe('ask', () => {
  it('returns the answer, and finds it after a restart', async () => {
    const { open, requests, events } = server()
    const stream = await open()
    const question = { ...task, inputId: 'port', prompt: 'Which port?', schema: { type: 'string' } }
    const replies: Reply[] = []
    const done = stream.run(task, async function* () {
      replies.push(yield* stream.ask(question))
      replies.push(yield* (await open()).ask(question))
    })
    await requests(stream, 1)
    expect((await respond(stream, 'port', { value: 1 })).status).toBe('invalid')
    await respond(stream, 'port', { value: 'Brest' })
    await done
    const reply = { status: 'answered', value: 'Brest', by: user }
    expect(replies).toEqual([reply, reply])
    expect(events.filter(({ kind }) => kind === 'input-required')).toHaveLength(1)
    expectLegal(events)
  })

  it('says why a request was withdrawn at once: too many are open', async () => {
    const { open, requests } = server({ maxEntries: 1 })
    const stream = await open()
    const { approvals, done } = approving(stream, [pay, book])
    const [inputId = ''] = await requests(stream, 1)
    await respond(stream, inputId)
    await done
    expect(approvals).toMatchObject([
      { status: 'approved' },
      { status: 'canceled', reason: expect.stringContaining('at most 1 open requests') },
    ])
  })

  it.each<[string, Partial<AskOptions>]>([
    ['another prompt', { prompt: 'Delete the account?' }],
    ['another schema', { schema: { type: 'integer' } }],
  ])('gives a question with the id of another, and %s, no answer', async (_, change) => {
    const codes: string[] = []
    const { open, requests } = server({ onDiagnostic: ({ code }) => codes.push(code) })
    const stream = await open()
    const first = { ...task, inputId: 'q', prompt: 'Delete the draft?' }
    const replies: Reply[] = []
    const done = stream.run(task, async function* () {
      replies.push(yield* stream.ask(first))
      replies.push(yield* stream.ask({ ...first, ...change }))
      replies.push(yield* (await open()).ask({ ...first, ...change, inputId: 'r' }))
    })
    await requests(stream, 1)
    await respond(stream, 'q', { value: true })
    await vi.waitUntil(async () => (await stream.requests())[0]?.id === 'r')
    expect((await respond(stream, 'q', { value: 7 })).status).toBe('unknown-request')
    await respond(stream, 'r', { value: 7 })
    await done
    expect(replies).toEqual([
      { status: 'answered', value: true, by: user },
      { status: 'canceled', reason: expect.stringContaining('"q"') },
      { status: 'answered', value: 7, by: user },
    ])
    expect(codes).toContain('repeated-request')
  })

  it('returns that it was declined, or withdrawn', async () => {
    const { open, requests } = server()
    const stream = await open()
    const replies: Reply[] = []
    const done = stream.run(task, async function* () {
      replies.push(yield* stream.ask({ ...task, inputId: 'a', prompt: '?' }))
      replies.push(yield* stream.ask({ ...task, inputId: 'b', prompt: '?' }))
    })
    await requests(stream, 1)
    await respond(stream, 'a', { outcome: 'declined', reason: 'No.' })
    await vi.waitUntil(async () => (await stream.requests())[0]?.id === 'b')
    await stream.append(at({ kind: 'input-canceled', inputId: 'b', reason: 'withdrawn' }))
    await done
    expect(replies).toEqual([{ status: 'declined', reason: 'No.' }, { status: 'canceled' }])
  })
})

function at(draft: EventDraft, of: object = task): ContextAnyEvent {
  return { ...of, timestamp: new Date().toISOString(), ...draft } as unknown as ContextAnyEvent
}
