/** Answers that agents have got in this process: an agent that continues has taken them. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import { keepsAnswer } from '../commands/ledger/read.ts'
import type { Answer, LedgerInput } from '../commands/ledger/types.ts'
import type { TaskName } from '../events/event.ts'

export class GivenAnswers {
  #given: { readonly answer: Answer; isTaken: boolean }[] = []

  /** Notes that an agent gets an answer. That a call was approved is taken once it starts. */
  add(answer: Answer): void {
    if (answer.call === undefined) this.#given.push({ answer, isTaken: false })
  }

  /** Notes that the agent of a task appends an event. One that asks several questions one after the other has not continued. */
  onAppend({ kind, contextId, taskId }: TaskName & { readonly kind: string }): void {
    if (/^(?:task|input|auth)-/.test(kind)) return
    for (const each of this.#given)
      if (each.answer.contextId === contextId && each.answer.taskId === taskId) each.isTaken = true
  }

  /** What was taken, and is kept by a state. */
  takenIn(state: CommandLedgerState): LedgerInput[] {
    this.#given = this.#given.filter(({ answer }) => keepsAnswer(state, answer))
    return this.#given.flatMap(({ answer, isTaken }) => (isTaken ? [{ ...answer, type: 'taken' }] : []))
  }
}
