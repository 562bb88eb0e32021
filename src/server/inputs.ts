/** Taking input: it is stored with the state, handed over when it is its turn, and again if a process has stopped. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import {
  hasBegun,
  hasEnded,
  hasStatus,
  isKnown,
  isStopping,
  latestTime,
  onlyContext,
  runningTasks,
  stoppedTasks,
} from '../commands/ledger/read.ts'
import type { Diagnostic } from '../core/machine.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import type { LeaseLog } from '../streams/log/lease-log.ts'
import { isFields } from '../validation/predicates.ts'
import { Handover } from './handover.ts'
import { type Turns, turnsIn } from './held.ts'
import { type Change, InputQueue, parked } from './input-queue.ts'
import type { Applied, InputOf, Ledger, Repeated, UntakenOf } from './ledger.ts'
import type { Runs } from './runs.ts'
import { StoreError } from './store-error.ts'
import type { AgentInput } from './stream.ts'
import { TaskInputs } from './task-inputs.ts'
import { isOf, keyOf, type Send, type StoredSend, sendsIn, taskOf } from './untaken.ts'

/** What taking input needs of its stream. */
export interface InputHost {
  readonly ledger: Ledger
  readonly runs: Runs
  /** Its log, if it has leases. */
  readonly leases: LeaseLog | undefined
  /** How long the leases of its log last. */
  readonly leaseMs: number
  readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined
  /** Calls whoever waits for a change of the state. */
  update(state: CommandLedgerState): void
  /** Applies an input, or what others have stored, after what is being applied. Rejects once the stream is released. */
  apply(input?: InputOf): Promise<unknown>
  /** Does the same after a while. */
  retry(): void
  /** The conversation that the name of its stream states. `undefined`: it states none. */
  contextOfStream(): string | undefined
  isReleased(): boolean
  /** The current time: RFC 3339 with time zone. */
  time(): string
}

/** How new input is treated while a task of its conversation runs. */
export type WhileRunning = 'queue' | 'refuse' | 'parallel'

/** Who takes input, and whether it takes turns. */
export interface Taker {
  readonly take: (input: AgentInput) => unknown
  readonly whileRunning: WhileRunning
}

export class Inputs {
  readonly #host: InputHost
  readonly #handover: Handover
  readonly #queue: InputQueue
  readonly #tasks = new TaskInputs()
  #taker: Taker | undefined
  /** The input that waited for its turn when it was looked at last, by its key. */
  #held: ReadonlySet<string> = new Set()

  constructor(host: InputHost) {
    this.#host = host
    const refresh = (): void => {
      host.apply().catch(() => undefined)
    }
    this.#handover = new Handover(
      (send) => this.#hand(send),
      host.onDiagnostic,
      () => {
        if (this.#held.size > 0) refresh()
      },
      (send, hasPromise) => this.#queue.done(send, hasPromise),
    )
    this.#queue = new InputQueue(this.#handover, refresh, host.leaseMs)
  }

  get hasTaker(): boolean {
    return this.#taker !== undefined
  }

  /** Whether somebody takes input for a new task, or reads that of one that runs. */
  takesInput(task: { readonly reader?: string } | undefined): boolean {
    if (task === undefined) return this.hasTaker
    const { reader } = task
    // Without leases, nobody knows whether another process reads it still.
    return reader !== undefined && (this.#host.leases !== undefined || reader === this.#queue.id)
  }

  /** Whether new input of a command is refused, because a task of its conversation runs by a state and the input stored with it. */
  isBusy(command: unknown, state: CommandLedgerState, untaken: readonly StoredSend[]): boolean {
    if (this.#taker?.whileRunning !== 'refuse' || !isFields(command)) return false
    const { contextId = onlyContext(state) ?? this.#host.contextOfStream() } = command
    return this.#turns(state, untaken).busy.has(contextId as string | undefined)
  }

  /** What clients send to a task while it runs. */
  async *read(task: TaskName): AsyncGenerator<AgentInput, void, undefined> {
    if (this.#host.isReleased()) return
    const inputs = this.#tasks.open(task)
    const { contextId, taskId } = task
    const note = (reader: object): Promise<unknown> =>
      this.#host.apply(() => ({ type: 'reader', contextId, taskId, ...reader }))
    try {
      await note({ reader: this.#queue.id })
      yield* inputs
    } finally {
      for (const input of this.#tasks.close(task)) this.#reportUnread(input)
      await note({}).catch(() => undefined)
    }
  }

  setTaker(taker: Taker): void {
    this.#taker = taker
  }

  /** Whether a command is stored whose input nobody has taken, though it is its turn. */
  isUntaken(untaken: readonly StoredSend[], key: string): boolean {
    return !this.#held.has(key) && untaken.some((each) => each.phase === undefined && keyOf(each) === key)
  }

  /** Applies an input of the ledger, and hands over what follows before the next one. */
  async apply(input?: InputOf, repeated?: Repeated): Promise<Applied> {
    const untakenOf: UntakenOf = (stored, sends) => this.#queue.add(stored, sends)
    const applied = await this.#host.ledger.apply(input, untakenOf, repeated)
    this.#update(applied)
    const isDue = (send: Send): boolean =>
      !this.#held.has(keyOf(send)) && (send.reader === undefined || send.reader === this.#queue.id)
    const due = sendsIn(applied.out).filter(isDue)
    this.#queue.note(due)
    const { returned, errors } = this.#handover.deliver(due)
    this.report(applied.diagnostics)
    this.#queue.forget(returned)
    for (const each of returned) {
      // The sender may send it again.
      await this.#store(
        (all) => all.filter((other) => keyOf(other) !== keyOf(each)),
        () => each,
      )
    }
    const untaken = returned.length > 0 ? [] : await this.#settle(applied.untaken)
    if (errors.length > 0) throw errors[0]
    return { ...applied, untaken }
  }

  /** Keeps the input of a task until its requests are closed; `false` if it has none. */
  async park(task: TaskName): Promise<boolean> {
    let has = false
    await this.#host.ledger.apply(undefined, (stored) => {
      has = stored.some((each) => isOf(each, task))
      return has ? parked(stored, task) : stored
    })
    return has
  }

  /** Whether input waits for its turn, or to be handed over: its task is not to be ended. */
  isWaiting(task: TaskName): boolean {
    const { ledger } = this.#host
    return !hasBegun(ledger.state, task) && ledger.untaken.some((each) => isOf(each, task))
  }

  /**
   * Notes that a task begins. If this process comes late with it, another one may have been given its input.
   *
   * @throws StoreError `lease-lost` if so.
   */
  async begin(task: TaskName): Promise<void> {
    if (!this.#queue.isLate(task)) return
    const stored = await this.#store((all) => this.#queue.renewed(all, task))
    if (!stored.some((each) => isOf(each, task) && each.by !== this.#queue.id)) return
    throw new StoreError('lease-lost', `The input of task "${task.taskId}" was given to another process.`)
  }

  report(diagnostics: readonly Diagnostic[]): void {
    this.#handover.report(diagnostics)
  }

  close(): void {
    this.#tasks.end(() => true)
    this.#queue.close()
  }

  /** Gives input to who takes it. */
  #hand(send: StoredSend | Send): unknown {
    const input = inputOf(send)
    if (send.reader === undefined) return this.#taker?.take(input)
    const task = taskOf(send, this.#host.ledger.state)
    if (task === undefined || !this.#tasks.push(task, input)) this.#reportUnread(input)
    return undefined
  }

  #reportUnread({ commandId, taskId }: AgentInput): void {
    const message = `Expected the agent of task "${taskId}" to read the input of command "${commandId}", but it has ended or reads no more.`
    this.report([{ code: 'input-not-taken', message, detail: { commandId } }])
  }

  /** Wakes whoever the new state concerns. */
  #update(applied: Applied): void {
    this.#host.update(applied.state)
    this.#tasks.end((task) => isStopping(applied.state, task))
    this.#look(applied)
  }

  /** Learns which input waits. */
  #look({ state, untaken }: Pick<Applied, 'state' | 'untaken'>): void {
    const { whileRunning = 'parallel' } = this.#taker ?? {}
    const isQueued = whileRunning !== 'parallel' && untaken.length > 0
    this.#held = isQueued ? this.#turns(state, untaken).held : new Set()
  }

  #turns(state: CommandLedgerState, untaken: readonly StoredSend[]): Turns {
    const { leases, runs } = this.#host
    // Without leases, nobody knows of a task of another process whether it runs still.
    const running = leases === undefined ? runs.tasks() : runningTasks(state)
    return turnsIn(untaken, state, running, (send) => this.#isBeginning(send))
  }

  /** Whether input was taken, and its task is about to begin. */
  #isBeginning(send: StoredSend): boolean {
    const { ledger, runs } = this.#host
    const isOwn = runs.tasks().some((task) => isOf(send, task) && !isKnown(ledger.state, task))
    return isOwn || this.#handover.isPending(send) || this.#queue.isBeginning(send, ledger.state)
  }

  async #store(to: Change, inputOf?: InputOf): Promise<readonly StoredSend[]> {
    const applied = await this.#host.ledger.apply(inputOf, (all, _, state) => to(all, state))
    this.#update(applied)
    this.report(applied.diagnostics)
    return applied.untaken
  }

  /** Hands over what is stored for this process. What fails is tried again, and changes no receipt. */
  async #settle(stored: readonly StoredSend[]): Promise<readonly StoredSend[]> {
    const { ledger, isReleased, retry } = this.#host
    const isOwn = (each: StoredSend): boolean => each.reader === this.#queue.id
    const hasWork = this.#taker === undefined ? stored.some(isOwn) : stored.length > 0
    if (!hasWork || isReleased()) return stored
    let left = stored
    const change = async (to: Change): Promise<readonly StoredSend[]> => {
      left = await this.#store(to)
      return left
    }
    // Without onInput, only what is for an agent that runs here can be taken.
    const isHeld = (send: Send): boolean =>
      this.#held.has(keyOf(send)) || (this.#taker === undefined && send.reader === undefined)
    const resume = (send: StoredSend): Promise<void> => this.#resume(send)
    const isLeft = async (): Promise<boolean> => {
      left = await this.#dropCanceled(left)
      const isUntaken = await this.#queue.settle(left, ledger.state, change, resume, isHeld)
      await this.#showHeld(left)
      return isUntaken
    }
    if (await isLeft().catch(() => true)) retry()
    return left
  }

  async #resume(send: StoredSend): Promise<void> {
    const { ledger, runs, leases } = this.#host
    const task = taskOf(send, ledger.state)
    if (task === undefined) return
    await runs.stop(task, new StoreError('lease-lost', `The task "${task.taskId}" was taken over.`))
    // What was lost with a lease may be appended to again.
    await leases?.release([task])
  }

  /** Shows input that waits as tasks that are submitted, after those before it. */
  async #showHeld(stored: readonly StoredSend[]): Promise<void> {
    for (const each of stored) {
      const task = taskOf(each, this.#host.ledger.state)
      if (task === undefined || isKnown(this.#host.ledger.state, task)) continue
      if (!this.#held.has(keyOf(each))) {
        // Its task is about to be shown, unless the application runs none.
        const isNext = this.#isBeginning(each) && !this.#handover.isSlow(each)
        if (each.phase === undefined || isNext) return
        continue
      }
      const { input } = each.command
      const initiator = each.sender.role === 'user' ? 'user' : 'agent'
      const created = { kind: 'task-created', initiator, metadata: { input } }
      // Another process may do the same.
      await this.#write(task, created, (state) => !isKnown(state, task))
      await this.#write(
        task,
        { kind: 'task-status', status: 'submitted' },
        (state) => !hasStatus(state, task),
      )
    }
  }

  /** Ends the tasks that were canceled while they waited: nobody runs them. */
  async #dropCanceled(stored: readonly StoredSend[]): Promise<readonly StoredSend[]> {
    const { ledger } = this.#host
    const stopped = stoppedTasks(ledger.state)
    let left = stored
    for (const each of stored) {
      if (each.phase !== undefined || each.isResumed === true || each.command.taskId !== undefined) continue
      const task = stopped.find((one) => isOf(each, one))
      if (task === undefined) continue
      const { reason = 'The task was canceled.', ...name } = task
      if (!hasEnded(ledger.state, name)) {
        const canceled = { kind: 'task-status', status: 'canceled', metadata: { reason } }
        await this.#write(name, canceled, (state) => !hasEnded(state, name))
      }
      left = await this.#store((all) => all.filter((other) => keyOf(other) !== keyOf(each)))
    }
    return left
  }

  /** Appends an event of a task that nobody runs, if it is due by the state that is stored. */
  async #write(task: TaskName, event: object, isDue: (state: CommandLedgerState) => boolean): Promise<void> {
    await this.#store(
      (stored) => stored,
      (state) => {
        if (!isDue(state)) return undefined
        const timestamp = latestTime(state, this.#host.time())
        const { contextId, taskId } = task
        return { type: 'event', event: { ...event, contextId, taskId, timestamp } as ContextAnyEvent }
      },
    )
  }
}

function inputOf({ command, sender, taskId, isResumed = false }: Send & { isResumed?: boolean }): AgentInput {
  const { contextId, input, commandId } = command
  return { ...(contextId !== undefined && { contextId }), taskId, input, sender, commandId, isResumed }
}
