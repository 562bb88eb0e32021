/** Hands what a ledger has for the agent to its callbacks: what these throw loses nothing, and leaves nothing half done. */

import type { Diagnostic } from '../../core/machine.ts'
import type { LedgerInput, LedgerOutput } from '../ledger/types.ts'
import type { LedgerListener } from './ledger.ts'
import type { Send } from './untaken.ts'

/** How many tasks that are to stop wait until `onOutput` takes them. */
const MAX_UNTAKEN = 1000

/** The callbacks of a ledger. */
export interface Callbacks {
  readonly onOutput: LedgerListener | undefined
  readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined
}

/** What became of outputs that were handed over. */
export interface Delivery {
  /** Input that was not taken: its sender may send it again. */
  readonly returned: Extract<LedgerInput, { type: 'returned' }>[]
  /** Why it was not. */
  readonly errors: unknown[]
}

export class Handover {
  private readonly callbacks: Callbacks
  private untaken: Extract<LedgerOutput, { type: 'cancel' }>[] = []

  constructor(callbacks: Callbacks) {
    this.callbacks = callbacks
  }

  /** Whether something is to be handed over again. */
  get hasUntaken(): boolean {
    return this.untaken.length > 0
  }

  /** Hands outputs over, after those that were not taken before. */
  deliver(outputs: readonly LedgerOutput[]): Delivery {
    const delivery: Delivery = { returned: [], errors: [] }
    const all = [...this.untaken.splice(0), ...outputs]
    for (const output of all) {
      if (output.type !== 'send' && output.type !== 'cancel') continue
      try {
        this.call(output)
      } catch (error) {
        if (output.type === 'send') {
          const { command, sender } = output
          delivery.returned.push({ type: 'returned', command, sender })
          delivery.errors.push(error)
        } else this.keep(output, error)
      }
    }
    return delivery
  }

  /** Hands input over that was stored before; whether it was taken. */
  take(input: Send): boolean {
    try {
      this.call(input)
      return true
    } catch (error) {
      const { commandId } = input.command
      const message = `Expected onOutput to take the input of command "${commandId}", got: ${String(error)}. It is handed over again.`
      this.report([{ code: 'output-not-taken', message, detail: { commandId } }])
      return false
    }
  }

  /** Calls `onOutput`. An async one has taken what it was called with: that it rejects is reported. */
  private call(output: Parameters<LedgerListener>[0]): void {
    const taken: unknown = this.callbacks.onOutput?.(output)
    if (!(taken instanceof Promise)) return
    taken.catch((error: unknown) => {
      const message = `Expected onOutput to handle what it took, got: ${String(error)}. It is not handed over again.`
      this.report([{ code: 'output-failed', message, detail: { type: output.type } }])
    })
  }

  /** Reports diagnostics. What the callback throws is ignored, so that it loses no command. */
  report(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) {
      try {
        this.callbacks.onDiagnostic?.(diagnostic)
      } catch {}
    }
  }

  /** A task that is to stop is so already. */
  private keep(output: Extract<LedgerOutput, { type: 'cancel' }>, error: unknown): void {
    this.untaken.push(output)
    if (this.untaken.length > MAX_UNTAKEN) this.untaken.shift()
    const { contextId, taskId } = output
    const message = `Expected onOutput to take the cancel of task "${taskId}", got: ${String(error)}. It is handed over again.`
    this.report([{ code: 'output-not-taken', message, detail: { contextId, taskId } }])
  }
}
