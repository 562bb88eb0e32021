/** The log of one stream in the memory of one process. */
import type { MachineState } from '../../core/machine-state.ts'
import { requireFunction } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
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
 * @throws TypeError if `stream` or `epoch` is empty, or a limit is not an integer >= 1.
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
  const { now } = options
  requireFunction('now', now)
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
    async read(cursor, { filter, wait = false, signal } = {}) {
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
