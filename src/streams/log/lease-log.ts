/** Leases: which writer works on which tasks, and who takes them over when it stops. */
import type { ContextAnyEvent, TaskName } from '../../events/event.ts'
import type { StreamEvent } from './batch.ts'
import type { EventLog } from './event-log.ts'

/** A lease that has expired. */
export interface ExpiredLease {
  /** The lease as it was found: the log knows by it whether it has changed since. */
  readonly id: string
  /** The tasks that it holds, without those that a lease of another writer holds as well, which has not expired. */
  readonly tasks: readonly TaskName[]
  /** When it expired: RFC 3339 in UTC. */
  readonly expiredAt: string
}

/**
 * A log with leases. Each log that is opened is a writer. It holds the tasks that it appends to until they end, by one lease that it
 * renews as long as its process runs. If the process stops, the lease expires, and another writer can take it over. Stores watch
 * the leases of their logs.
 *
 * `append` rejects with an error whose `code` is `lease-lost` if another writer has taken the task of the event over: nothing is
 * appended. Events of other tasks are. Whether the lease still holds is decided in the same atomic step that appends.
 */
export interface LeaseLog<E extends StreamEvent = ContextAnyEvent> extends EventLog<E> {
  /** Returns the leases of other writers that have expired, and that nobody has taken over. */
  expiredLeases(): Promise<readonly ExpiredLease[]>
  /**
   * Takes a lease over, in one atomic step: this writer holds its tasks from then on, and the other one can no longer append
   * to them. Resolves to `false`, and nothing has changed, if the lease was renewed, given back or taken over meanwhile.
   */
  takeOver(lease: ExpiredLease): Promise<boolean>
  /**
   * Gives tasks back: they stay open, and nobody holds them. Who appends to one of them holds it again, this writer included,
   * also if it had lost the task.
   *
   * @param tasks - Omitted: all that it holds.
   */
  release(tasks?: readonly TaskName[]): Promise<void>
}

/** Whether a log has leases. */
export function hasLeases(log: EventLog): log is LeaseLog {
  const { expiredLeases, takeOver, release } = log as Partial<LeaseLog>
  return [expiredLeases, takeOver, release].every((each) => typeof each === 'function')
}

/** Whether an append was refused because another writer has taken the task over. */
export function isLeaseLost(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null | undefined)?.code === 'lease-lost'
}
