/** The leases of a stream: which of them have expired. */
import type { ExpiredLease } from '../streams/log/lease-log.ts'
import { expiredAmong, type LeaseHolder } from '../streams/log/writer/lease-holder.ts'
import type { TaskKey } from '../streams/log/writer/open-tasks.ts'
import type { LeaseIndex } from './lease-index.ts'
import type { Operations } from './operations.ts'
import type { Settings } from './options.ts'

/** The leases that have expired, but for that of a writer itself. */
export async function expiredLeases(
  { stream, leaseMs }: Pick<Settings, 'stream' | 'leaseMs'>,
  own: string,
  operations: Operations,
  index: LeaseIndex,
): Promise<ExpiredLease[]> {
  const entry = await index.entry(stream)
  const holders = (await operations.run('leases')).map(holderIn)
  const expired = expiredAmong(holders, own)
  if (expired.length === 0) {
    const next = holders.map(({ expiresAt }) => expiresAt)
    await index.checked(stream, entry, next.length === 0 ? undefined : Math.min(...next), leaseMs)
  }
  return expired
}

function holderIn(reply: unknown): LeaseHolder {
  const [id, lease, expiresAt, expired, tasks] = reply as readonly unknown[]
  return {
    ...{ id: String(id), lease: String(lease), expiresAt: Number(expiresAt) },
    ...{ isExpired: Number(expired) === 1, tasks: JSON.parse(String(tasks)) as TaskKey[] },
  }
}
