/** Running machines over streams and iterables. */

import { type Machine, type RunOptions, run } from './machine.ts'
import { optional, requireFunction, requireObject, requireSignal } from './require.ts'

/** Options of {@link transform}. */
export interface TransformOptions<State, End = undefined> extends RunOptions<State> {
  /** Called once when the source ends; returns the argument of {@link Machine.end}. Defaults to no argument. */
  readonly atEnd?: () => End | undefined
}

/** Options of {@link iterate}. */
export interface IterateOptions<State, End = undefined> extends TransformOptions<State, End> {
  /** Aborting it cancels the source and makes the generator throw the signal's reason. */
  readonly signal?: AbortSignal
}

/** A source of inputs for {@link iterate}. */
export type Source<In> = ReadableStream<In> | AsyncIterable<In> | Iterable<In>

/**
 * Runs a machine over a source and yields its outputs one by one.
 *
 * Breaking out of the loop cancels the source. Errors of the source are rethrown unchanged.
 *
 * @throws TypeError at the first output if `machine` is not a machine or an option is invalid.
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
 * Like {@link iterate}, but yields all outputs of one input at once. Faster where one input has many
 * outputs, such as a chunk of bytes.
 */
export async function* iterateBatches<State, In, Out, End = undefined>(
  machine: Machine<State, In, Out, End>,
  source: Source<In>,
  options: IterateOptions<State, End> = {},
): AsyncGenerator<readonly Out[], void, undefined> {
  requireObject('options', options)
  const { signal, atEnd } = options
  optional(requireSignal, 'signal', signal)
  optional(requireFunction, 'atEnd', atEnd)
  signal?.throwIfAborted()
  const { push, end } = run(machine, options)
  const { pull, close } = toPullSource(source)

  // One pending promise at a time: `Promise.race` against a promise that lives as long as the signal
  // would retain the result of every read.
  let rejectRead: (reason: unknown) => void = () => {}
  const onAbort = (): void => rejectRead(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  let open = true
  try {
    for (;;) {
      const chunk = await new Promise<IteratorResult<In, unknown>>((resolve, reject) => {
        rejectRead = reject
        pull().then(resolve, reject)
      })
      if (chunk.done === true) break
      const out = push(chunk.value)
      if (out.length > 0) yield out
      signal?.throwIfAborted()
    }
    open = false
    const rest = end(atEnd?.())
    if (rest.length > 0) yield rest
  } finally {
    signal?.removeEventListener('abort', onAbort)
    if (open) {
      const closed = close(signal?.reason)
      // A source that hangs must not delay an abort.
      if (signal?.aborted !== true) await closed
    }
  }
}

/** A source as two functions. Not every browser has `Symbol.asyncIterator` on streams: they need a reader. */
function toPullSource<In>(source: Source<In>): {
  pull: () => Promise<IteratorResult<In, unknown>>
  close: (reason: unknown) => Promise<unknown>
} {
  // An error while the source is being canceled is irrelevant.
  const ignoreErrors = async (action: () => unknown): Promise<unknown> => {
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
      close: (reason) => ignoreErrors(() => reader.cancel(reason)),
    }
  }
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  return {
    pull: async () => iterator.next(),
    close: () => ignoreErrors(() => iterator.return?.()),
  }
}

/**
 * Converts a machine to a `TransformStream`, for use with `pipeThrough`.
 *
 * @throws TypeError if `machine` is not a machine or an option is invalid.
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
  requireObject('options', options)
  const { atEnd } = options
  optional(requireFunction, 'atEnd', atEnd)
  const { push, end } = run(machine, options)
  const send = (out: readonly Out[], controller: TransformStreamDefaultController<Out>): void => {
    for (const value of out) controller.enqueue(value)
  }
  return new TransformStream<In, Out>({
    transform: (chunk, controller) => send(push(chunk), controller),
    flush: (controller) => send(end(atEnd?.()), controller),
  })
}
