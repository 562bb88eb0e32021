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

/** One stream of events, and the part of it that users may see. */
export interface Stream {
  readonly log: EventLog
  readonly view: ReadFilter
  /** Appends the next event. Await it before appending another: the order of calls is the order of events. */
  append(event: ContextAnyEvent): Promise<void>
  /** Adds to a reset the view that a user's client would have by now. */
  withSnapshot(reset: Reset): Reset
}

export function openStream(name: string, limits: Partial<LogLimits> = {}): Stream {
  const log = createMemoryLog({ stream: name, epoch: crypto.randomUUID(), limits, now: Date.now })
  const view = readFilter({ audience: 'user' })
  let snapshot = emptyView
  let through = -1
  return {
    log,
    view,
    async append(event) {
      const { seq } = await log.append(event)
      const seen = view.see(event)
      if (seen !== undefined) snapshot = foldEvent(snapshot, seen)
      through = seq
    },
    withSnapshot: (reset) => ({ ...reset, snapshot, through }),
  }
}
