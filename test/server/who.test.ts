// Proves that a user answers, approves and cancels only what is theirs, by default, whichever process takes the command.
import { type ContextAnyEvent, createEmitter, type EventDraft } from 'turnstream'
import { createCommand, type Receipt, type Sender } from 'turnstream/commands'
import { logStore, memoryStore, type Stream } from 'turnstream/server'
import { describe, expect, it } from 'vitest'
import type { OpenOptions, StoreOptions } from '../../src/server/store.ts'
import { Stored, sharedLog } from './shared-log.ts'

const alice: Sender = { role: 'user', id: 'alice' }
const bob: Sender = { role: 'user', id: 'bob' }
const coordinator: Sender = { role: 'coordinator', id: 'agent' }
const onInput = (): void => {}

async function open(options: StoreOptions = {}, more: OpenOptions = { onInput }): Promise<Stream> {
  return (await memoryStore(options).open('s', more)) as Stream
}

const send = (stream: Stream, sender: Sender): Promise<Receipt> =>
  stream.submit(createCommand({ kind: 'task.send', input: 'Hi' }), sender)

const respond = async (stream: Stream, sender: Sender, inputId = 'i', taskId?: string): Promise<string> => {
  const responses = [{ inputId, value: 'yes', ...(taskId && { taskId }) }]
  return (await stream.submit(createCommand({ kind: 'input.respond', responses }), sender)).status
}

async function ask(
  stream: Stream,
  taskId: string,
  draft: Partial<EventDraft> = {},
  of: object = {},
): Promise<void> {
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId, ...of })
  await stream.append(emit({ kind: 'task-created', initiator: 'user' }))
  const asks = { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?', ...draft }
  await stream.append(emit(asks as EventDraft & { kind: 'note' }) as ContextAnyEvent)
}

const taskOf = (receipt: Receipt): string => receipt.results[0]?.taskId ?? ''

/** Rules that let anybody into the stream. */
const shared = { mayAccess: () => true }

describe('what a task asks', () => {
  it('is answered by who sent it, and by no other user of a shared stream', async () => {
    const stream = await open(shared)
    const [a, b] = [taskOf(await send(stream, alice)), taskOf(await send(stream, bob))]
    await ask(stream, a)
    await ask(stream, b)
    expect(await stream.requests()).toMatchObject([{ owner: 'alice' }, { owner: 'bob' }])
    expect(await respond(stream, bob, 'i', a)).toBe('forbidden')
    expect(await respond(stream, alice, 'i', b)).toBe('forbidden')
    // Without a task, each means the one that they may answer.
    expect(await respond(stream, bob)).toBe('accepted')
    expect(await respond(stream, alice)).toBe('accepted')
  })

  it('by a subtask is answered by the owner of its parent', async () => {
    const stream = await open(shared)
    const parentTaskId = taskOf(await send(stream, alice))
    await send(stream, bob)
    await ask(stream, parentTaskId, { inputId: 'j' } as Partial<EventDraft>)
    await ask(stream, 'sub', {}, { parentTaskId })
    expect(await respond(stream, bob)).toBe('forbidden')
    expect(await respond(stream, alice)).toBe('accepted')
  })

  it('without an owner is answered by no user, and is reported', async () => {
    const codes: string[] = []
    const stream = await open({ ...shared, onDiagnostic: ({ code }) => codes.push(code) })
    await ask(stream, 'task-1')
    expect(await respond(stream, alice)).toBe('forbidden')
    expect(codes).toEqual(['no-owner'])
    // Who sends the first task owns the stream from then on, and not what it has asked before.
    expect((await send(stream, bob)).status).toBe('accepted')
    expect(await respond(stream, bob)).toBe('forbidden')
    expect(await respond(stream, coordinator)).toBe('accepted')
    await ask(stream, 'task-2', { inputId: 'j' } as Partial<EventDraft>)
    expect(await respond(stream, bob, 'j')).toBe('accepted')
  })

  it('of a task that the application runs is answered by the owner that it names', async () => {
    const stream = await open(shared)
    const task = { contextId: 'ctx-1', taskId: 'task-1' }
    const done = stream.run({ ...task, owner: 'alice' }, () =>
      stream.ask({ ...task, inputId: 'i', prompt: '?' }),
    )
    while ((await stream.requests()).length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(await respond(stream, bob)).toBe('forbidden')
    expect(await respond(stream, alice)).toBe('accepted')
    await done
  })

  it.each([{ requireUser: true }, { kind: 'auth-required', authId: 'i', authType: 'custom' }])(
    'is never answered by a coordinator if the user has to: %j',
    async (draft) => {
      const stream = await open({ mayAnswer: () => true })
      await ask(stream, 'task-1', draft as Partial<EventDraft>)
      const command =
        'authId' in draft
          ? createCommand({ kind: 'auth.respond', authId: 'i', outcome: 'completed' })
          : createCommand({ kind: 'input.respond', responses: [{ inputId: 'i', value: 1 }] })
      expect((await stream.submit(command, coordinator)).status).toBe('forbidden')
    },
  )

  it('is up to the rule of the application, which refuses if it throws', async () => {
    const seen: unknown[] = []
    const stream = await open({
      mayAnswer: (sender, request) => {
        seen.push(request)
        if (sender.id !== 'carol') throw new Error('?')
        return true
      },
    })
    await ask(stream, 'task-1')
    expect(await respond(stream, alice)).toBe('forbidden')
    expect(await respond(stream, { role: 'user', id: 'carol' })).toBe('accepted')
    expect(seen[0]).toEqual({ contextId: 'ctx-1', taskId: 'task-1', requireUser: false })
  })

  it.each([true, false])('is not up to a rule that decides later: %s', async (isRejected) => {
    const later = async (): Promise<boolean> => {
      if (isRejected) throw new Error('?')
      return true
    }
    const answering = await open({ mayAnswer: later as never })
    await ask(answering, 'task-1')
    expect(await respond(answering, alice)).toBe('forbidden')
    const reading = await open({ mayAccess: later as never })
    expect(reading.mayAccess(alice)).toBe(false)
    expect((await send(reading, alice)).status).toBe('forbidden')
    const starting = await open({ needsApproval: later as never })
    await ask(starting, 'task-1')
    const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
    const start = emit({ kind: 'tool-start', toolCallId: 'c', toolName: 'look', arguments: {} })
    await expect(starting.append(start)).rejects.toMatchObject({ code: 'not-asked' })
  })

  it('takes no result of a tool from another user', async () => {
    const stream = await open(shared)
    const taskId = taskOf(await send(stream, alice))
    const { emit } = createEmitter({ contextId: 'ctx-1', taskId })
    const metadata = { provider: 'client' }
    await stream.append(
      emit({ kind: 'tool-start', toolCallId: 'c', toolName: 'where', arguments: {}, metadata }),
    )
    const result = (): object => createCommand({ kind: 'tool.result', toolCallId: 'c', success: true })
    expect((await stream.submit(result(), bob)).status).toBe('forbidden')
    expect((await stream.submit(result(), alice)).status).toBe('accepted')
  })
})

describe('a stream', () => {
  it('belongs to who sends its first task: other users read nothing, and have no command applied', async () => {
    const log = sharedLog(new Stored())
    const store = (): Promise<Stream> => logStore({ open: () => log }).open('s', { onInput })
    const [one, other] = [await store(), await store()]
    expect(one.mayAccess(bob)).toBe(true)
    const taskId = taskOf(await send(one, alice))
    await ask(one, taskId)
    for (const stream of [other, await store()]) {
      expect((await send(stream, bob)).status).toBe('forbidden')
      expect(await respond(stream, bob)).toBe('forbidden')
      const cancel = createCommand({ kind: 'task.cancel', taskId })
      expect((await stream.submit(cancel, bob)).status).toBe('forbidden')
      expect([stream.mayAccess(alice), stream.mayAccess(bob)]).toEqual([true, false])
    }
    expect(await respond(other, alice)).toBe('accepted')
    await Promise.all([one.release(), other.release()])
  })

  it('with an owner in its name belongs to that user from the beginning', async () => {
    const store = memoryStore()
    const stream = await store.open({ owner: 'alice', contextId: 'main' }, { onInput })
    expect([stream.mayAccess(alice), stream.mayAccess(bob)]).toEqual([true, false])
    expect((await send(stream, bob)).status).toBe('forbidden')
    await ask(stream, 'task-1')
    expect(await respond(stream, bob)).toBe('forbidden')
    expect(await respond(stream, alice)).toBe('accepted')
  })

  it('is shared by a rule of the application', async () => {
    const team = new Set(['alice', 'bob'])
    const stream = await open({ mayAccess: ({ id }, { name }) => name === 's' && team.has(id) })
    expect((await send(stream, alice)).status).toBe('accepted')
    expect((await send(stream, bob)).status).toBe('accepted')
    expect((await send(stream, { role: 'user', id: 'eve' })).status).toBe('forbidden')
  })
})

it.each([{ mayAnswer: 1 }, { mayAccess: 'all' }])('%j is a TypeError', (options) => {
  expect(() => memoryStore(options as never)).toThrow(TypeError)
})
