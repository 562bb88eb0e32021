/** The laws of logs with leases: one heir for what a stopped writer has left, and nothing of that writer after it. */
import type { ContextAnyEvent } from '../events/event.ts'
import type { EventLog, StateLog } from '../streams/log/event-log.ts'
import { type ExpiredLease, hasLeases, isLeaseLost, type LeaseLog } from '../streams/log/lease-log.ts'
import { expectEqual } from './expect-equal.ts'
import { isStateLog, type LawContext, type Laws } from './law.ts'
import { envelope, eventOf, readAll } from './sample-log.ts'

/** How often writers race, and with how many appends. */
const RACES = 10
const APPENDS = 8

export const leaseLaws: Laws = {
  async 'a lease that is not renewed expires, with the tasks that its writer has left open'(context) {
    const world = await worldOf(context, 3)
    if (world === undefined) return 'skipped'
    const { expire, logs } = world
    const [writer, other, heir] = logs as [LeaseLog, LeaseLog, LeaseLog]
    for (const taskId of ['left', 'ended', 'shared']) await writer.append(of(taskId))
    await writer.append(endOf('ended'))
    await other.append(of('shared'))
    expectEqual(await heir.expiredLeases(), [], 'the expired leases before one has expired')
    await expire(writer, other)
    await other.append(of('shared', 1))
    const leases = await heir.expiredLeases()
    expectEqual(leases.map(tasksIn), [['left']], 'the tasks of the expired leases')
    const [{ expiredAt, id }] = leases as [ExpiredLease]
    expectEqual([typeof id, Number.isNaN(Date.parse(expiredAt))], ['string', false], 'an id, and no time')
    expectEqual(await writer.expiredLeases(), [], 'the expired leases of others')
  },

  async 'of several heirs one takes a lease over, and the late writer is refused'(context) {
    const world = await worldOf(context, 4)
    if (world === undefined) return 'skipped'
    const { expire, logs } = world
    const [writer, ...heirs] = logs as [LeaseLog, ...LeaseLog[]]
    await writer.append(of('task'))
    await expire(writer)
    const leases = await Promise.all(heirs.map((heir) => leaseOf(heir, 'task')))
    const taken = await Promise.all(heirs.map((heir, n) => heir.takeOver(leases[n] as ExpiredLease)))
    expectEqual(taken.filter(Boolean).length, 1, 'the number of heirs')
    const heir = heirs[taken.indexOf(true)] as LeaseLog
    for (const other of heirs) {
      expectEqual(await other.expiredLeases(), [], 'the expired leases after that')
      // Whose answer was lost may ask again.
      if (other === heir) continue
      expectEqual(await other.takeOver(leases[0] as ExpiredLease), false, 'whether it is taken over again')
    }
    const late = of('task', 9)
    for (let attempt = 0; attempt < 2; attempt++) {
      expectEqual(await isRefused(writer, late), true, 'whether the late writer is refused')
    }
    const expected = [of('task'), of('task', 1), of('other')]
    await heir.append(of('task', 1))
    await writer.append(of('other'))
    expectEqual((await readAll(heir, undefined)).events, expected, 'the events')
  },

  async 'a lease that was renewed or given back is not taken over'(context) {
    const world = await worldOf(context, 2)
    if (world === undefined) return 'skipped'
    const { expire, logs } = world
    const [writer, heir] = logs as [LeaseLog, LeaseLog]
    await writer.append(of('task'))
    await expire(writer)
    const renewed = await leaseOf(heir, 'task')
    await writer.append(of('task', 1))
    expectEqual(await heir.takeOver(renewed), false, 'whether a renewed lease is taken over')
    await writer.append(of('task', 2))
    await expire(writer)
    const given = await leaseOf(heir, 'task')
    await writer.release([task('task')])
    expectEqual(await heir.takeOver(given), false, 'whether a lease that was given back is taken over')
    expectEqual(await heir.expiredLeases(), [], 'the expired leases, after it was given back')
    for (const each of [heir, writer]) await each.append(of('task', 3))
  },

  async 'what an heir holds expires again'(context) {
    const world = await worldOf(context, 3)
    if (world === undefined) return 'skipped'
    const { expire, logs } = world
    const [writer, heir, next] = logs as [LeaseLog, LeaseLog, LeaseLog]
    await writer.append(of('task'))
    await expire(writer)
    expectEqual(await heir.takeOver(await leaseOf(heir, 'task')), true, 'whether the heir has it')
    expectEqual(await next.expiredLeases(), [], 'the expired leases while the heir has it')
    await expire(writer, heir)
    expectEqual(await next.takeOver(await leaseOf(next, 'task')), true, 'whether the next heir has it')
    for (const late of [writer, heir]) {
      expectEqual(await isRefused(late, of('task', 9)), true, 'whether those before are refused')
    }
    await next.append(of('task', 1))
  },

  async 'a task that was given back is open to every writer'(context) {
    const world = await worldOf(context, 3)
    if (world === undefined) return 'skipped'
    const { expire, logs } = world
    const [writer, heir, other] = logs as [LeaseLog, LeaseLog, LeaseLog]
    for (const taskId of ['given', 'kept']) await writer.append(of(taskId))
    await expire(writer)
    expectEqual(await heir.takeOver(await leaseOf(heir, 'given')), true, 'whether the heir has it')
    await heir.release([task('given')])
    await expire(writer)
    expectEqual(await other.expiredLeases().then(named('given')), [], 'the leases of what was given back')
    await writer.release([task('given')])
    for (const each of [writer, other]) await each.append(of('given', 1))
    expectEqual(await isRefused(writer, of('kept', 9)), true, 'whether what the heir has kept is refused')
    await heir.release()
    await writer.release()
    await writer.append(of('kept', 1))
  },

  async 'nothing of a late writer follows what its heir has appended'(context) {
    const world = await worldOf(context, 0)
    if (world === undefined) return 'skipped'
    const { expire, open } = world
    for (let race = 0; race < RACES; race++) {
      const [writer, heir] = [await open(), await open()]
      const taskId = `task-${race}`
      await writer.append(of(taskId))
      await expire(writer)
      const lease = await leaseOf(heir, taskId)
      const late = Array.from({ length: APPENDS }, async (_, n) => {
        if (race % 2 === 1) await undefined
        return isRefused(writer, of(taskId, n + 1))
      })
      const isTaken = await heir.takeOver(lease)
      const { seq } = await heir.append(of(taskId, 100))
      const refused = await Promise.all(late)
      const { events, seqs } = await readAll(heir, undefined)
      const indexes = events.flatMap((event, n) =>
        event.taskId === taskId && (seqs[n] ?? 0) > seq && isTaken ? [Number(Object(event).index)] : [],
      )
      expectEqual(indexes, [], 'the events of the late writer after that of its heir')
      const stored = events.filter((event) => event.taskId === taskId).length - 2
      expectEqual(refused.filter((each) => !each).length, stored, 'the number of events that were accepted')
      if (isTaken) expectEqual(await isRefused(writer, of(taskId, 200)), true, 'whether it is refused')
    }
  },

  async 'appendIf is refused for a task that another writer has taken over'(context) {
    const world = await worldOf(context, 2)
    if (world === undefined) return 'skipped'
    const { expire, logs } = world
    if (!logs.every(isStateLog)) return 'skipped'
    const [writer, heir] = logs as [LeaseLog & StateLog, LeaseLog & StateLog]
    await writer.append(of('task'))
    await expire(writer)
    await heir.takeOver(await leaseOf(heir, 'task'))
    const { epoch } = await heir.read()
    const at = { epoch, next: 1, version: '0' }
    const refusing = writer.appendIf(at, [of('task', 9)], {}, task('task'))
    expectEqual(await refusing.then(() => false, isLeaseLost), true, 'whether the late writer is refused')
    // What follows from the command of a client, any process may append.
    const version = await writer.appendIf(at, [of('task', 1)], {})
    expectEqual(typeof version, 'string', 'the version after an event of no agent')
    const then = { epoch, next: 2, version: String(version) }
    expectEqual(
      typeof (await heir.appendIf(then, [of('task', 2)], {}, task('task'))),
      'string',
      'the version of the heir',
    )
    const expected = [0, 1, 2].map((index) => of('task', index))
    expectEqual((await readAll(heir, undefined)).events, expected, 'the events')
  },
}

interface World {
  readonly logs: readonly EventLog[]
  open(): Promise<LeaseLog>
  expire(...writers: LeaseLog[]): Promise<void>
}

/** Some writers of one stream. `undefined`: they have no leases, or nothing lets them expire. */
async function worldOf({ open, expireLeases }: LawContext, writers: number): Promise<World | undefined> {
  const first = await open()
  if (expireLeases === undefined || !hasLeases(first)) return undefined
  const logs: EventLog[] = [first]
  while (logs.length < writers) logs.push(await open())
  return {
    logs,
    open: open as () => Promise<LeaseLog>,
    expire: (...expired) => expireLeases(expired),
  }
}

const task = (taskId: string) => ({ contextId: envelope.contextId, taskId })
const of = (taskId: string, index: number = 0): ContextAnyEvent => ({ ...eventOf(index), taskId })

function endOf(taskId: string): ContextAnyEvent {
  return { kind: 'task-status', ...envelope, taskId, status: 'completed' }
}

function tasksIn({ tasks }: ExpiredLease): string[] {
  return tasks.map(({ taskId }) => taskId)
}

function named(taskId: string): (leases: readonly ExpiredLease[]) => readonly ExpiredLease[] {
  return (leases) => leases.filter((lease) => tasksIn(lease).includes(taskId))
}

/** The expired lease of a task. */
async function leaseOf(heir: LeaseLog, taskId: string): Promise<ExpiredLease> {
  const [lease] = named(taskId)(await heir.expiredLeases())
  if (lease === undefined) throw new Error(`Expected an expired lease of "${taskId}", got none.`)
  return lease
}

/** Whether an append is refused because another writer has the task. */
async function isRefused(log: LeaseLog, event: ContextAnyEvent): Promise<boolean> {
  try {
    await log.append(event)
    return false
  } catch (error) {
    if (!isLeaseLost(error)) throw error
    return true
  }
}
