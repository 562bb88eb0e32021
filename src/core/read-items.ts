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
  /** The latest call that waits for the source. Later calls wait for it. */
  let waiting: Promise<unknown> | undefined
  let leaveRead: (input: IteratorReturnResult<undefined>) => void = () => {}
  let failRead: (reason: unknown) => void = () => {}

  /** The next item at hand. */
  function take(): IteratorYieldResult<Out> | undefined {
    while (position < items.length && !isAborted) {
      const result = deliver(items[position++] as Item)
      if (result !== undefined) return result
    }
    if (isAborted) throw signal?.reason
    return undefined
  }

  async function read(): Promise<IteratorResult<Out, void>> {
    try {
      if (phase === 'new') start()
      while (phase === 'open') {
        const result = take()
        if (result !== undefined) return result
        if (opened === undefined) void close()
        else await readInput(opened)
      }
    } catch (error) {
      void close(error)
      throw error
    }
    return DONE
  }

  function start(): void {
    phase = 'open'
    opened = openSource(source)
    if (signal?.aborted === true) onAbort()
    else signal?.addEventListener('abort', onAbort)
  }

  async function readInput(from: OpenSource<In>): Promise<void> {
    // One promise a read: `Promise.race` against one that lives as long as the signal would retain every result.
    const input = await new Promise<IteratorResult<In, unknown>>((resolve, reject) => {
      leaveRead = resolve
      failRead = reject
      from.pull().then(resolve, (error) => {
        release()
        reject(error)
      })
    })
    if (phase !== 'open') return
    position = 0
    items = []
    if (input.done !== true) items = push(input.value)
    else {
      release()
      items = end()
    }
  }

  function onAbort(): void {
    isAborted = true
    void cancel(signal?.reason)
    failRead(signal?.reason)
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
    const closed = close(reason)
    leaveRead(DONE)
    // A source that hangs in a read may hang in its cancellation as well.
    await (waiting === undefined ? closed : waiting.catch(() => {}))
  }

  function next(): Promise<IteratorResult<Out, void>> {
    if (waiting === undefined && phase === 'open') {
      try {
        const result = take()
        if (result !== undefined) return Promise.resolve(result)
      } catch (error) {
        void close(error)
        return Promise.reject(error)
      }
    }
    const result = waiting === undefined ? read() : waiting.then(read, read)
    const settled = (): void => {
      if (waiting === result) waiting = undefined
    }
    waiting = result
    result.then(settled, settled)
    return result
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
