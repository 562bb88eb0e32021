/** What a writer of a log needs of the database that stores it. */
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Batch, Reset } from '../batch.ts'
import type { Cursor } from '../cursor.ts'
import type { ExpiredLease } from '../lease-log.ts'
import type { TaskKey } from './open-tasks.ts'

/** Events with consecutive numbers of one writer that are stored with consecutive sequence numbers. */
export interface NumberRange {
  /** The number of the first. */
  readonly from: number
  /** The `seq` of the first. */
  readonly seq: number
  readonly count: number
}

/** What a database knows of a writer. */
export interface StoredNumbers {
  readonly epoch: string
  /** The last number that is stored; −1: none. */
  readonly last: number
  /** Which numbers are stored: those of events whose fate the writer does not know, at least. */
  readonly ranges: readonly NumberRange[]
}

/** Another writer has taken over what this one held: nothing was changed. */
export interface Fenced extends StoredNumbers {
  readonly outcome: 'fenced'
  /** The tasks that it held. */
  readonly tasks: readonly TaskKey[]
}

/** The lease of a writer as it should be stored. */
export interface LeaseToStore {
  /** The id of the writer. */
  readonly writer: string
  /** `idle`: it holds no task. */
  readonly state: 'open' | 'idle'
  /** Its open tasks as JSON. */
  tasks(): string
  /** Whether the database has got these tasks before, in the same epoch. */
  readonly isStored: boolean
  /** The latest epoch in which it got tasks of this writer. Empty: it did not. */
  readonly epoch: string
}

/** An event to append. */
export interface NumberedEvent {
  readonly event: ContextAnyEvent
  readonly json: string
}

/** Events to append, in one step. */
export interface AppendBatch {
  readonly lease: LeaseToStore
  /** The number of the first event; those of the others follow. */
  readonly number: number
  /** The writer knows what became of all events with a lower number. */
  readonly floor: number
  readonly events: readonly NumberedEvent[]
}

/**
 * What became of a batch:
 *
 * - `appended`: all of it is stored, now or before
 * - `late`: a later number of its writer is stored, so that those which are not will never be
 * - `closed`: the stream has ended; some may be stored
 */
export type Appended =
  | Fenced
  | (StoredNumbers & {
      readonly outcome: 'appended' | 'late' | 'closed'
      /** Whether the log exceeds its limits until {@link WriterPort.makeRoom} has been called. */
      readonly isFull?: boolean
    })

/** How a writer stores. Each function but `inTime` is one atomic step, and safe to be sent again. */
export interface WriterPort {
  /** Runs a task, and rejects as `unavailable` if it does not end in time. It continues then, until it asks `isOver`. */
  inTime<T>(task: (isOver: () => boolean) => Promise<T>): Promise<T>
  append(batch: AppendBatch): Promise<Appended>
  /** Stores the lease. Resolves to the epoch of its tasks. */
  renew(
    lease: LeaseToStore,
  ): Promise<Fenced | { readonly outcome: 'closed' | 'renewed'; readonly epoch: string }>
  /** Transfers the lease of another writer, if it has not changed. The own one holds the tasks of both then. */
  takeOver(
    lease: ExpiredLease,
    own: LeaseToStore,
  ): Promise<Fenced | { readonly outcome: 'gone' | 'taken'; readonly epoch: string }>
  /** The expired leases of others. */
  expiredLeases(writer: string): Promise<readonly ExpiredLease[]>
  /** Closes the stream. */
  close(): Promise<unknown>
  /** Reads the events after a cursor. */
  read(cursor: Cursor): Promise<Batch<ContextAnyEvent> | Reset<ContextAnyEvent>>
  /** Called when the log is full. Omitted: it has no limits. */
  makeRoom?(): Promise<unknown>
  /** The error of an append to a task that another writer has taken over. Its `code` is `lease-lost`. */
  leaseLost(message: string): Error
}
