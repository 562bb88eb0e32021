/** Taking input: it is stored with the state, handed over when it is its turn, and again if a process has stopped. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import { hasEnded, isKnown, latestTime, runningTasks, stoppedTasks } from '../commands/ledger/read.ts'
import type { Diagnostic } from '../core/machine.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import type { LeaseLog } from '../streams/log/lease-log.ts'
import { Handover } from './handover.ts'
import { heldIn } from './held.ts'
import { type Change, InputQueue, parked } from './input-queue.ts'
import type { Applied, InputOf, Ledger, Repeated, UntakenOf } from './ledger.ts'
import type { Runs } from './runs.ts'
import { StoreError } from './store-error.ts'
import type { AgentInput } from './stream.ts'
import { isOf, keyOf, type Send, type StoredSend, sendsIn, taskOf } from './untaken.ts'

/** What taking input needs of its stream. */
export interface InputHost {
  readonly ledger: Ledger
  readonly runs: Runs
  /** Its log, if it has leases. */
  readonly leases: LeaseLog | undefined
  readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined
  /** Calls whoever waits for a change of the state. */
  update(state: CommandLedgerState): void
  /** Applies what others have stored, after what is being applied. */
  refresh(): Promise<unknown>
  /** Does the same after a while. */
  retry(): void
  isReleased(): boolean
  /** The current time: RFC 3339 with time zone. */
  time(): string
}

/** Who takes input, and whether it takes turns. */
export interface Taker {
  readonly take: (input: AgentInput) => unknown
  readonly isParallel: boolean
}

export class Inputs {
  readonly #host: InputHost
  readonly #handover: Handover
  readonly #queue: InputQueue
  #taker: Taker | undefined
  /** The input that waited for its turn when it was looked at last, by its key. */
  #held: ReadonlySet<string> = new Set()

  constructor(host: InputHost) {
    this.#host = host
    const refresh = (): void => void host.refresh().catch(() => undefined)
    this.#handover = new Handover(
      (send) => this.#taker?.take(inputOf(send)),
      host.onDiagnostic,
      () => {
        if (this.#held.size > 0) refresh()
      },
    )
    this.#queue = new InputQueue(this.#handover, refresh)
  }

  get hasTaker(): boolean {
    return this.#taker !== undefined
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
    // Without onInput, nobody is to take input.
    const untakenOf: UntakenOf = (stored, sends) =>
      this.#taker === undefined ? stored : this.#queue.add(stored, sends)
    const applied = await this.#host.ledger.apply(input, untakenOf, repeated)
    this.#host.update(applied.state)
    this.#look(applied)
    const due = sendsIn(applied.out).filter((send) => !this.#held.has(keyOf(send)))
    const { returned, errors } = this.#handover.deliver(due)
    this.report(applied.diagnostics)
    const refused = new Set(returned.map(keyOf))
    this.#queue.note(due.filter((send) => !refused.has(keyOf(send))))
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

  report(diagnostics: readonly Diagnostic[]): void {
    this.#handover.report(diagnostics)
  }

  close(): void {
    this.#queue.close()
  }

  /** Learns which input waits. */
  #look({ state, untaken }: Pick<Applied, 'state' | 'untaken'>): void {
    const { leases, runs } = this.#host
    const isQueued = this.#taker !== undefined && !this.#taker.isParallel && untaken.length > 0
    // Without leases, nobody knows of a task of another process whether it runs still.
    const running = leases === undefined ? runs.tasks() : runningTasks(state)
    const isBeginning = (send: StoredSend): boolean => this.#isBeginning(send)
    this.#held = isQueued ? heldIn(untaken, state, running, isBeginning) : new Set()
  }

  /** Whether input was taken, and its task is about to begin. */
  #isBeginning(send: StoredSend): boolean {
    return this.#handover.isPending(send) || this.#queue.isBeginning(send, this.#host.ledger.state)
  }

  async #store(to: Change, inputOf?: InputOf): Promise<readonly StoredSend[]> {
    const applied = await this.#host.ledger.apply(inputOf, (all, _, state) => to(all, state))
    this.#host.update(applied.state)
    this.report(applied.diagnostics)
    this.#look(applied)
    return applied.untaken
  }

  /** Hands over what is stored for this process. What fails is tried again, and changes no receipt. */
  async #settle(stored: readonly StoredSend[]): Promise<readonly StoredSend[]> {
    const { ledger, isReleased, retry } = this.#host
    if (this.#taker === undefined || stored.length === 0 || isReleased()) return stored
    let left = stored
    const change = async (to: Change): Promise<readonly StoredSend[]> => {
      left = await this.#store(to)
      return left
    }
    const isHeld = (send: Send): boolean => this.#held.has(keyOf(send))
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
        if (each.phase === undefined || this.#isBeginning(each)) return
        continue
      }
      const { input } = each.command
      const initiator = each.sender.role === 'user' ? 'user' : 'agent'
      await this.#write(task, { kind: 'task-created', initiator, metadata: { input } })
      await this.#write(task, { kind: 'task-status', status: 'submitted' })
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
        await this.#write(name, { kind: 'task-status', status: 'canceled', metadata: { reason } })
      }
      left = await this.#store((all) => all.filter((other) => keyOf(other) !== keyOf(each)))
    }
    return left
  }

  /** Appends an event of a task that nobody runs, unless the task has ended. */
  async #write(task: TaskName, event: object): Promise<void> {
    await this.#store(
      (stored) => stored,
      (state) => {
        if (hasEnded(state, task)) return undefined
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
