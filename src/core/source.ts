/** Sources of inputs: streams and iterables, read and left in one way. */

import { mismatch } from './require.ts'

/** A source of inputs for {@link iterate}. */
export type Source<In> = ReadableStream<In> | AsyncIterable<In> | Iterable<In>

/** A source that is being read. */
export interface OpenSource<In> {
  /** Reads the next input. */
  pull(): Promise<IteratorResult<In, unknown>>
  /** Cancels the source, also during a `pull`, and unlocks it. Never rejects. */
  cancel(reason: unknown): Promise<unknown>
  /** Unlocks a source that has ended or failed. */
  release(): void
}

/**
 * Requires a stream or an iterable. A string and bytes, which are iterables of characters and numbers, are none: they
 * are inputs.
 *
 * @throws TypeError such as `"source" must be a ReadableStream, an async iterable or an iterable, got "text".`
 */
export function requireSource(
  source: unknown,
  otherChoices = '',
  name = 'source',
): asserts source is Source<unknown> {
  if (Object(source) === source && !ArrayBuffer.isView(source)) {
    const object = source as object
    if ('getReader' in object || Symbol.asyncIterator in object || Symbol.iterator in object) return
  }
  throw mismatch(name, `${otherChoices}a ReadableStream, an async iterable or an iterable`, source)
}

/** Opens a source. Not every browser has `Symbol.asyncIterator` on streams: they need a reader. */
export function openSource<In>(source: Source<In>): OpenSource<In> {
  if ('getReader' in source) {
    const reader = source.getReader()
    const release = (): void => reader.releaseLock()
    return {
      pull: () => reader.read() as Promise<IteratorResult<In, unknown>>,
      cancel(reason) {
        // A source that fails or hangs while it is canceled must not keep the stream locked.
        const canceled = reader.cancel(reason).catch(() => {})
        release()
        return canceled
      },
      release,
    }
  }
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  return {
    pull: async () => iterator.next(),
    cancel: async () => {
      try {
        await iterator.return?.()
      } catch {
        // An error while the source is being canceled is irrelevant.
      }
    },
    release() {},
  }
}
