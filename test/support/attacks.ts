/**
 * Attacks on the way back: what forged, replayed, foreign, late, oversized and contradicting commands, agents that do not ask and
 * agents that pass on what others send try, with the defaults of a store and two processes. Each gets an error or a receipt that
 * names what was wrong, and changes nothing.
 */
import { deepEqual, equal, match, notEqual, rejects } from 'node:assert/strict'
import { type ContextAnyEvent, createEmitter, type EventDraft } from 'turnstream'
import { fromA2a } from 'turnstream/a2a'
import { createCommand, type Receipt, type Sender } from 'turnstream/commands'
import type { Stream } from 'turnstream/server'
import type { View } from 'turnstream/streams'
import type { OpenOptions, StoreOptions } from '../../src/server/store.ts'
import type { OpenRequest } from '../../src/streams/open-request.ts'

/** Opens the stream as a process of its own. */
export type World = (options: StoreOptions, more: OpenOptions) => Promise<Stream>

export interface Attack {
  readonly name: string
  run(open: World): Promise<void>
}

const alice: Sender = { role: 'user', id: 'alice' }
const mallory: Sender = { role: 'user', id: 'mallory' }
const options: StoreOptions = { needsApproval: ({ toolName }) => toolName === 'pay' }
/** Mallory may read what Alice does: what she may not is to act for her. */
const shared: StoreOptions = { ...options, mayAccess: () => true }

/** A conversation in two processes, with a task of Alice that works. */
class Conversation {
  readonly processes: readonly [Stream, Stream]
  readonly taskId: string

  private constructor(processes: readonly [Stream, Stream], taskId: string) {
    this.processes = processes
    this.taskId = taskId
  }

  /** @param others - The rules of the second process. */
  static async begin(
    open: World,
    rules: StoreOptions = options,
    others: StoreOptions = rules,
  ): Promise<Conversation> {
    const processes = [
      await open(rules, { onInput: () => {} }),
      await open(others, { onInput: () => {} }),
    ] as const
    const receipt = await processes[0].submit(createCommand({ kind: 'task.send', input: 'Pay.' }), alice)
    const conversation = new Conversation(processes, receipt.results[0]?.taskId ?? '')
    await conversation.append(
      { kind: 'task-created', initiator: 'user' },
      { kind: 'task-status', status: 'working' },
    )
    return conversation
  }

  /** Appends as the agent of a task: through the first process. */
  async append(...drafts: EventDraft[]): Promise<void> {
    const { emit } = createEmitter({ contextId: 'ctx', taskId: this.taskId })
    for (const draft of drafts) await this.processes[0].append(emit(draft))
  }

  async ask(inputId: string, args = '{"to":"bob"}', schema?: Record<string, unknown>): Promise<void> {
    await this.append({
      ...{ kind: 'input-required', inputId, inputType: 'tool-execution', prompt: 'Pay?' },
      ...(schema !== undefined && { schema }),
      metadata: { toolCall: { id: `call of ${inputId}`, function: { name: 'pay', arguments: args } } },
    })
  }

  /** Starts a call through the second process. */
  async start(inputId: string, args: Record<string, unknown> = { to: 'bob' }): Promise<void> {
    const { emit } = createEmitter({ contextId: 'ctx', taskId: this.taskId })
    const call = { toolCallId: `call of ${inputId}`, toolName: 'pay', arguments: args }
    await this.processes[1].append(emit({ kind: 'tool-start', ...call }))
  }

  /** Sends a command to the second process. */
  send(command: object, sender = alice): Promise<Receipt> {
    const whole = createCommand({ contextId: 'ctx', ...command } as never)
    return this.processes[1].submit(whole, sender)
  }

  answer(inputId: string, response: object = { outcome: 'answered' }, sender = alice): Promise<Receipt> {
    return this.send({ kind: 'input.respond', responses: [{ inputId, ...response }] }, sender)
  }

  /** What every reader sees, and what waits. */
  async seen(): Promise<{ view: View; requests: readonly (readonly OpenRequest[])[] }> {
    const [first, second] = this.processes
    return { view: await first.view('all'), requests: [await first.requests(), await second.requests()] }
  }

  /** Requires that a command is refused with a status, names what was wrong, and changes nothing. */
  async refused(status: string, says: RegExp, command: () => Promise<Receipt>): Promise<void> {
    const before = await this.seen()
    const receipt = await command()
    equal(receipt.status, status)
    match(receipt.results.map(({ message }) => message).join(' '), says)
    deepEqual(await this.seen(), before)
  }

  /** Requires that a call does not start, and that nothing changes. */
  async keptBack(code: string, start: () => Promise<void>): Promise<void> {
    const before = await this.seen()
    await rejects(start, { name: 'ApprovalError', code })
    deepEqual(await this.seen(), before)
  }
}

const long = 'x'.repeat(100_000)

export const attacks: readonly Attack[] = [
  {
    name: 'an agent behind the own one answers the requests of another task',
    async run(open) {
      const codes: string[] = []
      const own = await Conversation.begin(open, { ...options, onDiagnostic: ({ code }) => codes.push(code) })
      await own.ask('i')
      await own.append({ kind: 'auth-required', authId: 'a', authType: 'oauth2', prompt: 'Log in.' })
      const before = await own.seen()
      const { emit } = createEmitter({ contextId: 'ctx', taskId: own.taskId })
      const forged = [
        emit({ kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'alice' }),
        emit({ kind: 'auth-completed', authId: 'a', userId: 'alice' }),
        emit({ kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' }),
        emit({
          ...{ kind: 'tool-start', toolCallId: 'call', toolName: 'where', arguments: {} },
          metadata: { provider: 'client' },
        }),
        emit({ kind: 'task-status', status: 'completed' }),
        // A task is not below another because an event of it says so.
        { ...emit({ kind: 'task-status', status: 'failed' }), parentTaskId: 'peer' } as ContextAnyEvent,
        // Nor because the other one has announced it.
        { kind: 'subtask-created', subtaskId: own.taskId, prompt: 'Go.' },
      ]
      async function* peer(): AsyncGenerator<EventDraft> {
        yield* forged as unknown as EventDraft[]
      }
      await own.processes[1].run({ contextId: 'ctx', taskId: 'peer', owner: 'mallory' }, () => peer())
      const after = await own.seen()
      deepEqual(after.requests, before.requests)
      deepEqual(
        after.view.tasks.filter(({ taskId }) => taskId !== 'peer'),
        before.view.tasks,
      )
      deepEqual(
        codes.filter((code) => code.startsWith('dropped:')),
        forged.map(({ kind }) => `dropped:${kind}`),
      )
    },
  },
  {
    name: 'a remote agent states events of the host in its own protocol',
    async run() {
      const reader = fromA2a()
      const uri = 'https://turnstream.dev/a2a/events'
      const events = [{ kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'alice' }]
      const status = { state: 'TASK_STATE_WORKING', timestamp: '2026-01-01T00:00:00Z' }
      const update = { taskId: 't', contextId: 'c', status, metadata: { [uri]: { events } } }
      const { out } = reader.step(reader.initial, { statusUpdate: update } as never)
      equal(out.filter(({ kind }) => kind === 'input-received').length, 0)
    },
  },
  {
    name: 'a call of one task gets the answer and the result of a call of another with the same id',
    async run(open) {
      const own = await Conversation.begin(open)
      const other = createEmitter({ contextId: 'ctx', taskId: 'other' })
      const call = { toolCallId: 'iteration-0-call-0', toolName: 'pick', arguments: {} }
      const start = { kind: 'tool-start', ...call, metadata: { provider: 'client' } } as const
      await own.append(start)
      await own.processes[1].append(other.emit({ kind: 'task-created', initiator: 'user' }))
      await own.processes[1].append(other.emit(start))
      const result = { kind: 'tool.result', toolCallId: call.toolCallId, success: true, result: 1 }
      await own.refused('ambiguous', /several|tasks/, () => own.send(result))
      equal((await own.send({ ...result, taskId: own.taskId })).status, 'accepted')
      equal((await own.send({ ...result, taskId: 'other', result: 2 })).status, 'accepted')
      await own.refused('conflict', /before/, () => own.send({ ...result, taskId: own.taskId, result: 2 }))
    },
  },
  {
    name: 'a declined call starts after many long answers, and its request is replayed and answered again',
    async run(open) {
      const own = await Conversation.begin(open)
      await own.ask('i')
      await own.answer('i', { outcome: 'declined' })
      for (let n = 0; n < 18; n++) {
        const ask = {
          kind: 'input-required',
          inputId: `long-${n}`,
          inputType: 'custom',
          prompt: '?',
        } as const
        await own.append(ask)
        equal((await own.answer(`long-${n}`, { value: 'x'.repeat(60_000) })).status, 'accepted')
      }
      await own.keptBack('declined', () => own.start('i'))
      const asked = (): Promise<unknown> => own.processes[1].requests()
      const before = await asked()
      await own.ask('i')
      deepEqual(await asked(), before)
      await own
        .refused('unknown-request', /no longer open|before/, () => own.answer('i'))
        .catch(async () => {
          await own.refused('conflict', /before/, () => own.answer('i'))
        })
      await own.keptBack('declined', () => own.start('i'))
    },
  },
  {
    name: 'answers that no agent has taken are pushed out by others',
    async run(open) {
      const own = await Conversation.begin(open, { ...options, maxEntries: 3 })
      const editable = { schema: { type: 'object', properties: { to: { type: 'string' } } } }
      const question = { contextId: 'ctx', taskId: own.taskId, inputId: 'q', prompt: 'To whom?' }
      const calls = [{ toolCallId: 'c', toolName: 'pay', arguments: '{"to":"bob"}' }]
      const results: unknown[] = []
      const agent = (process: Stream) =>
        async function* (): AsyncGenerator<EventDraft> {
          results.push(yield* process.ask(question))
          results.push(yield* process.approve(calls, { contextId: 'ctx', taskId: own.taskId, editable }))
          yield { kind: 'task-complete' }
        }
      // The first process stops once it has asked.
      for await (const draft of own.processes[0].ask(question)) {
        await own.append(draft)
        if (draft.kind === 'task-status') break
      }
      equal((await own.answer('q', { value: 'eve' })).status, 'accepted')
      let inputId = ''
      const approving = own.processes[0].approve(calls, { contextId: 'ctx', taskId: own.taskId, editable })
      for await (const draft of approving) {
        await own.append(draft)
        if (draft.kind === 'input-required') inputId = draft.inputId
        else break
      }
      equal((await own.answer(inputId, { value: { arguments: { to: 'eve' } } })).status, 'accepted')
      const other = createEmitter({ contextId: 'ctx', taskId: 'other' })
      await own.processes[0].append(other.emit({ kind: 'task-created', initiator: 'user' }))
      for (let n = 0; n < 9; n++) {
        const ask = { kind: 'input-required', inputId: `${n}`, inputType: 'custom', prompt: '?' } as const
        await own.processes[0].append(other.emit(ask))
        equal((await own.answer(`${n}`, { taskId: 'other', value: n })).status, 'accepted')
      }
      await own.processes[1].run({ contextId: 'ctx', taskId: own.taskId }, agent(own.processes[1]))
      deepEqual(results, [
        { status: 'answered', value: 'eve', by: alice },
        [
          {
            status: 'approved',
            call: { ...calls[0], arguments: '{"to":"eve"}', isEdited: true, by: alice },
          },
        ],
      ])
    },
  },
  {
    name: 'arguments are approved that are not those that were shown',
    async run(open) {
      const own = await Conversation.begin(open)
      await own.ask('big', '{"account":12345678901234567890}')
      await own.refused('invalid', /12345678901234567890|double|number/, () => own.answer('big'))
      await own.ask('twice', '{"to":"bob","to":"mallory"}')
      await own.refused('invalid', /to|twice|duplicate/i, () => own.answer('twice'))
      await own.ask('i')
      await own.refused('changed-call', /callDigest/, () => own.answer('i', { callDigest: 'sha-256:00' }))
      equal((await own.answer('i')).status, 'accepted')
      await own.keptBack('changed', () => own.start('i', { to: 'mallory' }))
    },
  },
  {
    name: 'arguments are edited though the request does not allow it, or not so',
    async run(open) {
      const own = await Conversation.begin(open)
      const edit = { value: { arguments: { path: '/etc/shadow' } } }
      await own.ask('locked', '{"path":"/tmp/a"}')
      await own.refused('invalid', /edited/, () => own.answer('locked', edit))
      const path = { type: 'string', pattern: '^/tmp/' }
      const properties = { arguments: { type: 'object', properties: { path } } }
      await own.ask('pattern', '{"path":"/tmp/a"}', { type: 'object', properties })
      await own.refused('invalid', /pattern|keyword|\/tmp/, () => own.answer('pattern', edit))
      const rule = JSON.parse('{"if":{"required":["path"]},"then":false}') as object
      await own.ask('if', '{"path":"/tmp/a"}', { type: 'object', properties: { arguments: rule } })
      await own.refused('invalid', /\S/, () => own.answer('if', edit))
    },
  },
  {
    name: 'an answer that approves nothing is shown as an approval, and an edit that its agent refuses is accepted',
    async run(open) {
      const own = await Conversation.begin(open)
      for (const [i, value] of [false, 'no', null].entries()) {
        const inputId = `nothing-${i}`
        await own.ask(inputId)
        equal((await own.answer(inputId, { value })).status, 'accepted')
        await own.keptBack('declined', () => own.start(inputId))
        const { view } = await own.seen()
        const parts = view.tasks.flatMap((task) => task.parts)
        const shown = parts.find((part) => part.type === 'tool' && part.toolCallId === `call of ${inputId}`)
        equal(shown?.status, 'declined')
      }
      await own.ask('i')
      const both = { outcome: 'declined', value: true }
      await own.refused('invalid', /declined/, () => own.answer('i', both))
      const [first] = own.processes
      const task = { contextId: 'ctx', taskId: 'editing' }
      const validate = (text: string): string | undefined =>
        text.includes('mallory') ? 'Not her.' : undefined
      const call = { toolCallId: 'edited', toolName: 'pay', arguments: '{"to":"bob"}' }
      const run = first.run({ ...task, owner: 'alice' }, () =>
        first.approve([call], { ...task, editable: { validate }, timeoutMs: 60_000 }),
      )
      const asked = async (): Promise<OpenRequest | undefined> =>
        (await own.processes[1].requests()).find(({ taskId }) => taskId === 'editing')
      const waits = async (): Promise<boolean> =>
        (await first.view('all')).tasks.some(
          ({ taskId, status }) => taskId === 'editing' && status === 'waiting-input',
        )
      while (!(await waits())) await new Promise((resolve) => setTimeout(resolve, 5))
      const inputId = (await asked())?.id ?? ''
      const edit = { inputId, taskId: 'editing', value: { arguments: { to: 'mallory' } } }
      const command = { kind: 'input.respond', contextId: 'ctx', responses: [edit] }
      for (const process of own.processes) {
        await own.refused('invalid', /Not her|in another one/, () =>
          process.submit(createCommand(command as never), alice),
        )
      }
      const start = {
        kind: 'tool-start',
        toolCallId: 'edited',
        toolName: 'pay',
        arguments: { to: 'mallory' },
      }
      const { emit } = createEmitter(task)
      await own.keptBack('waiting', async () => void (await first.append(emit(start as never))))
      equal((await own.answer(inputId, { taskId: 'editing', outcome: 'declined' })).status, 'accepted')
      await run
    },
  },
  {
    name: 'an agent starts a call that it has not asked about, or that nobody has approved',
    async run(open) {
      const own = await Conversation.begin(open)
      await own.keptBack('not-asked', () => own.start('i'))
      await own.ask('i')
      await own.keptBack('waiting', () => own.start('i'))
      await own.append({ kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'alice' })
      await own.keptBack('waiting', () => own.start('i'))
      equal((await own.answer('i')).status, 'accepted')
      await own.start('i')
      await own.keptBack('started', () => own.start('i'))
    },
  },
  {
    name: 'a call that was asked about starts in a process whose store names no calls',
    async run(open) {
      for (const others of [{}, { needsApproval: () => false }]) {
        const own = await Conversation.begin(open, options, others)
        await own.ask('i')
        await own.keptBack('waiting', () => own.start('i'))
        equal((await own.answer('i', { outcome: 'declined' })).status, 'accepted')
        await own.keptBack('declined', () => own.start('i'))
        await own.ask('j')
        equal((await own.answer('j')).status, 'accepted')
        await own.keptBack('changed', () => own.start('j', { to: 'mallory' }))
        await own.start('j')
        const call = { toolCallId: 'k', toolName: 'pay', arguments: '{}' }
        const task = { contextId: 'ctx', taskId: own.taskId }
        let inputId = ''
        for await (const draft of own.processes[0].approve([call], task)) {
          if (draft.kind !== 'input-required') break
          await own.append(draft)
          inputId = draft.inputId
        }
        equal((await own.answer(inputId, { outcome: 'declined' })).status, 'accepted')
        const found = await own.processes[1].approve([call], task).next()
        deepEqual(found, { done: true, value: [{ status: 'declined' }] })
        for (const process of own.processes) await process.release()
      }
    },
  },
  {
    name: 'another user answers, sends results, cancels and reads',
    async run(open) {
      for (const rules of [options, shared]) {
        const own = await Conversation.begin(open, rules)
        await own.ask('i')
        await own.append({
          ...{ kind: 'tool-start', toolCallId: 'where', toolName: 'where', arguments: {} },
          metadata: { provider: 'client' },
        })
        const named = /task|owner|stream/
        await own.refused('forbidden', named, () => own.answer('i', { outcome: 'answered' }, mallory))
        const result = { kind: 'tool.result', toolCallId: 'where', success: true, result: 'here' }
        await own.refused('forbidden', named, () => own.send(result, mallory))
        equal(own.processes[1].mayAccess(mallory), rules === shared)
        if (rules === options) {
          await own.refused('forbidden', named, () => own.send({ kind: 'task.cancel' }, mallory))
          await own.refused('forbidden', named, () => own.send({ kind: 'task.send', input: 'Hi' }, mallory))
        }
        for (const process of own.processes) await process.release()
      }
    },
  },
  {
    name: 'a user claims a stream, to answer what its application has asked',
    async run(open) {
      const processes = [
        await open(options, { onInput: () => {} }),
        await open(options, { onInput: () => {} }),
      ]
      const [first, second] = processes as [Stream, Stream]
      const { emit } = createEmitter({ contextId: 'ctx', taskId: 'nightly' })
      await first.append(emit({ kind: 'task-created', initiator: 'agent' }))
      await first.append(emit({ kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?' }))
      const answer = async (): Promise<string> => {
        const responses = [{ inputId: 'i', value: 1 }]
        const command = createCommand({ kind: 'input.respond', contextId: 'ctx', responses })
        return (await second.submit(command, mallory)).status
      }
      equal(await answer(), 'forbidden')
      const send = createCommand({ kind: 'task.send', contextId: 'ctx', input: 'Mine.' })
      equal((await second.submit(send, mallory)).status, 'accepted')
      equal(await answer(), 'forbidden')
      equal((await first.requests()).length, 1)
    },
  },
  {
    name: 'a user makes the task of another one a subtask of his own, to cancel it',
    async run(open) {
      const codes: string[] = []
      const rules = { ...shared, onDiagnostic: ({ code }: { code: string }) => void codes.push(code) }
      const own = await Conversation.begin(open, rules)
      const sent = createCommand({ kind: 'task.send', contextId: 'ctx', input: 'Mine.' })
      const parentTaskId = (await own.processes[1].submit(sent, mallory)).results[0]?.taskId ?? ''
      const mine = createEmitter({ contextId: 'ctx', taskId: parentTaskId })
      await own.processes[1].append(mine.emit({ kind: 'task-created', initiator: 'user' }))
      const { emit } = createEmitter({ contextId: 'ctx', taskId: own.taskId })
      const adopting = { ...emit({ kind: 'task-status', status: 'working' }), parentTaskId }
      const before = await own.seen()
      for (const process of own.processes) await process.append(adopting as ContextAnyEvent)
      deepEqual(await own.seen(), before)
      deepEqual(
        codes.filter((code) => code.startsWith('dropped:')),
        ['dropped:task-status', 'dropped:task-status'],
      )
      equal((await own.send({ kind: 'task.cancel', taskId: parentTaskId }, mallory)).status, 'accepted')
      equal(own.processes[0].signalOf({ contextId: 'ctx', taskId: own.taskId }).aborted, false)
    },
  },
  {
    name: 'a login is claimed, and the credential of somebody else is named',
    async run(open) {
      const own = await Conversation.begin(open)
      await own.append({ kind: 'auth-required', authId: 'a', authType: 'oauth2', prompt: 'Log in.' })
      const done = { kind: 'auth.respond', authId: 'a', outcome: 'completed' }
      await own.refused('forbidden', /"a"/, () => own.send(done))
      const stolen = { ...done, credentialRef: 'vault:bob/github' }
      await own.refused('invalid', /credentialRef/, () => own.send(stolen))
    },
  },
  {
    name: 'a claim about a login is not true, of a stranger, or repeated',
    async run(open) {
      const seen: unknown[] = []
      const own = await Conversation.begin(open, {
        ...shared,
        async verifyAuth({ authId, claim }, { id }) {
          seen.push([authId, claim, id])
          if (claim !== 'code') return { status: 'failed', reason: 'The code is not valid.' }
          return { status: 'completed', credentialRef: 'vault:alice/github' }
        },
      })
      await own.append({ kind: 'auth-required', authId: 'a', authType: 'oauth2', prompt: 'Log in.' })
      const done = { kind: 'auth.respond', authId: 'a', outcome: 'completed', claim: 'code' }
      await own.refused('forbidden', /"a"/, () => own.send(done, mallory))
      deepEqual(seen, [])
      await own.refused('invalid', /not valid/, () => own.send({ ...done, claim: 'forged' }))
      const answered = own.processes[0].answer({ authId: 'a', taskId: own.taskId })
      equal((await own.send(done)).status, 'accepted')
      equal((await answered)?.credentialRef, 'vault:alice/github')
      equal((await own.send(done)).status, 'repeated')
      equal(seen.length, 2)
      await own.append({ kind: 'auth-required', authId: 'b', authType: 'oauth2', prompt: 'Log in.' })
      const twice = createCommand({ ...done, contextId: 'ctx', authId: 'b' } as never)
      const receipts = await Promise.all([1, 2].map(() => own.processes[1].submit(twice, alice)))
      deepEqual(receipts.map(({ status }) => status).sort(), ['accepted', 'repeated'])
      equal(seen.length, 3)
      const unreadable = { ...twice, commandId: 'unreadable', claim: 10n }
      equal((await own.processes[1].submit(unreadable, alice)).status, 'invalid')
      // A forged claim beside a true one with the same id.
      for (const authId of ['c', 'd'])
        await own.append({ kind: 'auth-required', authId, authType: 'oauth2', prompt: 'Log in.' })
      const real = createCommand({ ...done, contextId: 'ctx', authId: 'c' } as never)
      const forged = { ...real, authId: 'd', claim: 'forged' }
      const both = await Promise.all([real, forged].map((each) => own.processes[1].submit(each, alice)))
      equal(both[0]?.status, 'accepted')
      notEqual(both[1]?.status, 'accepted')
      equal(
        (await own.processes[1].requests()).some(({ id }) => id === 'd'),
        true,
      )
    },
  },
  {
    name: 'a command is sent again after many others, of another user and of its own',
    async run(open) {
      const own = await Conversation.begin(open, { ...shared, maxEntries: 3 })
      const [first, second] = own.processes
      let time = Date.now()
      const input = (text: string): object => {
        const timestamp = new Date(time++).toISOString()
        return createCommand({ kind: 'task.send', contextId: 'ctx', input: text, timestamp } as never)
      }
      const sent = input('Pay 1.')
      equal((await first.submit(sent, alice)).status, 'accepted')
      for (let n = 0; n < 8; n++) await second.submit(input('Hi.'), mallory)
      await own.refused('repeated', /before/, () => second.submit(sent, alice))
      for (let n = 0; n < 3; n++) await first.submit(input('Hi.'), alice)
      await own.refused('too-old', /newer/, () => second.submit(sent, alice))
      const other = { ...sent, commandId: 'another' }
      await own.refused('too-old', /newer/, () => second.submit(other, alice))
      equal((await second.submit(input('Pay 2.'), alice)).status, 'accepted')
    },
  },
  {
    name: 'commands are forged, replayed, late, contradicting or too large',
    async run(open) {
      const own = await Conversation.begin(open)
      const { processes } = own
      await own.ask('i')
      await own.refused('unknown-request', /"nothing"/, () => own.answer('nothing'))
      await own.refused('unknown-task', /"none"/, () => own.send({ kind: 'task.cancel', taskId: 'none' }))
      const tooLong = { outcome: 'declined', reason: long }
      await own.refused('invalid', /reason/, () => own.answer('i', tooLong))
      await own.refused('invalid', /characters/, () =>
        own.answer('i', { value: { arguments: { to: long } } }),
      )
      const deep = JSON.parse(`${'['.repeat(1200)}${']'.repeat(1200)}`) as unknown
      await own.refused('invalid', /levels/, () => own.answer('i', { value: deep }))
      const huge = 'x'.repeat(2 ** 20)
      await own.refused('invalid', /1048576 characters/, () => own.send({ kind: 'task.send', input: huge }))
      const result = { toolCallId: 'call of i', success: true, result: [huge] }
      await own.refused('invalid', /1048576 characters/, () => own.send({ kind: 'tool.result', ...result }))
      const crowded = Array.from({ length: 300 }, (_, n) => ({ inputId: `${n}` }))
      await own.refused('invalid', /responses/, () => own.send({ kind: 'input.respond', responses: crowded }))
      await own.refused('invalid', /\S/, () => processes[1].submit('approve', alice))
      const sent = createCommand({ kind: 'task.send', contextId: 'ctx', input: 'Hi.' })
      const throwing = Object.defineProperty({ ...sent }, 'kind', {
        get() {
          throw new Error('Read me not.')
        },
      })
      for (const value of [undefined, { ...sent, input: 5n }, throwing])
        await own.refused('invalid', /command as JSON/, () => processes[1].submit(value, alice))
      const unknown = { kind: 'input.approve', commandId: 'c', timestamp: '2026-01-01T00:00:00Z' }
      await own.refused('unknown-command', /input\.approve/, () => processes[1].submit(unknown, alice))
      const responses = [{ inputId: 'i', outcome: 'answered' }]
      const command = createCommand({ kind: 'input.respond', contextId: 'ctx', responses } as never)
      equal((await processes[0].submit(command, alice)).status, 'accepted')
      await own.refused('repeated', /before/, () => processes[1].submit(command, alice))
      await own.refused('conflict', /before/, () => own.answer('i', { outcome: 'declined' }))
      const other = { ...command, responses: [{ inputId: 'i', outcome: 'declined' }] }
      await own.refused('conflict', /before/, () => processes[1].submit(other, alice))
      const ask = { kind: 'input-required', inputId: 'late', inputType: 'custom', prompt: '?' } as const
      await own.append({ ...ask, metadata: { timeout: 0.001 } })
      while ((await processes[1].requests()).some(({ id }) => id === 'late')) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      await own.refused('expired', /"late"/, () => own.answer('late', { value: 1 }))
      await own.ask('j')
      await own.append({ kind: 'task-status', status: 'failed' })
      await own.refused('unknown-request', /"j"/, () => own.answer('j'))
      await own.keptBack('ended', () => own.start('i'))
    },
  },
  {
    name: 'a user answers a task without an owner, which is reported when it asks',
    async run(open) {
      const codes: string[] = []
      const rules: StoreOptions = { mayAccess: () => true, onDiagnostic: ({ code }) => void codes.push(code) }
      const [first, second] = [await open(rules, {}), await open(rules, {})] as const
      const name = { contextId: 'ctx', taskId: 'cron' }
      const asked = first.run(name, () =>
        first.ask({ ...name, inputId: 'i', prompt: 'Go on?', timeoutMs: 60_000 }),
      )
      while ((await second.requests()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      equal(codes.includes('no-owner'), true)
      const responses = [{ inputId: 'i', value: 'Yes' }]
      const command = createCommand({ kind: 'input.respond', contextId: 'ctx', responses })
      equal((await second.submit(command, alice)).status, 'forbidden')
      const boss = { role: 'coordinator', id: 'boss' } as const
      const again = createCommand({ kind: 'input.respond', contextId: 'ctx', responses })
      equal((await second.submit(again, boss)).status, 'accepted')
      await asked
    },
  },
]
