/** The log of one stream in the memory of one process. */

import type { MachineState } from '../../core/machine-state.ts'
import { onAbort } from '../../core/on-abort.ts'
import { requireFunction, requireObject } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { readMilliseconds } from '../../validation/callbacks.ts'
import { cursorAfter, isEmptyBatch, type StreamEvent } from './batch.ts'
import type { EventLog } from './event-log.ts'
import { LogBuffer } from './log-buffer.ts'
import { emptyLogState, type LogOptions, type LogState, requireLogState } from './log-state.ts'
import type { LogExtent } from './read.ts'
import { checkedReadOptions } from './read-options.ts'

/** Options of `createMemoryLog` for a new log. */
export interface MemoryEventLogOptions extends LogOptions {
  /** Returns the current time in milliseconds: for the age of events. */
  readonly now: () => number
}

/** Options of `createMemoryLog` for a stored log. */
export interface StoredEventLogOptions {
  /** A stored {@link MemoryEventLog.state}. */
  readonly state: MachineState<'createMemoryLog', LogExtent>
  /** Returns the current time in milliseconds, by the clock of the stored log. */
  readonly now: () => number
}

/** A log in the memory of one process. */
export interface MemoryEventLog<E extends StreamEvent = ContextAnyEvent> extends EventLog<E> {
  /** The current content as plain JSON: store it, and pass it to `createMemoryLog` to continue. */
  readonly state: MachineState<'createMemoryLog', LogExtent>
}

/**
 * Creates a log in memory.
 *
 * @param options - Options of a new log; or `state` of a stored one, to continue it in the same epoch.
 * @throws TypeError if `stream` or `epoch` is empty, a limit is unknown or not an integer >= 1, `state` is not the
 * state of a log, or `now` is not a function. Later also if `now` returns no finite number, or a filter is invalid.
 *
 * @example
 * ```ts
 * const log = createMemoryLog({ stream: 'context/ctx-1', epoch: crypto.randomUUID(), now: Date.now })
 * await log.append(event)
 * ```
 */
export function createMemoryLog<E extends StreamEvent = ContextAnyEvent>(
  options: MemoryEventLogOptions | StoredEventLogOptions,
): MemoryEventLog<E> {
  requireObject('options', options)
  requireFunction('now', options.now)
  if ('state' in options) requireLogState(options.state)
  const state = 'state' in options ? (options.state as LogState<E>) : emptyLogState(options)
  return memoryLogOf(new LogBuffer<E>(state), () => readMilliseconds(options.now))
}

/** The log of a buffer. */
export function memoryLogOf<E extends StreamEvent>(
  buffer: LogBuffer<E>,
  now: () => number,
): MemoryEventLog<E> {
  let waiting = new Set<() => void>()
  const wakeAll = (): void => {
    if (waiting.size === 0) return
    const woken = waiting
    waiting = new Set()
    for (const wake of woken) wake()
  }
  const change = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake)
        stopListening?.()
        resolve()
      }
      waiting.add(wake)
      const stopListening = signal && onAbort(signal, wake)
    })
  return {
    async append(event) {
      buffer.append(event, now())
      wakeAll()
      return buffer.head
    },
    async read(cursor, readOptions) {
      const { filter, wait, signal, maxBytes } = checkedReadOptions(readOptions)
      buffer.evict(now())
      let part = buffer.read(cursor, filter, maxBytes)
      while (wait && part.type === 'batch' && isEmptyBatch(part) && signal?.aborted !== true) {
        await change(signal)
        part = buffer.read(cursorAfter(part), filter, maxBytes)
      }
      return part
    },
    async close() {
      buffer.close()
      wakeAll()
    },
    get state() {
      return buffer.state as MachineState<'createMemoryLog', LogExtent>
    },
  }
}
