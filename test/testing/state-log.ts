/** A log with a state beside it, in an array, and what it can do wrong. */
import { once } from 'node:events'
import type { ContextAnyEvent } from 'turnstream'
import type { Position, StateLog, StateVersion, StoredState } from 'turnstream/streams'
import { pause } from '../../src/core/timer.ts'
import { arrayLog } from './logs.ts'

/** What a {@link stateLog} does wrong. */
export interface StateFault {
  readonly isCurrent?: (at: StateVersion, now: StateVersion) => boolean
  /** When it waits. */
  readonly gap?: 'after the check' | 'between events and state' | 'between state and events'
  readonly changes?: StateLog['changes']
}

const isCurrentState = (at: StateVersion, now: StateVersion): boolean =>
  at.epoch === now.epoch && at.next === now.next && at.version === now.version

/** {@link arrayLog} with a state beside it. */
export function stateLog(stream: string, fault: StateFault = {}): StateLog {
  const log = arrayLog(stream)
  let [next, isClosed] = [0, false]
  let stored: StoredState = { version: '0' }
  const news = new EventTarget()
  const append = (event: ContextAnyEvent): Promise<Position> => {
    if (!isClosed) next++
    return log.append(event)
  }
  return {
    ...log,
    append,
    async close() {
      isClosed = true
      await log.close()
    },
    async loadState(known) {
      return known === stored.version ? { version: known } : stored
    },
    async appendIf(at, events, state) {
      if (isClosed) throw new TypeError('closed')
      const now = { epoch: 'e', next, version: stored.version }
      if (!(fault.isCurrent ?? isCurrentState)(at, now)) return undefined
      if (fault.gap === 'after the check') await pause(2)
      const version = String(Number(stored.version) + 1)
      const through = { epoch: 'e', seq: next + events.length - 1 }
      const store = (): void => {
        stored = { version, state, through }
        news.dispatchEvent(new Event('news'))
      }
      if (fault.gap === 'between state and events') {
        store()
        await pause(2)
      }
      for (const event of events) append(event)
      if (fault.gap === 'between events and state') await pause(2)
      if (fault.gap !== 'between state and events') store()
      return version
    },
    changes:
      fault.changes ??
      async function* (signal) {
        while (!signal.aborted) {
          const changed = once(news, 'news', { signal }).catch(() => {})
          yield
          await changed
        }
      },
  }
}
