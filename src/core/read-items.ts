/** The loop behind the generators that read a source. */

import { type OpenSource, openSource, type Source } from './source.ts'

/** What {@link readItems} does with a source. */
export interface ItemReader<In, Item, Out> {
  /** Processes one input and returns its items. */
  push(input: In): readonly Item[]
  /** Called once when the source ends; returns the last items. */
  end(): readonly Item[]
  /** What is delivered for an item. `undefined`: nothing. */
  deliver(item: Item): IteratorYieldResult<Out> | undefined
  /** Aborting it cancels the source and makes the generator throw the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads a source item by item. However reading ends, the source is unlocked, and canceled unless it ended by itself.
 *
 * Not a generator function: `return()` would wait for a pending read, and each item would take several times as long.
 */
export function readItems<In, Item, Out>(
  source: Source<In>,
  { push, end, deliver, signal }: ItemReader<In, Item, Out>,
): AsyncGenerator<Out, void, undefined> {
  let phase: 'new' | 'open' | 'closed' = 'new'
  /** Set while the source has neither ended nor been canceled. */
  let opened: OpenSource<In> | undefined
  let items: readonly Item[] = []
  let position = 0
  let isAborted = false
  /** The call that waits for the source, and those that wait for it. */
  let pending: Call<Out> | undefined
  const later: Call<Out>[] = []

  /** The next item at hand. */
  function take(): IteratorYieldResult<Out> | undefined {
    while (position < items.length && !isAborted) {
      const result = deliver(items[position++] as Item)
      if (result !== undefined) return result
    }
    if (isAborted) throw signal?.reason
    return undefined
  }

  /** Answers the calls in order, until one has to wait for the source. */
  function answer(): void {
    // `deliver` may have called, and its call may wait.
    for (let call = pending; call !== undefined; call = pending === undefined ? later.shift() : undefined) {
      pending = undefined
      try {
        if (phase === 'new') start()
        const result = phase === 'open' ? take() : DONE
        if (result === undefined && opened !== undefined) {
          pending = call
          opened.pull().then(onInput, onFailure)
          return
        }
        if (result === undefined) void close()
        call.resolve(result ?? DONE)
      } catch (error) {
        void close(error)
        call.reject(error)
      }
    }
  }

  function start(): void {
    phase = 'open'
    opened = openSource(source)
    if (signal?.aborted === true) onAbort()
    else signal?.addEventListener('abort', onAbort)
  }

  function onInput(input: IteratorResult<In, unknown>): void {
    if (phase !== 'open' || isAborted) return
    position = 0
    items = []
    try {
      if (input.done !== true) items = push(input.value)
      else {
        release()
        items = end()
      }
    } catch (error) {
      fail(error)
    }
    answer()
  }

  function onFailure(error: unknown): void {
    release()
    if (phase === 'open' && !isAborted) fail(error)
    answer()
  }

  function onAbort(): void {
    isAborted = true
    void cancel(signal?.reason)
    // Whoever does not wait learns of it from the next call.
    if (pending === undefined) return
    fail(signal?.reason)
    answer()
  }

  /** Ends reading with an error, for the call that waits. */
  function fail(error: unknown): void {
    void close(error)
    const call = pending
    pending = later.shift()
    call?.reject(error)
  }

  /** Unlocks a source that has ended or failed. */
  function release(): void {
    opened?.release()
    opened = undefined
  }

  async function cancel(reason: unknown): Promise<void> {
    const canceled = opened
    opened = undefined
    await canceled?.cancel(reason)
  }

  function close(reason?: unknown): Promise<void> {
    phase = 'closed'
    items = []
    signal?.removeEventListener('abort', onAbort)
    return cancel(reason)
  }

  /** Leaves the source before its end. */
  async function leave(reason?: unknown): Promise<void> {
    // A source that was not opened is canceled, too, unless somebody else reads it.
    if (phase === 'new') {
      try {
        start()
      } catch {}
    }
    const isWaiting = pending !== undefined
    const closed = close(reason)
    answer()
    // A source that hangs in a read may hang in its cancellation as well.
    if (!isWaiting) await closed
  }

  function next(): Promise<IteratorResult<Out, void>> {
    if (pending === undefined && phase === 'open') {
      try {
        const result = take()
        if (result !== undefined) return Promise.resolve(result)
      } catch (error) {
        void close(error)
        return Promise.reject(error)
      }
    }
    return new Promise((resolve, reject) => {
      const call = { resolve, reject }
      if (pending !== undefined) later.push(call)
      else {
        pending = call
        answer()
      }
    })
  }

  return {
    next,
    async return(value) {
      await leave()
      return { done: true, value: await value }
    },
    async throw(error) {
      await leave(error)
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** A call of `next` that has not been answered. */
interface Call<Out> {
  resolve(result: IteratorResult<Out, void>): void
  reject(error: unknown): void
}

/** Reads each input of a source as it is. */
export function readEach<T>(source: Source<T>, signal?: AbortSignal): AsyncGenerator<T, void, undefined> {
  return readItems<T, T, T>(source, {
    push: (input) => [input],
    end: () => [],
    deliver: (value) => ({ done: false, value }),
    signal,
  })
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }
