/** Deadlines for logs that may have none: a call that never settles blocks what comes after it no longer than that. */

import type { ContextAnyEvent } from '../events/event.ts'
import type { Position } from '../streams/log/cursor.ts'
import type { EventLog, StateLog } from '../streams/log/event-log.ts'
import { within } from './deadline.ts'

/** The functions of logs and state logs that return promises, besides `append`. */
const names = ['read', 'close', 'snapshot', 'loadState', 'appendIf'] as const

/**
 * A log whose calls reject as `unavailable` if they take longer. An event that is appended again before its append has settled is
 * not given to the log a second time. Its signal is aborted at the deadline.
 */
export function withDeadlines<L extends EventLog | StateLog>(log: L, stream: string, timeoutMs: number): L {
  /** The appends that have not settled. */
  const unsettled = new WeakMap<object, Promise<Position>>()
  const bounded = <T>(name: string, call: () => Promise<T>): Promise<T> =>
    within(timeoutMs, `"${name}" of the log of stream "${stream}"`, async () => call())

  async function append(event: ContextAnyEvent, signal: AbortSignal): Promise<Position> {
    for (let known = unsettled.get(event); known !== undefined; known = unsettled.get(event)) {
      try {
        return await known
      } catch {
        // Now it can be given to the log again.
      }
    }
    const appending = log.append(event, { signal })
    unsettled.set(event, appending)
    const forget = (): void => void unsettled.delete(event)
    appending.then(forget, forget)
    return appending
  }

  async function appendInTime(event: ContextAnyEvent): Promise<Position> {
    const waiting = new AbortController()
    try {
      return await bounded('append', () => append(event, waiting.signal))
    } catch (error) {
      waiting.abort(error)
      throw error
    }
  }

  const calls = log as unknown as Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>
  const others = names.flatMap((name) => {
    if (typeof calls[name] !== 'function') return []
    return [[name, (...given: unknown[]) => bounded(name, () => calls[name]?.(...given) as never)]]
  })
  const changes = 'changes' in log && { changes: (signal: AbortSignal) => log.changes(signal) }
  return {
    append: appendInTime,
    ...Object.fromEntries(others),
    ...changes,
  } as L
}
