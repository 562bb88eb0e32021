/** The mutable workspace of one step of a machine: outputs, diagnostics and the next state. */

import { toPointer } from '../encoding/pointer.ts'
import type { Issue } from './decode-result.ts'
import type { Diagnostic, Step } from './machine.ts'

/** More diagnostics of one input help nobody, and a hostile one may have millions of fields. */
export const MAX_DIAGNOSTICS = 32

/** Collects the outputs and diagnostics of one step. Lives for one input; the state it starts from is never mutated. */
export class StepOutput<State, Out> {
  /** The state, with the changes so far. */
  state: State
  readonly out: Out[] = []
  readonly diagnostics: Diagnostic[] = []

  constructor(state: State) {
    this.state = state
  }

  /** Appends outputs, in order. */
  emit(...out: readonly Out[]): void {
    for (const value of out) this.out.push(value)
  }

  /** Reports a diagnostic. */
  diagnostic(code: string, message: string, more?: Pick<Diagnostic, 'path' | 'detail'>): void {
    this.diagnostics.push({ code, message, ...more })
  }

  /** The step. Has `diagnostics` only if there are any. */
  done(): Step<State, Out> {
    const { state, out, diagnostics } = this
    return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
  }
}

/** What mappers report besides: bundlers keep all methods of a class, and others need none of these. */
export class StepBuilder<State, Out> extends StepOutput<State, Out> {
  /** Replaces fields of the state. */
  update(changes: Partial<State>): void {
    this.state = { ...this.state, ...changes }
  }

  /**
   * Reports an input that has no output.
   *
   * @param reason - For programs: `no-equivalent`, `unknown-kind`, `other-task`, `after-end`, `repeated`,
   * `out-of-order`, `conflict`, `waiting`, `not-forwarded`, `no-open-task`, `no-open-question` or `invalid-content`.
   */
  dropped(kind: string, reason: string, message: string): void {
    this.diagnostic(`dropped:${kind}`, message, { detail: { reason } })
  }

  /** Reports a field that is lost or changed in the output. */
  lossy(field: string, message: string, detail?: unknown): void {
    this.diagnostic(`lossy:${field}`, message, {
      path: toPointer([field]),
      ...(detail !== undefined && { detail }),
    })
  }

  /** Reports an input that is not a valid event, with its issues. */
  invalid(issues: readonly Issue[]): void {
    const [{ path, message } = { path: '', message: '' }] = issues
    const problem = path === '' ? message : `${path}: ${message}`
    this.diagnostic('invalid-event', `Dropped an invalid event. ${problem}`.trimEnd(), {
      path,
      detail: issues,
    })
  }

  /** Reports a value that the mapper inferred because the input lacks it. */
  inferred(what: string, message: string): void {
    this.diagnostic(`inferred:${what}`, message)
  }
}
