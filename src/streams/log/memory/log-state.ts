/** The limits and the stored form of a log in memory. */
import { mismatch, optional, requireInteger, requireOnly } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { TaskTreeState } from '../../access/task-tree.ts'
import type { StreamEvent } from '../batch.ts'
import { requireUnicode } from '../cursor.ts'
import type { LogExtent } from '../extent.ts'

/** How much a log keeps. The oldest events are evicted as soon as one limit is exceeded. */
export interface LogLimits {
  /**
   * Number of events, from 1.
   *
   * @defaultValue 10 000
   */
  readonly maxEvents: number
  /**
   * Total size of the events in bytes of UTF-8 JSON, from 1. An event larger than this is evicted at once,
   * with all events before it: readers get a reset.
   *
   * @defaultValue 8 388 608 (8 MiB)
   */
  readonly maxBytes: number
  /**
   * Age of an event in milliseconds, from 1.
   *
   * @defaultValue 3 600 000 (1 hour)
   */
  readonly maxAgeMs: number
}

export const defaultLimits: LogLimits = { maxEvents: 10_000, maxBytes: 2 ** 23, maxAgeMs: 3_600_000 }

/** The events of a stream that are still kept. Plain JSON. */
export interface LogState<E extends StreamEvent = ContextAnyEvent> extends LogExtent {
  readonly limits: LogLimits
  /** The kept events, oldest first, with consecutive sequence numbers. */
  readonly entries: readonly LogEntry<E>[]
  /** The parents of subtasks that events stated. Omitted: none did. */
  readonly tasks?: TaskTreeState
}

/** An event in the log. */
export interface LogEntry<E extends StreamEvent = ContextAnyEvent> {
  readonly event: E
  /** When it was appended: milliseconds of the host's clock. */
  readonly at: number
  /** Its size in bytes of UTF-8 JSON. */
  readonly bytes: number
}

/** Options of a new log. */
export interface LogOptions {
  /** Name of the stream: a non-empty string such as `context/ctx-1`. */
  readonly stream: string
  /**
   * Identifies one uninterrupted run of sequence numbers: a non-empty string never used for this stream
   * before, such as a random one. A restored log keeps its epoch; an empty log needs a new one.
   */
  readonly epoch: string
  /** Omitted limits have their defaults. */
  readonly limits?: Partial<LogLimits>
}

/** The state of an empty log. Throws a TypeError on invalid options. */
export function emptyLogState({ stream, epoch, limits }: LogOptions): LogState<never> {
  requireUnicode('stream', stream)
  requireUnicode('epoch', epoch)
  const all = limitsWith(limits)
  return { stream, epoch, limits: all, earliest: 0, next: 0, closed: false, entries: [] }
}

/** Limits with the defaults of those that are omitted. Throws a TypeError if one is unknown or invalid. */
export function limitsWith(limits: Partial<LogLimits> | undefined): LogLimits {
  optional((name, value) => requireOnly(name, value, Object.keys(defaultLimits)), 'limits', limits)
  // One object for all logs with the same limits.
  const all = limits === undefined ? defaultLimits : { ...defaultLimits, ...limits }
  for (const [name, limit] of Object.entries(all)) requireInteger(name, limit, 1)
  return all
}

/** Requires what was the state of a log, perhaps stored as JSON. */
export function requireLogState(state: unknown): void {
  const { stream, entries } = (state ?? {}) as Partial<LogState>
  if (typeof stream === 'string' && Array.isArray(entries)) return
  throw mismatch('state', 'the state of a log', state)
}
