/** What a law is, and what it gets. */
import type { EventLog, StateLog } from '../streams/log/event-log.ts'

/** What a law gets. */
export interface LawContext {
  /** Name of a stream for this law alone. */
  readonly stream: string
  /** Opens the log of a stream, by default of this one. */
  readonly open: (stream?: string) => Promise<EventLog>
  /** The functions of the options that open or change logs of this stream. */
  readonly openUnreliable: (() => Promise<EventLog>) | undefined
  readonly openSilent: (() => Promise<EventLog>) | undefined
  readonly expireLeases: ((writers: readonly EventLog[]) => Promise<void>) | undefined
  readonly seed: number
  /** Milliseconds after which the law is broken. */
  readonly timeoutMs: number
  /** Waits until readers that were called before are waiting. */
  readonly settle: () => Promise<void>
}

/** Rejects if a log breaks the law. Resolves to `skipped` if the log has not what the law is about. */
export type Law = (context: LawContext) => Promise<undefined | 'skipped'>

/** Laws by their names. */
export type Laws = Readonly<Record<string, Law>>

export function isStateLog(log: EventLog): log is StateLog {
  return typeof (log as Partial<StateLog>).appendIf === 'function'
}
