/** A log with a state and leases, in memory, and what it can do wrong. */

import type { ContextAnyEvent } from 'turnstream'
import { isTaskEnd } from 'turnstream'
import type { TaskName } from 'turnstream/server'
import type { EventLog, LeaseLog, StateLog } from 'turnstream/streams'
import { pause } from '../../src/core/timer.ts'
import type { Opener } from './broken-logs.ts'
import { stateLog } from './state-log.ts'

/** What a {@link leaseLog} does wrong. */
export type LeaseFault =
  | 'leases that never expire'
  | 'leases that expire at once'
  | 'leases that keep ended tasks'
  | 'leases of tasks that others hold'
  | 'leases that name their own writer'
  | 'several heirs'
  | 'an heir that is refused'
  | 'a late writer'
  | 'a late writer that is refused once'
  | 'a writer that loses all its tasks'
  | 'a lease that is taken over though it was renewed'
  | 'a lease that is taken over though it was given back'
  | 'an heir that holds its tasks for ever'
  | 'tasks that cannot be given back'
  | 'a loss that is for ever'
  | 'a fence that is checked too early'
  | 'a state without a fence'
  | 'a fence for commands'

const LEASE_MS = 100

interface Holder {
  readonly tasks: Set<string>
  readonly lost: Set<string>
  expiresAt: number
  version: number
}

/** What the writers of one stream share. */
class World {
  ms = 0
  readonly log: StateLog
  readonly holders: Holder[] = []
  constructor(stream: string) {
    this.log = stateLog(stream)
  }
}

const worlds = new WeakMap<EventLog, World>()

/** Opens logs with leases: those of one name share a world. */
export function leaseLogs(fault?: LeaseFault): Opener {
  const known = new Map<string, World>()
  return {
    open(stream) {
      const world = known.get(stream) ?? new World(stream)
      known.set(stream, world)
      const log = leaseLog(world, fault)
      worlds.set(log, world)
      return log
    },
    expireLeases(writers) {
      for (const world of new Set(writers.map((writer) => worlds.get(writer)))) {
        if (world !== undefined) world.ms += 2 * LEASE_MS
      }
    },
  }
}

const keyOf = ({ contextId, taskId }: TaskName): string => JSON.stringify([contextId, taskId])

function leaseLog(world: World, fault: LeaseFault | undefined): StateLog & LeaseLog {
  const { log, holders } = world
  const own: Holder = { tasks: new Set(), lost: new Set(), expiresAt: 0, version: 0 }
  const id = holders.push(own) - 1
  const is = (other: LeaseFault): boolean => fault === other

  const hold = (...tasks: readonly string[]): void => {
    for (const task of tasks) own.tasks.add(task)
    own.expiresAt = world.ms + (is('leases that expire at once') ? 0 : LEASE_MS)
    own.version++
  }
  const isExpired = ({ expiresAt }: Holder): boolean =>
    expiresAt <= world.ms && !is('leases that never expire')
  const requireHeld = (task: TaskName): void => {
    const key = keyOf(task)
    if (!own.lost.has(key) && !(is('a writer that loses all its tasks') && own.lost.size > 0)) return
    if (is('a late writer')) return
    if (is('a late writer that is refused once')) own.lost.delete(key)
    throw Object.assign(new Error('The lease is lost.'), { code: 'lease-lost' })
  }

  return {
    ...log,
    async append(event: ContextAnyEvent) {
      const mayBeLate = own.tasks.size > 0 && isExpired(own)
      requireHeld(event)
      // The lease is taken over meanwhile.
      if (mayBeLate && is('a fence that is checked too early')) await pause(5)
      const key = keyOf(event)
      if (!isTaskEnd(event)) hold(key)
      else if (!is('leases that keep ended tasks')) for (const { tasks } of holders) tasks.delete(key)
      return log.append(event)
    },
    async appendIf(at, events, state, task) {
      if (task !== undefined && !is('a state without a fence')) requireHeld(task)
      if (task === undefined && is('a fence for commands')) for (const event of events) requireHeld(event)
      return log.appendIf(at, events, state)
    },
    async expiredLeases() {
      const expired = holders.filter(
        (each) =>
          (each !== own || is('leases that name their own writer')) && isExpired(each) && each.tasks.size > 0,
      )
      const live = new Set(holders.filter((each) => !isExpired(each)).flatMap(({ tasks }) => [...tasks]))
      if (is('leases of tasks that others hold')) live.clear()
      return expired.map((each) => ({
        id: JSON.stringify([holders.indexOf(each), each.version]),
        tasks: [...each.tasks]
          .filter((task) => !live.has(task))
          .map((task) => {
            const [contextId, taskId] = JSON.parse(task)
            return { contextId, taskId }
          }),
        expiredAt: new Date(each.expiresAt).toISOString(),
      }))
    },
    async takeOver(lease) {
      const [index, version] = JSON.parse(lease.id)
      const from = holders[index] as Holder
      const isGiven = from.tasks.size === 0
      const mayBeLate =
        is('several heirs') ||
        (isGiven
          ? is('a lease that is taken over though it was given back') && own.lost.size === 0
          : is('a lease that is taken over though it was renewed'))
      if (from.version !== version && !mayBeLate) return false
      const tasks = isGiven ? lease.tasks.map(keyOf) : [...from.tasks]
      for (const task of tasks) from.lost.add(task)
      for (const task of tasks) own.lost.delete(task)
      from.tasks.clear()
      from.version++
      if (is('an heir that is refused')) for (const task of tasks) own.lost.add(task)
      if (!is('an heir that holds its tasks for ever')) hold(...tasks)
      return index !== id
    },
    async release(tasks) {
      const keys = tasks?.map(keyOf) ?? [...own.tasks, ...own.lost]
      if (is('tasks that cannot be given back')) return
      for (const key of keys) {
        own.tasks.delete(key)
        if (!is('a loss that is for ever')) own.lost.delete(key)
      }
      own.version++
    },
  }
}
