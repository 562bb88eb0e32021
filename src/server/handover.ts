/** Hands input to the application: what its callback throws loses nothing, and leaves nothing half done. */

import type { LedgerInput } from '../commands/ledger/types.ts'
import type { Diagnostic } from '../core/machine.ts'
import { startTimer, stopTimer } from '../core/timer.ts'
import { keyOf, type Send } from './untaken.ts'

/** After this, input that the application still works on is slow: it may run no task for it. */
const SLOW_MS = 1000

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
  readonly #onChange: () => void
  readonly #onDone: (send: Send, hasPromise: boolean) => void
  /** The input that the application still works on, by its key. */
  readonly #pending = new Set<string>()
  readonly #slow = new Set<string>()

  /**
   * @param onChange - Called when the application is done with input, as the promise that it has returned is settled, or slow.
   * @param onDone - Called when that promise is settled, or the application has returned none.
   */
  constructor(
    onInput: (send: Send) => unknown,
    onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined,
    onChange: () => void,
    onDone: (send: Send, hasPromise: boolean) => void,
  ) {
    this.#onInput = onInput
    this.#onDiagnostic = onDiagnostic
    this.#onChange = onChange
    this.#onDone = onDone
  }

  /** Whether the application still works on input. */
  isPending(send: Send): boolean {
    return this.#pending.has(keyOf(send))
  }

  /** Whether it has worked on input for long. */
  isSlow(send: Send): boolean {
    return this.#slow.has(keyOf(send))
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
    if (!(taken instanceof Promise)) {
      this.#onDone(send, false)
      return
    }
    const key = keyOf(send)
    this.#pending.add(key)
    const timer = startTimer(() => {
      this.#slow.add(key)
      this.#onChange()
    }, SLOW_MS)
    const done = (): void => {
      stopTimer(timer)
      this.#pending.delete(key)
      this.#slow.delete(key)
      this.#onDone(send, true)
      this.#onChange()
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
