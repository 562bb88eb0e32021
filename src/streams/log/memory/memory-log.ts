/** The log of one stream in the memory of one process. */

import type { MachineState } from '../../../core/machine-state.ts'
import { onAbort } from '../../../core/on-abort.ts'
import { requireFunction, requireObject, requireOnly, requireText } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { readMilliseconds } from '../../../validation/callbacks.ts'
import { type EventLogAppendOptions, requireAppendOptions } from '../append-options.ts'
import { type Batch, isEmptyBatch, type Reset, type StreamEvent } from '../batch.ts'
import type { Cursor, Position } from '../cursor.ts'
import type { EventLog } from '../event-log.ts'
import type { LogExtent } from '../extent.ts'
import type { ReadFilter } from '../read-filter.ts'
import { type EventLogReadOptions, requireReadOptions } from '../read-options.ts'
import { callInSlices, type Waiter } from '../waiters.ts'
import { LogBuffer } from './log-buffer.ts'
import { emptyLogState, type LogOptions, type LogState, requireLogState } from './log-state.ts'

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
  requireOnly('options', options, ['stream', 'epoch', 'limits', 'now', 'state'])
  requireFunction('now', options.now)
  if ('state' in options) requireLogState(options.state)
  const state = 'state' in options ? (options.state as LogState<E>) : emptyLogState(options)
  return new MemoryLog<E>(new LogBuffer<E>(state), options.now)
}

/**
 * The log of a buffer. Its functions are fields, so that a copy by spread with one of them replaced is a log.
 *
 * @typeParam E - The events.
 */
export class MemoryLog<E extends StreamEvent = ContextAnyEvent> implements MemoryEventLog<E> {
  readonly #buffer: LogBuffer<E>
  readonly #now: () => number
  /** Omitted while nobody waits: the case of most logs. */
  #waiting: Set<Waiter> | undefined

  readonly append = async (event: E, options?: EventLogAppendOptions): Promise<Position> => {
    requireAppendOptions(options)
    requireObject('event', event)
    requireText('event.kind', event.kind)
    this.#buffer.append(event, readMilliseconds(this.#now))
    this.#wakeAll()
    return this.#buffer.head
  }

  readonly read = async (
    cursor?: Cursor | string | null,
    options?: EventLogReadOptions<E>,
  ): Promise<Batch<E> | Reset<E>> => {
    const { filter, wait, signal, maxBytes } = requireReadOptions(options)
    let part = this.readNow(cursor, filter, maxBytes)
    while (wait && part.type === 'batch' && isEmptyBatch(part) && signal?.aborted !== true) {
      await this.#change(signal)
      part = this.#buffer.readAfter(part.through, filter, maxBytes)
    }
    return part
  }

  readonly close = async (): Promise<void> => {
    this.#buffer.close()
    this.#wakeAll()
  }

  constructor(buffer: LogBuffer<E>, now: () => number) {
    this.#buffer = buffer
    this.#now = now
  }

  get state(): MachineState<'createMemoryLog', LogExtent> {
    return this.#buffer.state as MachineState<'createMemoryLog', LogExtent>
  }

  /**
   * Reads without waiting.
   *
   * @param cursor - As for {@link read}; or the `through` of the last part, if that was of this log and this filter.
   */
  readNow(
    cursor: Cursor | string | number | null | undefined,
    filter: ReadFilter<E> | undefined,
    maxBytes: number,
  ): Batch<E> | Reset<E> {
    this.#buffer.evict(readMilliseconds(this.#now))
    return typeof cursor === 'number'
      ? this.#buffer.readAfter(cursor, filter, maxBytes)
      : this.#buffer.read(cursor, filter, maxBytes)
  }

  /** Whether {@link readNow} from a `seq` gives nothing. */
  isUpToDate(seq: number): boolean {
    return seq + 1 === this.#buffer.next && !this.#buffer.closed
  }

  /** Wakes a reader at the next change: an event, or the end. */
  wakeLater(waiter: Waiter): void {
    this.#waiting ??= new Set()
    this.#waiting.add(waiter)
  }

  /** Ends the waiting of a reader. */
  forget(waiter: Waiter): void {
    this.#waiting?.delete(waiter)
  }

  #wakeAll(): void {
    const woken = this.#waiting
    if (woken === undefined) return
    this.#waiting = undefined
    // Events that are appended in the same turn are one batch.
    void Promise.resolve().then(() =>
      callInSlices(
        woken,
        (waiter) => waiter.wake(),
        (slice) => this.#buffer.shared(slice),
      ),
    )
  }

  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const waiter = {
        wake: (): void => {
          this.forget(waiter)
          stopListening?.()
          resolve()
        },
      }
      this.wakeLater(waiter)
      const stopListening = signal && onAbort(signal, waiter.wake)
    })
  }
}
