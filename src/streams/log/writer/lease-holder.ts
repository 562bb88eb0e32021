/** Which leases of a stream have expired. */
import { contextKey } from '../../context-key.ts'
import type { ExpiredLease } from '../lease-log.ts'
import type { TaskKey } from './open-tasks.ts'

/** A writer with an open lease, as a database has it. */
export interface LeaseHolder {
  readonly id: string
  /** The lease as it is stored: by it a take-over knows whether it has changed. */
  readonly lease: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly isExpired: boolean
  readonly tasks: readonly TaskKey[]
}

/** The leases that have expired, but for that of a writer itself. */
export function expiredAmong(holders: readonly LeaseHolder[], own: string): ExpiredLease[] {
  const isExpired = (holder: LeaseHolder): boolean => holder.isExpired && holder.id !== own
  const live = new Set(
    holders.filter((each) => !isExpired(each)).flatMap(({ tasks }) => tasks.map((key) => contextKey(...key))),
  )
  return holders.filter(isExpired).map(({ id, lease, expiresAt, tasks }) => ({
    id: JSON.stringify([id, lease]),
    tasks: tasks
      .filter((key) => !live.has(contextKey(...key)))
      .map(([contextId, taskId]) => ({ contextId, taskId })),
    expiredAt: new Date(expiresAt).toISOString(),
  }))
}

/** The writer that an id of {@link expiredAmong} names, and its lease as it was stored. */
export function leaseNamed(id: string): readonly [writer: string, lease: string] {
  return JSON.parse(id) as [string, string]
}
