/** The log of one stream in the memory of one process. */

import type { MachineState } from '../../core/machine-state.ts'
import {
  mismatch,
  optional,
  requireBoolean,
  requireFunction,
  requireObject,
  requireOnly,
  requireSignal,
} from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { readMilliseconds } from '../../validation/callbacks.ts'
import { cursorAfter, isEmptyBatch, type StreamEvent } from './batch.ts'
import type { EventLog } from './event-log.ts'
import {
  appendEvent,
  closeLog,
  evictEvents,
  headOf,
  type LogOptions,
  type LogState,
  openLog,
  readLog,
} from './log-state.ts'
import type { LogExtent } from './read.ts'
import { requireReadFilter } from './read-filter.ts'

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
  const now = (): number => readMilliseconds(options.now)
  if ('state' in options) requireState(options.state)
  let log = 'state' in options ? (options.state as LogState<E>) : openLog<E>(options)
  const waiting = new Set<() => void>()
  const update = (next: LogState<E>): void => {
    log = next
    const wakeAll = [...waiting]
    waiting.clear()
    for (const wake of wakeAll) wake()
  }
  return {
    async append(event) {
      update(appendEvent(log, event, now()))
      return headOf(log)
    },
    async read(cursor, readOptions = {}) {
      requireOnly('options', readOptions, ['filter', 'wait', 'signal'])
      const { filter, wait = false, signal } = readOptions
      optional(requireReadFilter, 'filter', filter)
      requireBoolean('wait', wait)
      optional(requireSignal, 'signal', signal)
      log = evictEvents(log, now())
      let part = readLog(log, cursor, filter)
      while (wait && part.type === 'batch' && isEmptyBatch(part) && signal?.aborted !== true) {
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake)
            signal?.removeEventListener('abort', wake)
            resolve()
          }
          waiting.add(wake)
          signal?.addEventListener('abort', wake)
        })
        part = readLog(log, cursorAfter(part), filter)
      }
      return part
    },
    async close() {
      update(closeLog(log))
    },
    get state() {
      return log
    },
  }
}

/** Requires what {@link MemoryEventLog.state} was. */
function requireState(state: unknown): void {
  const { stream, entries } = (state ?? {}) as Partial<LogState>
  if (typeof stream === 'string' && typeof entries === 'object') return
  throw mismatch('state', 'the state of a log', state)
}
