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

/** One stream of events, and what users see of it. */
export interface Stream {
  readonly log: EventLog
  readonly view: ReadFilter
  /** Takes the next event. Await it before the one after: what is appended first is first. */
  append(event: ContextAnyEvent): Promise<void>
  /** Puts into a reset what a user's client would have folded by now. */
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
