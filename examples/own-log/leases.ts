/** Who works on which tasks of a stream. Each function runs in a transaction. */
import { type ContextAnyEvent, isTaskEnd } from 'turnstream'
import type { TaskName } from 'turnstream/server'
import type { ExpiredLease } from 'turnstream/streams'

/** The row of a writer. */
export interface Lease {
  /** The tasks that it holds, and those that another writer has taken over from it: see {@link keyOf}. */
  readonly held: Set<string>
  readonly lost: Set<string>
  expiresAt: number
  /** New with each change: a take-over compares it. */
  version: number
}

export type Leases = Map<string, Lease>

const keyOf = ({ contextId, taskId }: TaskName): string => JSON.stringify([contextId, taskId])

function leaseOf(leases: Leases, writer: string): Lease {
  const lease = leases.get(writer) ?? { held: new Set(), lost: new Set(), expiresAt: 0, version: 0 }
  leases.set(writer, lease)
  lease.version++
  return lease
}

/** Throws if another writer has taken the task over. */
export function requireHeld(leases: Leases, writer: string, task: TaskName): void {
  if (leases.get(writer)?.lost.has(keyOf(task)) !== true) return
  const message = `Another process has taken over the task "${task.taskId}".`
  throw Object.assign(new Error(message), { code: 'lease-lost' })
}

/** Notes that a writer appends an event: it holds the task until it ends, whoever ends it. Throws like {@link requireHeld}. */
export function hold(leases: Leases, writer: string, event: ContextAnyEvent, until: number): void {
  requireHeld(leases, writer, event)
  if (isTaskEnd(event)) for (const { held } of leases.values()) held.delete(keyOf(event))
  else Object.assign(leaseOf(leases, writer), { expiresAt: until }).held.add(keyOf(event))
}

/** Renews the lease of a writer. Returns whether it has one. */
export function renew(leases: Leases, writer: string, until: number): boolean {
  if (!leases.get(writer)?.held.size) return false
  leaseOf(leases, writer).expiresAt = until
  return true
}

/** The leases of others that have expired, without the tasks that a lease holds as well which has not. */
export function expiredLeases(leases: Leases, writer: string, now: number): ExpiredLease[] {
  const isExpired = ([name, lease]: [string, Lease]): boolean => name !== writer && lease.expiresAt <= now
  const all = [...leases].filter(([, { held }]) => held.size > 0)
  const live = new Set(all.filter((each) => !isExpired(each)).flatMap(([, { held }]) => [...held]))
  return all.filter(isExpired).map(([name, { held, expiresAt, version }]) => ({
    id: JSON.stringify([name, version]),
    tasks: [...held]
      .filter((key) => !live.has(key))
      .map((key) => {
        const [contextId, taskId] = JSON.parse(key)
        return { contextId, taskId }
      }),
    expiredAt: new Date(expiresAt).toISOString(),
  }))
}

/** Gives the tasks of a lease to a writer, unless the lease has changed since it was found. */
export function takeOver(
  leases: Leases,
  writer: string,
  { id, tasks }: ExpiredLease,
  until: number,
): boolean {
  const [name, version] = JSON.parse(id)
  if (leases.get(name)?.version !== version) return false
  const [from, to] = [leaseOf(leases, name), leaseOf(leases, writer)]
  for (const key of tasks.map(keyOf)) {
    from.held.delete(key)
    from.lost.add(key)
    to.held.add(key)
    to.lost.delete(key)
  }
  to.expiresAt = until
  return true
}

/** Gives tasks back: who appends to one of them holds it again. */
export function release(leases: Leases, writer: string, tasks?: readonly TaskName[]): void {
  const { held, lost } = leaseOf(leases, writer)
  for (const key of tasks?.map(keyOf) ?? [...held, ...lost]) {
    held.delete(key)
    lost.delete(key)
  }
}
