/** A log with a state for several processes, in memory, whose appends can be made to fail. */
import type { ContextAnyEvent } from 'turnstream'
import { logStore, type Stream } from 'turnstream/server'
import {
  createMemoryLog,
  type EventLog,
  type Position,
  type StateLog,
  type StoredState,
} from 'turnstream/streams'
import type { OpenOptions, StoreOptions } from '../../src/server/store.ts'
import { anyone } from '../support/anyone.ts'

/** What is stored of one stream. */
export class Stored {
  readonly log: EventLog = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
  /** All events. */
  readonly events: ContextAnyEvent[] = []
  state: StoredState = { version: '0' }
  /** Called before each event is stored; what it throws is the error of the append. */
  onAppend: (event: ContextAnyEvent) => unknown = () => {}

  async append(event: ContextAnyEvent): Promise<Position> {
    await this.onAppend(event)
    this.events.push(event)
    return this.log.append(event)
  }
}

/** A log that stores no state. */
export function plainLog(stored: Stored): EventLog {
  return { ...pick(stored), append: (event) => stored.append(event) }
}

/** A log that stores a state: all that are made of one `stored` share it. */
export function sharedLog(stored: Stored): StateLog {
  return {
    ...plainLog(stored),
    async *changes(signal) {
      for (let seen = ''; !signal.aborted; ) {
        const now = `${stored.events.length} ${stored.state.version}`
        if (now !== seen) yield
        seen = now
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    async loadState(known) {
      const { version } = stored.state
      return known === version ? { version } : structuredClone(stored.state)
    },
    async appendIf({ next, version }, events, state) {
      const { log } = stored
      const isCurrent = version === stored.state.version && next === stored.events.length
      if (!isCurrent) return undefined
      for (const event of events) await stored.onAppend(event)
      stored.events.push(...events)
      const appends = events.map((event) => log.append(event))
      const through = { epoch: 'e', seq: stored.events.length - 1 }
      stored.state = { version: `${Number(version) + 1}`, state: structuredClone(state), through }
      await Promise.all(appends)
      return stored.state.version
    },
  }
}

function pick({ log }: Stored): EventLog {
  return { append: log.append, read: log.read, close: log.close }
}

/** Opens a stream over a log. */
export async function openOver(
  log: EventLog,
  { onInput, ...options }: StoreOptions & Pick<OpenOptions, 'onInput'> = {},
): Promise<Stream> {
  const store = logStore({ open: () => log, ...anyone, ...options })
  return (await store.open('s', onInput === undefined ? {} : { onInput })) as Stream
}
