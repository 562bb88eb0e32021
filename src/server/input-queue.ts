/**
 * Input of a stream: handed over once, and by another process if one stops. It is stored until its task ends, so that the agent
 * can be called again with it.
 */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import { hasBegun, hasEnded, requestsBelow } from '../commands/ledger/read.ts'
import { randomId } from '../core/random-id.ts'
import { startTimer, stopTimer } from '../core/timer.ts'
import type { TaskName } from '../events/event.ts'
import type { Handover } from './handover.ts'
import { isOf, keyOf, type Send, type StoredSend, taskOf } from './untaken.ts'

/** Changes what is stored. */
export type Change = (stored: readonly StoredSend[], state: CommandLedgerState) => readonly StoredSend[]

/** How long another ledger has to hand its input over, before this one does. */
const CLAIM_MS = 1000
/** How often input is handed over again that nobody begins to run: an application may run no task for it. */
const MAX_REPEATS = 5
/** How much is kept of what was taken: the latest inputs, up to a size as JSON. What is not kept cannot be resumed. */
const MAX_TAKEN = 100
const MAX_TAKEN_CHARS = 65_536

export class InputQueue {
  /** Names this ledger among those of the stream. */
  readonly id: string = randomId()
  private readonly handover: Handover
  private readonly refresh: () => void
  private readonly beginMs: number
  /** What was taken, and is stored still. */
  private readonly taken = new Set<string>()
  /** When input was taken that is stored still, by the id of its task, until that begins. */
  private readonly takenAt = new Map<string, number>()
  /** What the application is done with, and has run no task for. */
  private readonly finished = new Set<string>()
  /** The input of others, by when it is overdue: `null` if it is. */
  private readonly others = new Map<string, unknown>()

  /** @param beginMs - How long another ledger has to begin the task of input that it has taken: it may have stopped. */
  constructor(handover: Handover, refresh: () => void, beginMs: number) {
    this.handover = handover
    this.refresh = refresh
    this.beginMs = Math.max(beginMs, CLAIM_MS)
  }

  /** Adds new input, for this ledger to hand over, or for that of the agent that reads it. */
  add(stored: readonly StoredSend[], sends: readonly Send[]): readonly StoredSend[] {
    return sends.length === 0
      ? stored
      : [...stored, ...sends.map((send) => ({ ...send, by: send.reader ?? this.id }))]
  }

  /** Notes what is handed over, before it is: the application may run its task at once. */
  note(sends: readonly Send[]): void {
    for (const send of sends) {
      this.taken.add(keyOf(send))
      this.takenAt.set(send.taskId, performance.now())
    }
  }

  /** Forgets what was not taken. */
  forget(sends: readonly Pick<Send, 'sender' | 'command'>[]): void {
    for (const send of sends) this.taken.delete(keyOf(send))
  }

  /**
   * Notes that the application is done with input: it is not handed over again if no run of its task was tried.
   *
   * @param hasPromise - Whether it had returned a promise. If not, its task may begin later.
   */
  done(send: Send, hasPromise: boolean): void {
    if (send.reader !== undefined) return
    const finish = (): void => {
      if (!this.takenAt.has(send.taskId)) return
      this.finished.add(keyOf(send))
      this.refresh()
    }
    if (hasPromise) finish()
    else if (this.takenAt.has(send.taskId)) startTimer(finish, this.beginMs)
  }

  /** Whether the input of a task was taken so long ago that others may soon take it. */
  isLate({ taskId }: TaskName): boolean {
    const at = this.takenAt.get(taskId)
    this.takenAt.delete(taskId)
    return at !== undefined && performance.now() - at > this.beginMs / 2
  }

  /** Lets others wait anew for a task whose input this ledger has taken. */
  renewed(stored: readonly StoredSend[], task: TaskName): readonly StoredSend[] {
    return stored.map((each) =>
      each.by === this.id && isOf(each, task) ? { ...each, repeats: (each.repeats ?? 0) + 1 } : each,
    )
  }

  /**
   * Hands over what is stored for this ledger, what others have not handed over in time, and again what was parked and waits no
   * longer.
   *
   * @param store - Stores a change, and resolves to what is stored then.
   * @param resume - Called before the input of a task that has begun is handed over.
   * @param isHeld - Whether it is not the turn of new input yet.
   * @returns Whether something is to be handed over again.
   */
  async settle(
    stored: readonly StoredSend[],
    state: CommandLedgerState,
    store: (change: Change) => Promise<readonly StoredSend[]>,
    resume: (send: StoredSend) => Promise<unknown>,
    isHeld: (send: Send) => boolean,
  ): Promise<boolean> {
    let now = stored
    const isOverdue = (each: StoredSend, current: CommandLedgerState): boolean =>
      this.isOverdue(each, current) && !isHeld(each)
    const isDue = (each: StoredSend, current: CommandLedgerState): boolean =>
      isReady(each, current) && !isHeld(each)
    if (now.some((each) => isOverdue(each, state) || isDue(each, state))) {
      // Whoever stores its claim first hands it over.
      const claim: Change = (all, current) =>
        all.map((each) => {
          if (isOverdue(each, current)) return claimed(each, this.id)
          return isDue(each, current) ? { ...sendOf(each), by: this.id, isResumed: true } : each
        })
      now = await store(claim)
    }
    for (const each of now) {
      if (each.by !== this.id || each.phase !== undefined || this.taken.has(keyOf(each)) || isHeld(each))
        continue
      if (each.isResumed === true) await resume(each)
      this.note([each])
      if (!this.handover.take(sendOf(each))) this.forget([each])
    }
    const isTaken = (each: StoredSend): boolean => each.phase === undefined && this.taken.has(keyOf(each))
    const isOver = (each: StoredSend): boolean => each.by === this.id && each.phase !== undefined
    const isDone = (each: StoredSend, current: CommandLedgerState): boolean =>
      each.by === this.id && this.finished.has(keyOf(each)) && isUnbegun(each, current)
    if (now.some((each) => isTaken(each) || isDone(each, state) || (isOver(each) && isEnded(each, state)))) {
      now = await store((all, current) => {
        const taken = all.flatMap((each) => (isTaken(each) ? takenOf(each) : [each]))
        const kept = taken.map((each) => (isDone(each, current) ? { ...each, isDone: true } : each))
        const old = kept.filter(({ phase }) => phase === 'taken').slice(0, -MAX_TAKEN)
        return kept.filter((each) => !old.includes(each) && !(isOver(each) && isEnded(each, current)))
      })
    }
    const left = new Set(now.filter(({ phase }) => phase === undefined).map(keyOf))
    for (const key of this.taken) if (!left.has(key)) this.taken.delete(key)
    const unbegun = new Set(now.filter((each) => isUnbegun(each, state)).map(keyOf))
    for (const key of this.finished) if (!left.has(key) && !unbegun.has(key)) this.finished.delete(key)
    // What is not stored, nobody else takes.
    const stillStored = new Set(now.map(({ taskId }) => taskId))
    for (const taskId of this.takenAt.keys()) if (!stillStored.has(taskId)) this.takenAt.delete(taskId)
    this.watch(now, state, isHeld)
    return now.some((each) => each.by === this.id && each.phase === undefined && !isHeld(each))
  }

  /** Whether another ledger has taken input a moment ago: its task is about to begin. */
  isBeginning(each: StoredSend, state: CommandLedgerState): boolean {
    return each.by !== this.id && isUnbegun(each, state) && this.others.get(claimOf(each)) !== null
  }

  close(): void {
    for (const timer of this.others.values()) stopTimer(timer)
    this.others.clear()
  }

  private isOverdue(each: StoredSend, state: CommandLedgerState): boolean {
    const { phase, repeats = 0 } = each
    const isLost = phase === 'taken' && repeats < MAX_REPEATS && isUnbegun(each, state)
    return (phase === undefined || isLost) && this.others.get(claimOf(each)) === null
  }

  private watch(
    stored: readonly StoredSend[],
    state: CommandLedgerState,
    isHeld: (send: Send) => boolean,
  ): void {
    const isWatched = (each: StoredSend): boolean =>
      each.by !== this.id &&
      // What is for a task that runs is for its agent alone.
      each.reader === undefined &&
      (each.phase === undefined ? !isHeld(each) : isUnbegun(each, state))
    const claims = new Map(
      stored
        .filter(isWatched)
        .map((each) => [claimOf(each), each.phase === undefined ? CLAIM_MS : this.beginMs] as const),
    )
    for (const [claim, timer] of this.others) {
      if (claims.has(claim)) continue
      stopTimer(timer)
      this.others.delete(claim)
    }
    for (const [claim, ms] of claims) {
      if (this.others.has(claim)) continue
      const isDue = (): void => {
        this.others.set(claim, null)
        this.refresh()
      }
      this.others.set(claim, startTimer(isDue, ms))
    }
  }
}

/** Keeps the input of a task until its requests are closed. */
export function parked(stored: readonly StoredSend[], task: TaskName): readonly StoredSend[] {
  return stored.map((each) => (isOf(each, task) ? { ...each, phase: 'parked' } : each))
}

function isReady(each: StoredSend, state: CommandLedgerState): boolean {
  const task = each.phase === 'parked' ? taskOf(each, state) : undefined
  return task !== undefined && !hasEnded(state, task) && requestsBelow(state, task).length === 0
}

function isEnded(each: StoredSend, state: CommandLedgerState): boolean {
  const task = taskOf(each, state)
  return task !== undefined && hasEnded(state, task)
}

/** Whether input was taken, and its task has not begun, but may. */
function isUnbegun(each: StoredSend, state: CommandLedgerState): boolean {
  const task = taskOf(each, state)
  return each.phase === 'taken' && each.isDone !== true && (task === undefined || !hasBegun(state, task))
}

/** Input that a ledger is to hand over: again, if it was taken before. */
function claimed({ phase, repeats = 0, ...send }: StoredSend, by: string): StoredSend {
  return { ...send, by, ...(phase === 'taken' ? { repeats: repeats + 1 } : repeats > 0 && { repeats }) }
}

/** What is kept of input that was taken: nothing of what is for a task that another input has begun. */
function takenOf(each: StoredSend): StoredSend[] {
  const isKept = each.command.taskId === undefined && JSON.stringify(each.command).length <= MAX_TAKEN_CHARS
  const { repeats } = each
  const again = repeats !== undefined && { repeats }
  return isKept ? [{ ...sendOf(each), by: each.by, phase: 'taken', ...again }] : []
}

function sendOf({
  by: _,
  phase: __,
  repeats: ___,
  isDone: ____,
  ...send
}: StoredSend): Omit<StoredSend, 'by' | 'phase' | 'repeats' | 'isDone'> {
  return send
}

function claimOf(send: StoredSend): string {
  return `${send.by} ${send.phase ?? ''} ${send.repeats ?? 0} ${keyOf(send)}`
}
