import type { ContextAnyEvent } from 'agentwire'
import {
  createMemoryLog,
  type EventLog,
  emptyView,
  foldEvent,
  type LogLimits,
  type ReadFilter,
  type Reset,
  readFilter,
} from 'agentwire/streams'

/** One stream of events, and the filter its users read it with. */
export interface Stream {
  readonly log: EventLog
  readonly filter: ReadFilter
  /** Appends an event. Await each call before the next: events keep the order in which they are appended. */
  append(event: ContextAnyEvent): Promise<void>
  /** Adds a snapshot to a reset: the view a user's client would have by now. */
  withSnapshot(reset: Reset): Reset
}

export function openStream(name: string, limits: Partial<LogLimits> = {}): Stream {
  const log = createMemoryLog({ stream: name, epoch: crypto.randomUUID(), limits, now: Date.now })
  const filter = readFilter({ audience: 'user' })
  let snapshot = emptyView
  let through = -1
  return {
    log,
    filter,
    async append(event) {
      const { seq } = await log.append(event)
      const visible = filter.apply(event)
      if (visible !== undefined) snapshot = foldEvent(snapshot, visible)
      through = seq
    },
    withSnapshot: (reset) => ({ ...reset, snapshot, through }),
  }
}
