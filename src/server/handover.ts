/** Hands input to the application: what its callback throws loses nothing, and leaves nothing half done. */

import type { LedgerInput } from '../commands/ledger/types.ts'
import type { Diagnostic } from '../core/machine.ts'
import { keyOf, type Send } from './untaken.ts'

/** What became of input that was handed over. */
export interface Delivery {
  /** Input that was not taken: its sender may send it again. */
  readonly returned: Extract<LedgerInput, { type: 'returned' }>[]
  /** Why it was not. */
  readonly errors: unknown[]
}

export class Handover {
  readonly #onInput: (send: Send) => unknown
  readonly #onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined
  readonly #onDone: () => void
  /** The input that the application still works on, by its key. */
  readonly #pending = new Set<string>()

  /** @param onDone - Called when the application is done with input: the promise that it has returned is settled. */
  constructor(
    onInput: (send: Send) => unknown,
    onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined,
    onDone: () => void,
  ) {
    this.#onInput = onInput
    this.#onDiagnostic = onDiagnostic
    this.#onDone = onDone
  }

  /** Whether the application still works on input. */
  isPending(send: Send): boolean {
    return this.#pending.has(keyOf(send))
  }

  /** Hands over new input. */
  deliver(sends: readonly Send[]): Delivery {
    const delivery: Delivery = { returned: [], errors: [] }
    for (const send of sends) {
      try {
        this.#call(send)
      } catch (error) {
        delivery.returned.push({ type: 'returned', command: send.command, sender: send.sender })
        delivery.errors.push(error)
      }
    }
    return delivery
  }

  /** Hands over input that was stored before; whether it was taken. */
  take(send: Send): boolean {
    try {
      this.#call(send)
      return true
    } catch (error) {
      const { commandId } = send.command
      const message = `Expected onInput to take the input of command "${commandId}", got: ${String(error)}. It is handed over again.`
      this.report([{ code: 'input-not-taken', message, detail: { commandId } }])
      return false
    }
  }

  report(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.#onDiagnostic?.(diagnostic)
  }

  /** Calls the callback. An async one has taken what it was called with: that it rejects is reported. */
  #call(send: Send): void {
    const taken: unknown = this.#onInput(send)
    if (!(taken instanceof Promise)) return
    this.#pending.add(keyOf(send))
    const done = (): void => {
      this.#pending.delete(keyOf(send))
      this.#onDone()
    }
    taken
      .catch((error: unknown) => {
        const { commandId } = send.command
        const message = `Expected onInput to handle the input of command "${commandId}", got: ${String(error)}. It is not handed over again.`
        this.report([{ code: 'input-failed', message, detail: { commandId } }])
      })
      .then(done)
  }
}
