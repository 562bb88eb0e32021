/**
 * Input of a stream: handed over once, and by another process if one stops. It is stored until its task ends, so that the agent
 * can be called again with it.
 */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import { hasEnded, onlyContext, requestsBelow } from '../commands/ledger/read.ts'
import { randomId } from '../core/random-id.ts'
import { startTimer, stopTimer } from '../core/timer.ts'
import type { TaskName } from '../events/event.ts'
import type { Handover } from './handover.ts'
import type { Send } from './untaken.ts'

/** Input, and the ledger that is to hand it over, or has. */
export interface StoredSend extends Send {
  readonly by: string
  /** `taken`: it was handed over. `parked`: its process has stopped while the task waited. Omitted: it is to be handed over. */
  readonly phase?: 'taken' | 'parked'
  /** Whether the task has begun before. */
  readonly isResumed?: boolean
}

/** Changes what is stored. */
export type Change = (stored: readonly StoredSend[], state: CommandLedgerState) => readonly StoredSend[]

/** How long another ledger has to hand its input over, before this one does. */
const CLAIM_MS = 1000
/** How much is kept of what was taken: the latest inputs, up to a size as JSON. What is not kept cannot be resumed. */
const MAX_TAKEN = 100
const MAX_TAKEN_CHARS = 65_536

export class InputQueue {
  private readonly id = randomId()
  private readonly handover: Handover
  private readonly onOverdue: () => void
  /** What was taken, and is stored still. */
  private readonly taken = new Set<string>()
  /** The input of others, by when it is overdue: `null` if it is. */
  private readonly others = new Map<string, unknown>()

  constructor(handover: Handover, onOverdue: () => void) {
    this.handover = handover
    this.onOverdue = onOverdue
  }

  /** Adds new input, for this ledger to hand over. */
  add(stored: readonly StoredSend[], sends: readonly Send[]): readonly StoredSend[] {
    return sends.length === 0 ? stored : [...stored, ...sends.map((send) => ({ ...send, by: this.id }))]
  }

  /** Notes what was taken. */
  note(sends: readonly Send[]): void {
    for (const send of sends) this.taken.add(keyOf(send))
  }

  /**
   * Hands over what is stored for this ledger, what others have not handed over in time, and again what was parked and waits no
   * longer.
   *
   * @param store - Stores a change, and resolves to what is stored then.
   * @param resume - Called before the input of a task that has begun is handed over.
   * @returns Whether something is to be handed over again.
   */
  async settle(
    stored: readonly StoredSend[],
    state: CommandLedgerState,
    store: (change: Change) => Promise<readonly StoredSend[]>,
    resume: (send: StoredSend) => Promise<unknown>,
  ): Promise<boolean> {
    let now = stored
    if (now.some((each) => this.isOverdue(each) || isReady(each, state))) {
      // Whoever stores its claim first hands it over.
      const claim: Change = (all, current) =>
        all.map((each) => {
          if (this.isOverdue(each)) return { ...each, by: this.id }
          return isReady(each, current) ? { ...sendOf(each), by: this.id, isResumed: true } : each
        })
      now = await store(claim)
    }
    for (const each of now) {
      if (each.by !== this.id || each.phase !== undefined || this.taken.has(keyOf(each))) continue
      if (each.isResumed === true) await resume(each)
      if (this.handover.take(sendOf(each))) this.taken.add(keyOf(each))
    }
    const isTaken = (each: StoredSend): boolean => each.phase === undefined && this.taken.has(keyOf(each))
    const isOver = (each: StoredSend): boolean => each.by === this.id && each.phase !== undefined
    if (now.some((each) => isTaken(each) || (isOver(each) && isEnded(each, state)))) {
      now = await store((all, current) => {
        const kept = all.flatMap((each) => (isTaken(each) ? takenOf(each) : [each]))
        const old = kept.filter(({ phase }) => phase === 'taken').slice(0, -MAX_TAKEN)
        return kept.filter((each) => !old.includes(each) && !(isOver(each) && isEnded(each, current)))
      })
    }
    const left = new Set(now.filter(({ phase }) => phase === undefined).map(keyOf))
    for (const key of this.taken) if (!left.has(key)) this.taken.delete(key)
    this.watch(now)
    return now.some(({ by, phase }) => by === this.id && phase === undefined)
  }

  close(): void {
    for (const timer of this.others.values()) stopTimer(timer)
    this.others.clear()
  }

  private isOverdue(each: StoredSend): boolean {
    return this.others.get(claimOf(each)) === null
  }

  private watch(stored: readonly StoredSend[]): void {
    const others = new Set(
      stored.filter(({ by, phase }) => by !== this.id && phase === undefined).map(claimOf),
    )
    for (const [claim, timer] of this.others) {
      if (others.has(claim)) continue
      stopTimer(timer)
      this.others.delete(claim)
    }
    for (const claim of others) {
      if (this.others.has(claim)) continue
      const isDue = (): void => {
        this.others.set(claim, null)
        this.onOverdue()
      }
      this.others.set(claim, startTimer(isDue, CLAIM_MS))
    }
  }
}

/** Keeps the input of a task until its requests are closed. */
export function parked(stored: readonly StoredSend[], task: TaskName): readonly StoredSend[] {
  return stored.map((each) => (isOf(each, task) ? { ...each, phase: 'parked' } : each))
}

/** Whether input is that of a task. */
export function isOf({ taskId, command }: Send, task: TaskName): boolean {
  return taskId === task.taskId && (command.contextId ?? task.contextId) === task.contextId
}

/** The task of input, if it is known to which context it belongs. */
export function taskOf({ taskId, command }: Send, state: CommandLedgerState): TaskName | undefined {
  const contextId = command.contextId ?? onlyContext(state)
  return contextId === undefined ? undefined : { contextId, taskId }
}

function isReady(each: StoredSend, state: CommandLedgerState): boolean {
  const task = each.phase === 'parked' ? taskOf(each, state) : undefined
  return task !== undefined && !hasEnded(state, task) && requestsBelow(state, task).length === 0
}

function isEnded(each: StoredSend, state: CommandLedgerState): boolean {
  const task = taskOf(each, state)
  return task !== undefined && hasEnded(state, task)
}

/** What is kept of input that was taken: nothing of what is for a task that another input has begun. */
function takenOf(each: StoredSend): StoredSend[] {
  const isKept = each.command.taskId === undefined && JSON.stringify(each.command).length <= MAX_TAKEN_CHARS
  return isKept ? [{ ...sendOf(each), by: each.by, phase: 'taken' }] : []
}

function sendOf({ by: _, phase: __, ...send }: StoredSend): Omit<StoredSend, 'by' | 'phase'> {
  return send
}

/** Names input: a sender uses the id of a command once. */
export function keyOf({ sender, command }: { sender: Send['sender']; command: unknown }): string {
  const { commandId } = (command ?? {}) as { commandId?: unknown }
  return JSON.stringify([sender.role, sender.id, String(commandId)])
}

function claimOf(send: StoredSend): string {
  return `${send.by} ${keyOf(send)}`
}
