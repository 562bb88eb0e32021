/**
 * State machines: the interface of every stateful part of this library.
 *
 *     machine.initial ──step(input)──▶ state ──step(input)──▶ state ──end(reason)──▶ state
 *                          └▶ out, diagnostics     └▶ out, diagnostics     └▶ out, diagnostics
 */
import { mismatch, optional, requireFunction, requireOnly, tagOf } from './require.ts'

/**
 * A pure state machine: data in, data out. No clock, no randomness, no I/O.
 *
 * `State` is plain JSON. Between any two inputs it can be frozen, stored, moved to another process and
 * resumed; the output is the same. State and input are never mutated.
 *
 * @typeParam State - The state between two inputs.
 * @typeParam In - One input, such as a chunk of bytes or a piece of model output.
 * @typeParam Out - One output. Outputs are new objects: the consumer may keep or mutate them.
 * @typeParam End - Information that is available only at the end, such as a finish reason.
 */
export interface Machine<State, In, Out, End = undefined> {
  /** The state before the first input. */
  readonly initial: State
  /** Processes one input. Never throws on data. */
  step(state: State, input: In): Step<State, Out>
  /**
   * Ends the input and returns output that was held back for more of it.
   *
   * @param reason - Information that is available only at the end. Omitted: the defaults of the `End` type of the
   * machine apply.
   */
  end(state: State, reason?: End): Step<State, Out>
}

/** The result of one input. */
export interface Step<State, Out> {
  /** The state to pass to the next call. */
  readonly state: State
  /** The outputs, in order. Often empty. */
  readonly out: readonly Out[]
  /** What was lost, repaired or ignored. Omitted if nothing was. */
  readonly diagnostics?: readonly Diagnostic[]
}

/** A report about one input, such as data that was lost. The library has no other diagnostic channel. */
export interface Diagnostic {
  /** The type of the diagnostic, such as `too-large`. Stable across releases. */
  readonly code: string
  /** A description in English. May change in any release. */
  readonly message: string
  /** JSON pointer to the part of the input concerned. Omitted if it is the whole input. */
  readonly path?: string
  /** Further data for programs. Its shape depends on `code`. */
  readonly detail?: unknown
}

/** Options of {@link run}. */
export interface RunOptions<State> {
  /** The state to resume from. Defaults to the machine's `initial`. */
  readonly state?: State
  /** Called with each diagnostic, before the outputs of the same input are returned. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** A machine with its current state, so that the caller does not pass the state around. */
export interface Runner<State, In, Out, End = undefined> {
  /** Processes one input and returns its outputs. */
  push(input: In): readonly Out[]
  /** Ends the machine and returns output that was held back. */
  end(reason?: End): readonly Out[]
  /** The current state: plain JSON to store and to pass to a later {@link run}. */
  readonly state: State
}

/**
 * Runs a machine and keeps its state.
 *
 * @throws TypeError if `machine` is not a machine, `state` cannot be a state of it, or `onDiagnostic` is not a
 * function.
 *
 * @example
 * ```ts
 * const decoder = run(sseDecoder(), { onDiagnostic: console.warn })
 * for (const message of decoder.push('data: hello\n\n')) console.log(message.data)
 * ```
 */
export function run<State, In, Out, End = undefined>(
  machine: Machine<State, In, Out, End>,
  options: RunOptions<State> = {},
): Runner<State, In, Out, End> {
  requireMachine('machine', machine)
  requireOnly('options', options, ['state', 'onDiagnostic'])
  const { initial } = machine
  const { state: stored = initial, onDiagnostic } = options
  // An object that became null, as in a failed look-up, would start again without a word.
  if (isObject(initial) && tagOf(stored) !== tagOf(initial)) {
    throw mismatch('state', 'a state of the machine, or omitted', stored)
  }
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  return start(machine, onDiagnostic, stored)
}

/** What {@link run} does, without its checks. */
export function start<State, In, Out, End = undefined>(
  machine: Machine<State, In, Out, End>,
  onDiagnostic?: (diagnostic: Diagnostic) => void,
  initial: State = machine.initial,
): Runner<State, In, Out, End> {
  let state = initial
  const apply = (step: Step<State, Out>): readonly Out[] => {
    state = step.state
    if (step.diagnostics !== undefined && onDiagnostic !== undefined) {
      for (const diagnostic of step.diagnostics) onDiagnostic(diagnostic)
    }
    return step.out
  }
  return {
    push: (input) => apply(machine.step(state, input)),
    end: (reason) => apply(machine.end(state, reason)),
    get state() {
      return state
    },
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Requires a machine, and not for example the function that creates it. */
export function requireMachine(name: string, value: unknown): void {
  const { step, end } = (value ?? {}) as Partial<Machine<unknown, unknown, unknown>>
  if (typeof step === 'function' && typeof end === 'function' && 'initial' in (value as object)) return
  throw mismatch(name, 'a machine such as jsonDecoder()', value)
}

/** The end information of a pipe: each part reads its own fields of it. */
type PipedEnd<A, B> = [A] extends [undefined] ? B : [B] extends [undefined] ? A : A & B

/**
 * Connects machines: the outputs of one are the inputs of the next. The result is a machine.
 *
 * Its state is the list of the parts' states. At the end every part is ended in order, each with
 * the same `reason`.
 *
 * @throws TypeError if an argument is not a machine.
 *
 * @example
 * ```ts
 * const shouted = pipe(sseDecoder(), onlyText, thoughtExtractor())
 * ```
 */
export function pipe<A, B, In, Mid, Out, EndA = undefined, EndB = undefined>(
  a: Machine<A, In, Mid, EndA>,
  b: Machine<B, Mid, Out, EndB>,
): Machine<readonly [A, B], In, Out, PipedEnd<EndA, EndB>>
export function pipe<A, B, C, In, M1, M2, Out, EndA = undefined, EndB = undefined, EndC = undefined>(
  a: Machine<A, In, M1, EndA>,
  b: Machine<B, M1, M2, EndB>,
  c: Machine<C, M2, Out, EndC>,
): Machine<readonly [A, B, C], In, Out, PipedEnd<PipedEnd<EndA, EndB>, EndC>>
export function pipe<
  A,
  B,
  C,
  D,
  In,
  M1,
  M2,
  M3,
  Out,
  EndA = undefined,
  EndB = undefined,
  EndC = undefined,
  EndD = undefined,
>(
  a: Machine<A, In, M1, EndA>,
  b: Machine<B, M1, M2, EndB>,
  c: Machine<C, M2, M3, EndC>,
  d: Machine<D, M3, Out, EndD>,
): Machine<readonly [A, B, C, D], In, Out, PipedEnd<PipedEnd<PipedEnd<EndA, EndB>, EndC>, EndD>>
export function pipe(
  ...machines: readonly Machine<unknown, unknown, unknown, unknown>[]
): Machine<readonly unknown[], unknown, unknown, unknown> {
  for (const [i, machine] of machines.entries()) requireMachine(`machines[${i}]`, machine)
  const advance = (
    states: readonly unknown[],
    inputs: readonly unknown[],
    ending: boolean,
    reason?: unknown,
  ): Step<readonly unknown[], unknown> => {
    const next: unknown[] = []
    const diagnostics: Diagnostic[] = []
    let values = inputs
    for (const [i, machine] of machines.entries()) {
      let state = states[i]
      const out: unknown[] = []
      const collect = (step: Step<unknown, unknown>): void => {
        state = step.state
        for (const value of step.out) out.push(value)
        for (const diagnostic of step.diagnostics ?? []) diagnostics.push(diagnostic)
      }
      for (const value of values) collect(machine.step(state, value))
      if (ending) collect(machine.end(state, reason))
      next.push(state)
      values = out
    }
    return diagnostics.length === 0 ? { state: next, out: values } : { state: next, out: values, diagnostics }
  }
  return {
    initial: machines.map((machine) => machine.initial),
    step: (states, input) => advance(states, [input], false),
    end: (states, reason) => advance(states, [], true, reason),
  }
}
