/** The leases of a stream: which of them have expired. */
import { contextKey } from '../streams/context-key.ts'
import type { ExpiredLease } from '../streams/log/lease-log.ts'
import type { TaskKey } from '../streams/log/writer/open-tasks.ts'
import type { LeaseIndex } from './lease-index.ts'
import type { Operations } from './operations.ts'

/** A writer with an open lease. */
interface Holder {
  readonly id: string
  /** The lease as it is stored. */
  readonly lease: string
  readonly expiresAt: number
  readonly isExpired: boolean
  readonly tasks: readonly TaskKey[]
}

/** The leases that have expired, but for that of a writer itself. */
export async function expiredLeases(
  stream: string,
  own: string,
  operations: Operations,
  index: LeaseIndex,
): Promise<ExpiredLease[]> {
  const entry = await index.entry(stream)
  const holders = (await operations.run('leases')).map(holderIn)
  const isExpired = (holder: Holder): boolean => holder.isExpired && holder.id !== own
  const expired = holders.filter(isExpired)
  if (expired.length === 0) {
    const next = holders.map(({ expiresAt }) => expiresAt)
    await index.checked(stream, entry, next.length === 0 ? undefined : Math.min(...next))
  }
  const live = new Set(
    holders.filter((each) => !isExpired(each)).flatMap(({ tasks }) => tasks.map((key) => contextKey(...key))),
  )
  return expired.map(({ id, lease, expiresAt, tasks }) => ({
    id: JSON.stringify([id, lease]),
    tasks: tasks
      .filter((key) => !live.has(contextKey(...key)))
      .map(([contextId, taskId]) => ({ contextId, taskId })),
    expiredAt: new Date(expiresAt).toISOString(),
  }))
}

/** The writer that an id of {@link expiredLeases} names, and its lease as it was stored. */
export function leaseNamed(id: string): readonly [writer: string, lease: string] {
  return JSON.parse(id) as [string, string]
}

function holderIn(reply: unknown): Holder {
  const [id, lease, expiresAt, expired, tasks] = reply as readonly unknown[]
  return {
    ...{ id: String(id), lease: String(lease), expiresAt: Number(expiresAt) },
    ...{ isExpired: Number(expired) === 1, tasks: JSON.parse(String(tasks)) as TaskKey[] },
  }
}
