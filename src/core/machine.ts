/**
 * Machines: the one shape of everything in this library that carries state.
 *
 *     machine.initial ──step(input)──▶ state ──step(input)──▶ state ──end(how)──▶ state
 *                          └▶ out, diagnostics         └▶ out, diagnostics        └▶ out, diagnostics
 */

/**
 * A pure state machine: data in, data out. No clock, no randomness, no I/O.
 *
 * `State` is plain JSON: it can be frozen, stored, sent elsewhere and resumed between any two
 * inputs without changing what comes out. Neither state nor input is ever mutated.
 *
 * @typeParam State - What is remembered between two inputs.
 * @typeParam In - One input, such as a chunk of bytes or a piece of model output.
 * @typeParam Out - One output. Outputs are fresh objects: the consumer may keep or change them.
 * @typeParam End - What is only known at the end, such as a finish reason.
 */
export interface Machine<State, In, Out, End = undefined> {
  /** The state before the first input. */
  readonly initial: State
  /** Takes one input. Never throws on data. */
  step(state: State, input: In): Step<State, Out>
  /**
   * Says that no input follows, and gives out what was held back for more of it.
   *
   * @param how - What is only known at the end. Absent means the machine's default.
   */
  end(state: State, how?: End): Step<State, Out>
}

/** What one input led to. */
export interface Step<State, Out> {
  /** The state to hand to the next call. */
  readonly state: State
  /** What came out, in order. Often empty. */
  readonly out: readonly Out[]
  /** What was lost, repaired or ignored on the way. Absent when nothing was. */
  readonly diagnostics?: readonly Diagnostic[]
}

/** One remark about one input. The only diagnostic channel of the library. */
export interface Diagnostic {
  /** Stable, for programs: what kind of remark this is, such as `too-large`. */
  readonly code: string
  /** For people, in English. May change in any release. */
  readonly message: string
  /** JSON pointer to the part of the input that is meant. Absent when it is the whole input. */
  readonly path?: string
  /** What else a program may want to know; the code says which shape it has. */
  readonly detail?: unknown
}

/** Settings of {@link run}. */
export interface RunOptions<State> {
  /** Where to go on. Absent: at the machine's `initial`. */
  readonly state?: State
  /** Called with each diagnostic, before the outputs of the same input are handed over. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** Settings of {@link transform}. */
export interface TransformOptions<State, End = undefined> extends RunOptions<State> {
  /** Asked once, when the source ends, for what {@link Machine.end} is told. Absent: nothing. */
  readonly atEnd?: () => End | undefined
}

/** Settings of {@link iterate}. */
export interface IterateOptions<State, End = undefined> extends TransformOptions<State, End> {
  /** Aborting it cancels the source and makes the generator throw the signal's reason. */
  readonly signal?: AbortSignal
}

/** A machine together with its current state: for code that would rather push than thread state. */
export interface Runner<State, In, Out, End = undefined> {
  /** Takes one input and returns what comes out of it. */
  push(input: In): readonly Out[]
  /** Ends the machine and returns what was held back. */
  end(how?: End): readonly Out[]
  /** Where the machine stands now: plain JSON, to store and to hand to a later {@link run}. */
  readonly state: State
}

/**
 * Runs a machine, keeping its state.
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
  let state = options.state ?? machine.initial
  const take = (step: Step<State, Out>): readonly Out[] => {
    state = step.state
    if (step.diagnostics !== undefined && options.onDiagnostic !== undefined) {
      for (const diagnostic of step.diagnostics) options.onDiagnostic(diagnostic)
    }
    return step.out
  }
  return {
    push: (input) => take(machine.step(state, input)),
    end: (how) => take(machine.end(state, how)),
    get state() {
      return state
    },
  }
}

/** What a pipe's end is told: each part picks its own from it. */
type PipedEnd<A, B> = [A] extends [undefined] ? B : [B] extends [undefined] ? A : A & B

/**
 * Joins machines: what one puts out, the next takes in. The result is a machine.
 *
 * Its state is the list of the parts' states. At the end every part is ended in order, each with
 * the same `how`.
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
  const advance = (
    states: readonly unknown[],
    inputs: readonly unknown[],
    ending: boolean,
    how?: unknown,
  ): Step<readonly unknown[], unknown> => {
    const next: unknown[] = []
    const diagnostics: Diagnostic[] = []
    let values = inputs
    for (const [i, machine] of machines.entries()) {
      let state = states[i]
      const out: unknown[] = []
      const take = (step: Step<unknown, unknown>): void => {
        state = step.state
        for (const value of step.out) out.push(value)
        for (const diagnostic of step.diagnostics ?? []) diagnostics.push(diagnostic)
      }
      for (const value of values) take(machine.step(state, value))
      if (ending) take(machine.end(state, how))
      next.push(state)
      values = out
    }
    return diagnostics.length === 0 ? { state: next, out: values } : { state: next, out: values, diagnostics }
  }
  return {
    initial: machines.map((machine) => machine.initial),
    step: (states, input) => advance(states, [input], false),
    end: (states, how) => advance(states, [], true, how),
  }
}

/** What {@link iterate} reads from. */
export type Source<In> = ReadableStream<In> | AsyncIterable<In> | Iterable<In>

/**
 * Reads a source through a machine, output by output.
 *
 * Leaving the loop early cancels the source. An error of the source is thrown on, unchanged.
 *
 * @example
 * ```ts
 * for await (const message of iterate(sseDecoder(), response.body)) console.log(message.data)
 * ```
 */
export async function* iterate<State, In, Out, End = undefined>(
  machine: Machine<State, In, Out, End>,
  source: Source<In>,
  options: IterateOptions<State, End> = {},
): AsyncGenerator<Out, void, undefined> {
  for await (const batch of iterateBatches(machine, source, options)) yield* batch
}

/**
 * Reads a source through a machine, giving all outputs of one input at once. Otherwise like
 * {@link iterate}; faster where one input leads to many outputs, as a chunk of bytes does.
 */
export async function* iterateBatches<State, In, Out, End = undefined>(
  machine: Machine<State, In, Out, End>,
  source: Source<In>,
  options: IterateOptions<State, End> = {},
): AsyncGenerator<readonly Out[], void, undefined> {
  const { signal } = options
  signal?.throwIfAborted()
  const { push, end } = run(machine, options)
  const { pull, close } = toPullSource(source)

  // One waiting promise at a time: racing each read against a promise that lives as long as the
  // signal would keep every read's result alive with it.
  let refuse: (reason: unknown) => void = () => {}
  const onAbort = (): void => refuse(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  let open = true
  try {
    for (;;) {
      const chunk = await new Promise<IteratorResult<In, unknown>>((resolve, reject) => {
        refuse = reject
        pull().then(resolve, reject)
      })
      if (chunk.done === true) break
      const out = push(chunk.value)
      if (out.length > 0) yield out
      signal?.throwIfAborted()
    }
    open = false
    const rest = end(options.atEnd?.())
    if (rest.length > 0) yield rest
  } finally {
    signal?.removeEventListener('abort', onAbort)
    if (open) {
      const closed = close(signal?.reason)
      // A source that hangs must not hold up an abort.
      if (signal?.aborted !== true) await closed
    }
  }
}

/** Streams have no `Symbol.asyncIterator` in every browser, so they are read through a reader. */
function toPullSource<In>(source: Source<In>): {
  pull: () => Promise<IteratorResult<In, unknown>>
  close: (reason: unknown) => Promise<unknown>
} {
  // A source that fails while it is being given up has nothing left to say.
  const quietly = async (action: () => unknown): Promise<unknown> => {
    try {
      return await action()
    } catch {
      return undefined
    }
  }
  if ('getReader' in source) {
    const reader = source.getReader()
    return {
      pull: () => reader.read() as Promise<IteratorResult<In, unknown>>,
      close: (reason) => quietly(() => reader.cancel(reason)),
    }
  }
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  return {
    pull: async () => iterator.next(),
    close: () => quietly(() => iterator.return?.()),
  }
}

/**
 * A machine as a `TransformStream`, for pipelines of web streams.
 *
 * @example
 * ```ts
 * const messages = response.body.pipeThrough(transform(sseDecoder()))
 * ```
 */
export function transform<State, In, Out, End = undefined>(
  machine: Machine<State, In, Out, End>,
  options: TransformOptions<State, End> = {},
): TransformStream<In, Out> {
  const { push, end } = run(machine, options)
  const send = (out: readonly Out[], controller: TransformStreamDefaultController<Out>): void => {
    for (const value of out) controller.enqueue(value)
  }
  return new TransformStream<In, Out>({
    transform: (chunk, controller) => send(push(chunk), controller),
    flush: (controller) => send(end(options.atEnd?.()), controller),
  })
}
