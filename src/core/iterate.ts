/** Running machines over streams and iterables. */

import { type Machine, type RunOptions, run } from './machine.ts'
import { readItems } from './read-items.ts'
import { optional, requireFunction, requireOnly, requireSignal } from './require.ts'
import { requireSource, type Source } from './source.ts'

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

/**
 * Runs a machine over a source and yields its outputs one by one.
 *
 * Leaving the loop early cancels the source; aborting `signal` cancels it immediately, and nothing more is yielded.
 * A stream is unlocked when reading ends in any way. Errors of the source are rethrown unchanged.
 *
 * @throws TypeError if the source is not a stream or an iterable, or is a string; if `machine` is not a machine; or if
 * an option is invalid.
 *
 * @example
 * ```ts
 * for await (const message of iterate(sseDecoder(), response.body)) console.log(message.data)
 * ```
 */
export function iterate<State, In, Out, End = undefined>(
  machine: Machine<State, In, Out, End>,
  source: Source<In>,
  options: IterateOptions<State, End> = {},
): AsyncGenerator<Out, void, undefined> {
  const { push, end, signal } = prepare(machine, source, options)
  return readItems<In, Out, Out>(source, {
    push,
    end,
    deliver: (value) => ({ done: false, value }),
    signal,
  })
}

/**
 * Like {@link iterate}, but yields all outputs of one input at once. Faster where one input has many
 * outputs, such as a chunk of bytes.
 */
export function iterateBatches<State, In, Out, End = undefined>(
  machine: Machine<State, In, Out, End>,
  source: Source<In>,
  options: IterateOptions<State, End> = {},
): AsyncGenerator<readonly Out[], void, undefined> {
  const { push, end, signal } = prepare(machine, source, options)
  return readItems<In, readonly Out[], readonly Out[]>(source, {
    push: (input) => [push(input)],
    end: () => [end()],
    deliver: (batch) => (batch.length > 0 ? { done: false, value: batch } : undefined),
    signal,
  })
}

/** Checks the arguments, and starts the machine. */
function prepare<State, In, Out, End>(
  machine: Machine<State, In, Out, End>,
  source: Source<In>,
  options: IterateOptions<State, End>,
): { push(input: In): readonly Out[]; end(): readonly Out[]; signal: AbortSignal | undefined } {
  requireSource(source)
  requireOnly('options', options, ['signal', 'atEnd', 'state', 'onDiagnostic'])
  const { signal, atEnd, ...runOptions } = options
  optional(requireSignal, 'signal', signal)
  optional(requireFunction, 'atEnd', atEnd)
  const { push, end } = run(machine, runOptions)
  return { push, end: () => end(atEnd?.()), signal }
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
  requireOnly('options', options, ['atEnd', 'state', 'onDiagnostic'])
  const { atEnd, ...runOptions } = options
  optional(requireFunction, 'atEnd', atEnd)
  const { push, end } = run(machine, runOptions)
  const send = (out: readonly Out[], controller: TransformStreamDefaultController<Out>): void => {
    for (const value of out) controller.enqueue(value)
  }
  return new TransformStream<In, Out>({
    transform: (chunk, controller) => send(push(chunk), controller),
    flush: (controller) => send(end(atEnd?.()), controller),
  })
}
