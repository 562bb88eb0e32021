/** Input of a stream that is stored and not taken yet: handed over once, and by another process if one stops. */

import { randomId } from '../core/random-id.ts'
import { startTimer, stopTimer } from '../core/timer.ts'
import type { Handover } from './handover.ts'
import type { Send } from './untaken.ts'

/** Input, and the ledger that is to hand it over. */
export interface StoredSend extends Send {
  readonly by: string
}

/** Changes what is stored. */
export type Change = (stored: readonly StoredSend[]) => readonly StoredSend[]

/** How long another ledger has to hand its input over, before this one does. */
const CLAIM_MS = 1000

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
   * Hands over what is stored for this ledger, and what others have not handed over in time.
   *
   * @param store - Stores a change, and resolves to what is stored then.
   * @returns Whether something is to be handed over again.
   */
  async settle(
    stored: readonly StoredSend[],
    store: (change: Change) => Promise<readonly StoredSend[]>,
  ): Promise<boolean> {
    let now = stored
    if (now.some((each) => this.isOverdue(each))) {
      // Whoever stores its claim first hands it over.
      const claim: Change = (all) =>
        all.map((each) => (this.isOverdue(each) ? { ...each, by: this.id } : each))
      now = await store(claim)
    }
    const own = now.filter((each) => each.by === this.id && !this.taken.has(keyOf(each)))
    for (const { by: _, ...send } of own) if (this.handover.take(send)) this.taken.add(keyOf(send))
    if (now.some((each) => this.taken.has(keyOf(each)))) {
      now = await store((all) => all.filter((each) => !this.taken.has(keyOf(each))))
    }
    const left = new Set(now.map(keyOf))
    for (const key of this.taken) if (!left.has(key)) this.taken.delete(key)
    this.watch(now)
    return now.some(({ by }) => by === this.id)
  }

  close(): void {
    for (const timer of this.others.values()) stopTimer(timer)
    this.others.clear()
  }

  private isOverdue(each: StoredSend): boolean {
    return this.others.get(claimOf(each)) === null
  }

  private watch(stored: readonly StoredSend[]): void {
    const others = new Set(stored.filter(({ by }) => by !== this.id).map(claimOf))
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

/** Names input: a sender uses the id of a command once. */
export function keyOf({ sender, command }: { sender: Send['sender']; command: unknown }): string {
  const { commandId } = (command ?? {}) as { commandId?: unknown }
  return JSON.stringify([sender.role, sender.id, String(commandId)])
}

function claimOf(send: StoredSend): string {
  return `${send.by} ${keyOf(send)}`
}
