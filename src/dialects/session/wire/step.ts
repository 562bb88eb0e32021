/** What the machines of this folder have in common: a state that changes while one input is taken. */
import type { Diagnostic, Step } from '../../../core/machine.ts'

/** One input being taken. */
interface Taking<S, O> {
  state: S
  readonly out: readonly O[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Changes fields of the state. */
export function change<S extends object>(taking: { state: S }, changes: Partial<S>): void {
  taking.state = { ...taking.state, ...changes }
}

/** What has become of the input. */
export function stepOf<S, O>({ state, out, diagnostics }: Taking<S, O>): Step<S, O> {
  return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
}
