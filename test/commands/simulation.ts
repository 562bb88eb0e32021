/**
 * A server with one ledger, its clients and its agent. A process may crash between any two steps: what it had not
 * committed is lost, and what it had committed but not yet said or done is never said or done by it.
 *
 *     commit = state of the ledger and events of the log, at once
 */

import fc from 'fast-check'
import { type ContextAnyEvent, type Diagnostic, isTerminalStatus } from 'turnstream'
import { type Command, callDigest, type Sender } from 'turnstream/commands'
import { closeDangling, emptyView, foldEvents, taskOf } from 'turnstream/streams'
import type { CommandLedgerState, LedgerOptions } from '../../src/commands/ledger/ledger.ts'
import { commandLedger } from '../../src/commands/ledger/ledger.ts'
import { answerTo, openRequests, stoppedTasks } from '../../src/commands/ledger/read.ts'
import type { LedgerInput, LedgerOutput } from '../../src/commands/ledger/types.ts'
import { anyone } from '../support/anyone.ts'

const CONTEXT = 'ctx-1'
const ROOT = 'task-1'
const CHILD = 'task-2'

/** One step of the simulation. */
export interface Choice {
  readonly action: number
  readonly a: number
  readonly b: number
  readonly flag: boolean
  /** When the process that carries the step out crashes. */
  readonly crash: 'never' | 'before' | 'after'
}

export const choices: fc.Arbitrary<Choice[]> = fc.array(
  fc.record({
    action: fc.nat(99),
    a: fc.nat(99),
    b: fc.nat(99),
    flag: fc.boolean(),
    crash: fc.oneof(
      { weight: 6, arbitrary: fc.constant('never' as const) },
      fc.constantFrom('before' as const, 'after' as const),
    ),
  }),
  { maxLength: 40, size: 'max' },
)

/** A command that was delivered, with what the ledger answered. */
interface Delivery {
  readonly command: unknown
  readonly outputs: readonly LedgerOutput[]
  readonly before: string
  readonly after: string
  readonly at: string
  readonly sender: Sender
}

const senders: readonly Sender[] = [
  { role: 'user', id: 'user-1' },
  { role: 'user', id: 'user-1' },
  { role: 'user', id: 'user-2' },
  { role: 'coordinator', id: 'agent-1' },
  { role: 'parent', id: 'agent-2' },
  { role: 'observer', id: 'nosy' },
]

export class World {
  readonly log: ContextAnyEvent[] = []
  readonly deliveries: Delivery[] = []
  /** The arguments with which each call was executed. */
  readonly executed: { toolCallId: string; arguments: unknown }[] = []
  /** The inputs that were handed to the agent. */
  readonly sent: string[] = []
  readonly diagnostics: Diagnostic[] = []
  readonly #ledger: ReturnType<typeof commandLedger>
  #stored: string
  #now = Date.parse('2026-01-01T00:00:00.000Z')
  #ids = 0

  constructor(options: LedgerOptions = anyone) {
    this.#ledger = commandLedger({ maxEntries: 100, ...options })
    this.#stored = JSON.stringify(this.#ledger.initial)
    this.#append([
      { kind: 'task-created', taskId: ROOT, initiator: 'user' },
      { kind: 'task-status', taskId: ROOT, status: 'working' },
      { kind: 'subtask-created', taskId: ROOT, subtaskId: CHILD, prompt: 'Help.' },
      { kind: 'task-created', taskId: CHILD, parentTaskId: ROOT, initiator: 'agent' },
      { kind: 'task-status', taskId: CHILD, parentTaskId: ROOT, status: 'working' },
    ])
  }

  get state(): CommandLedgerState {
    return JSON.parse(this.#stored) as CommandLedgerState
  }

  play(choice: Choice): void {
    this.#now += choice.b * 10
    const { action } = choice
    if (action < 20) this.#ask(choice)
    else if (action < 40) this.#deliver(this.#command(choice), choice)
    else if (action < 62) this.#answer(choice)
    else if (action < 70) this.#repeat(choice)
    else if (action < 90) this.#work(choice)
    else if (action < 94) this.#wait(choice)
    else if (action < 96) this.#stop()
    else {
      const task = choice.a % 8 === 0 ? {} : { taskId: CHILD }
      this.#deliver(this.#create({ kind: 'task.cancel', ...task }), choice)
    }
  }

  /** Ends what is still open. */
  end(): void {
    this.#stop()
    for (const event of this.#closing(() => true)) this.#commit([{ type: 'event', event }], [event], 'never')
  }

  /** One atomic step: outputs are lost if the process crashes, before or after it. */
  #commit(
    inputs: readonly LedgerInput[],
    events: readonly ContextAnyEvent[],
    crash: Choice['crash'],
  ): readonly LedgerOutput[] {
    if (crash === 'before') return []
    let state = this.state
    const out: LedgerOutput[] = []
    for (const input of inputs) {
      const step = this.#ledger.step(state, input)
      state = step.state
      out.push(...step.out)
      this.diagnostics.push(...(step.diagnostics ?? []))
    }
    this.log.push(...events)
    for (const output of out) if (output.type === 'event') this.log.push(output.event)
    this.#stored = JSON.stringify(state)
    return out
  }

  #append(bare: readonly Record<string, unknown>[], crash: Choice['crash'] = 'never'): void {
    const timestamp = this.#at
    const events = bare.map(
      (each) => ({ contextId: CONTEXT, ...each, timestamp }) as unknown as ContextAnyEvent,
    )
    this.#commit(
      events.map((event) => ({ type: 'event', event })),
      events,
      crash,
    )
  }

  get #at(): string {
    const latest = this.log.at(-1)?.timestamp ?? ''
    const now = new Date(this.#now).toISOString()
    return [latest, now].sort()[1] ?? now
  }

  #task(taskId: string): { status: string | null; context: { taskId: string; parentTaskId?: string } } {
    const status = taskOf(foldEvents(emptyView, this.log), taskId)?.status ?? null
    return { status, context: { taskId, ...(taskId === CHILD && { parentTaskId: ROOT }) } }
  }

  /** The agent asks something, and waits. */
  #ask({ a, b, flag, crash }: Choice): void {
    const { status, context } = this.#task(flag ? CHILD : ROOT)
    if (isTerminalStatus(status)) return
    const id = `${++this.#ids}`
    const call = { id: `call-${id}`, function: { name: 'book', arguments: `{"n":${b}}` } }
    const timeout = a % 2 === 0 ? { timeout: b } : {}
    const input = {
      kind: 'input-required',
      inputId: `input-${id}`,
      prompt: 'Well?',
      requireUser: a % 3 === 0,
    }
    const deltas = [
      { kind: 'tool-arguments-delta', toolCallId: call.id, toolName: 'book', delta: `{"n":${b}}`, index: 0 },
    ]
    const asked: readonly Record<string, unknown>[][] = [
      [
        ...deltas,
        {
          ...{ ...input, inputType: 'tool-execution' },
          ...(b % 2 === 0 && a % 5 !== 0 && { schema: { properties: { arguments: { type: 'object' } } } }),
          metadata: { toolCall: call, ...timeout, ...(a % 5 === 0 && { provider: 'client' }) },
        },
      ],
      [{ ...input, inputType: 'selection', options: ['x', 'y'], metadata: timeout }],
      [{ ...input, inputType: 'custom', schema: { type: 'integer', minimum: 0 }, metadata: timeout }],
      [{ ...input, inputType: 'confirmation', metadata: timeout }],
      [
        {
          kind: 'auth-required',
          authId: `auth-${id}`,
          authType: 'api-key',
          prompt: 'Log in.',
          metadata: { expiresIn: b },
        },
      ],
    ]
    // Most requests are about calls.
    const which = asked[Math.max(0, (a % (asked.length + 4)) - 4)] ?? []
    const isAuth = which[0]?.kind === 'auth-required'
    // Content and calls come before the wait.
    if (isWaiting(status) && which[0]?.kind === 'tool-arguments-delta') which.shift()
    const waiting = { kind: 'task-status', status: isAuth ? 'waiting-auth' : 'waiting-input' }
    this.#append(
      [...which, ...(isWaiting(status) ? [] : [waiting])].map((event) => ({ ...context, ...event })),
      crash,
    )
  }

  #command({ a, b, flag }: Choice): Command {
    const open = openRequests(this.state)
    const asked = this.log.filter(({ kind }) => kind === 'input-required' || kind === 'auth-required')
    const past = asked[a % Math.max(1, asked.length)] as { inputId?: string; authId?: string } | undefined
    const request = open[a % Math.max(1, open.length)]
    const inputId = (flag ? request?.id : past?.inputId) ?? 'input-0'
    if (b % 7 === 0) {
      const isForged = b % 2 === 0
      const toolCallId = isForged ? `call-${b}` : inputId.replace('input', 'call')
      return this.#create({
        kind: 'tool.result',
        toolCallId,
        success: flag,
        ...(flag ? { result: b } : { error: 'no' }),
      })
    }
    if (request?.type === 'auth' || (b % 7 === 1 && past?.authId !== undefined)) {
      const outcome = (['completed', 'denied', 'failed'] as const)[b % 3] ?? 'failed'
      return this.#create({ kind: 'auth.respond', authId: request?.id ?? past?.authId ?? 'auth-0', outcome })
    }
    if (b % 11 === 0) return this.#create({ kind: 'task.send', input: b, ...(flag && { taskId: CHILD }) })
    const values: readonly unknown[] = [
      'x',
      'y',
      3,
      -1,
      true,
      { arguments: { n: a } },
      undefined,
      undefined,
      undefined,
    ]
    const value = values[b % values.length]
    const digest = [
      undefined,
      'sha-256:0',
      request?.call?.digest,
      callDigest({ toolName: 'book', arguments: { n: 1 } }),
    ][b % 4]
    const response = {
      inputId,
      ...(b % 5 < 2 && { outcome: b % 5 === 0 ? 'declined' : 'answered' }),
      ...(value !== undefined && { value }),
      ...(digest !== undefined && { callDigest: digest }),
    }
    const other = { inputId: past?.inputId ?? 'input-1', value: 'y' }
    return this.#create({ kind: 'input.respond', responses: flag ? [response, other] : [response] })
  }

  /** The user answers an open request as expected. */
  #answer(choice: Choice): void {
    const { a, b, flag } = choice
    const open = openRequests(this.state)
    const request = open[a % Math.max(1, open.length)]
    if (request === undefined) return
    const { type, id, inputType, call } = request
    const edited = flag ? { value: { arguments: { n: b + 100 } } } : { outcome: 'answered' }
    const values: Readonly<Record<string, object>> = {
      selection: { value: 'x' },
      custom: { value: b },
      confirmation: { value: true },
    }
    const response = {
      inputId: id,
      ...(values[inputType ?? ''] ?? edited),
      ...(call !== undefined && flag && { callDigest: call.digest }),
    }
    const command =
      type === 'auth'
        ? this.#create({ kind: 'auth.respond', authId: id, outcome: 'completed' })
        : this.#create({ kind: 'input.respond', responses: [response] })
    this.#deliver(command, choice, { role: 'user', id: 'user-1' })
  }

  #create(draft: Record<string, unknown>): Command {
    return { ...draft, commandId: `cmd-${++this.#ids}`, timestamp: this.#at } as unknown as Command
  }

  #repeat(choice: Choice): void {
    const { a, b, flag, crash } = choice
    const earlier = this.deliveries[a % Math.max(1, this.deliveries.length)]
    if (earlier === undefined) return
    // Some readers take the id from a request that they read in another way when it comes again.
    const { commandId } = earlier.command as Command
    const command = flag ? { ...this.#command({ ...choice, a: b, flag: true }), commandId } : earlier.command
    this.#deliver(command, { a: b, crash }, earlier.sender)
  }

  #deliver(command: unknown, { a, crash }: Pick<Choice, 'a' | 'crash'>, from?: Sender): void {
    const sender = from ?? senders[a % senders.length] ?? { role: 'user', id: 'user-1' }
    const at = this.#at
    const before = this.#stored
    const outputs = this.#commit([{ type: 'command', command, sender, at, verified: {} }], [], crash)
    const after = this.#stored
    // Of a process that crashes after the commit, nobody hears. The law looks at what it has committed.
    if (crash !== 'before') this.deliveries.push({ command, outputs, before, after, at, sender })
    if (crash === 'never') {
      for (const output of outputs) if (output.type === 'send') this.sent.push(output.command.commandId)
    }
  }

  #wait({ crash }: Choice): void {
    this.#now += 5000
    this.#commit([{ type: 'time', at: this.#at }], [], crash)
  }

  /** The agent continues, from the log and the ledger alone, as after a restart. */
  #work({ a, flag, crash }: Choice): void {
    for (const event of this.log) {
      if (event.kind !== 'input-required' || event.metadata?.toolCall === undefined) continue
      const toolCallId = event.metadata.toolCall.id
      const { status, context } = this.#task(event.taskId)
      const begun = this.log.some((each) => each.kind === 'tool-start' && each.toolCallId === toolCallId)
      const ended = this.log.some((each) => each.kind === 'tool-complete' && each.toolCallId === toolCallId)
      const isStopped = stoppedTasks(this.state).some(({ taskId }) => taskId === event.taskId)
      if (isTerminalStatus(status) || isWaiting(status) || ended || begun || isStopped) continue
      const found = answerTo(this.state, { inputId: event.inputId })
      const call = found.status === 'answered' ? found.answer.call : undefined
      if (call === undefined) continue
      const { toolName, arguments: args } = call
      // Whoever has appended the start executes.
      this.#append([{ ...context, kind: 'tool-start', toolCallId, toolName, arguments: args }], crash)
      if (crash !== 'never') return
      this.executed.push({ toolCallId, arguments: args })
      if (flag) return
      this.#append([{ ...context, kind: 'tool-complete', toolCallId, toolName, success: true, result: a }])
    }
  }

  /** The agent ends the tasks that are to stop. */
  #stop(): void {
    const stopped = new Set(stoppedTasks(this.state).map(({ taskId }) => taskId))
    for (const event of this.#closing((taskId) => stopped.has(taskId))) {
      this.#commit([{ type: 'event', event }], [event], 'never')
    }
  }

  #closing(isMeant: (taskId: string) => boolean): ContextAnyEvent[] {
    const view = foldEvents(emptyView, this.log)
    const events = closeDangling(view, { reason: 'stopped', at: this.#at, status: 'canceled' })
    return events.filter(({ taskId }) => isMeant(taskId))
  }
}

function isWaiting(status: string | null): boolean {
  return status === 'waiting-input' || status === 'waiting-auth'
}
