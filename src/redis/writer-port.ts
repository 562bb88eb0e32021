/** How a writer stores in Redis. */
import type { ExpiredLease } from '../streams/log/lease-log.ts'
import { leaseNamed } from '../streams/log/writer/lease-holder.ts'
import type { TaskKey } from '../streams/log/writer/open-tasks.ts'
import type {
  Fenced,
  LeaseToStore,
  NumberRange,
  StoredNumbers,
  WriterPort,
} from '../streams/log/writer/writer-port.ts'
import type { LeaseIndex } from './lease-index.ts'
import { expiredLeases } from './leases.ts'
import type { Operations } from './operations.ts'
import { limitsOf, type Settings } from './options.ts'
import { parentLines } from './parent-lines.ts'
import { RedisLogError } from './redis-log-error.ts'

export function redisWriterPort(
  { stream, leaseMs, limits }: Settings,
  operations: Operations,
  index: LeaseIndex,
  { read, makeRoom }: Pick<WriterPort, 'read' | 'makeRoom'>,
): WriterPort {
  /** The writer whose lease the index has, until when, and the epoch of the stream then; unset before the first answer. */
  let noted: { readonly writer: string; readonly until: number; readonly epoch?: string } | undefined

  /** Has the index look at the lease when it may expire: before it begins, and again if the index may have lost it. */
  async function note(writer: string, epoch?: string): Promise<void> {
    const until = performance.now() + leaseMs
    await index.note(stream, leaseMs)
    noted = { writer, until, ...(epoch !== undefined && { epoch }) }
  }

  /** An epoch begins when Redis has lost something. An operation that takes long may begin a lease after the look. */
  async function noteIn(epoch: string): Promise<void> {
    if (noted === undefined) return
    const isKnown = performance.now() < noted.until && (noted.epoch ?? epoch) === epoch
    if (isKnown) noted = { ...noted, epoch }
    else await note(noted.writer, epoch)
  }

  return {
    inTime: operations.inTime,
    async append({ lease, number, floor, events }) {
      const { writer, state } = lease
      if (state === 'open' && noted?.writer !== writer) await note(writer)
      const append = (tasks: string): Promise<readonly unknown[]> =>
        operations.run(
          'append',
          ...[writer, number, state, leaseMs, tasks, lease.epoch, floor],
          ...limitsOf(limits),
          ...events.flatMap(({ json, event }) => [json, parentLines(event)]),
        )
      let reply = await append(lease.isStored ? '' : lease.tasks())
      await noteIn(String(reply[1]))
      // A Redis that has lost something may have lost the tasks.
      if (reply[0] === 'tasks-needed') reply = await append(lease.tasks())
      const [outcome, , , , needed] = reply
      if (outcome === 'fenced') return fencedIn(reply)
      if (state === 'idle') noted = undefined
      return {
        ...storedIn(reply),
        outcome: outcome as 'appended' | 'late' | 'closed',
        isFull: Number(needed) === 1,
      }
    },
    async renew({ writer, state, tasks, epoch: known }) {
      if (state === 'open') await note(writer)
      const reply = await operations.run('renew', writer, leaseMs, tasks(), state, known)
      const [outcome, epoch] = reply
      if (outcome === 'renewed') await noteIn(String(epoch))
      if (state === 'idle') noted = undefined
      return outcome === 'fenced'
        ? fencedIn(reply)
        : { outcome: outcome as 'closed' | 'renewed', epoch: String(epoch) }
    },
    async takeOver(lease: ExpiredLease, own: LeaseToStore) {
      await note(own.writer)
      const reply = await operations.run(
        'takeOver',
        ...leaseNamed(lease.id),
        own.writer,
        leaseMs,
        own.tasks(),
        own.epoch,
      )
      const [outcome, epoch] = reply
      if (outcome === 'taken') await noteIn(String(epoch))
      return outcome === 'fenced'
        ? fencedIn(reply)
        : { outcome: outcome as 'gone' | 'taken', epoch: String(epoch) }
    },
    expiredLeases: (writer) => expiredLeases({ stream, leaseMs }, writer, operations, index),
    close: () => operations.run('close'),
    read,
    ...(makeRoom && { makeRoom }),
    leaseLost: (message) => new RedisLogError('lease-lost', message),
  }
}

/** What an answer of the script states of a writer whose tasks another one has taken over. */
export function fencedIn(reply: readonly unknown[]): Fenced {
  return { ...storedIn(reply), outcome: 'fenced', tasks: JSON.parse(String(reply[5])) as TaskKey[] }
}

function storedIn([, epoch, last, ranges]: readonly unknown[]): StoredNumbers {
  return { epoch: String(epoch), last: Number(last), ranges: rangesIn(String(ranges)) }
}

/** Ranges as the script writes them: see there. */
function rangesIn(text: string): NumberRange[] {
  return text
    .split(',')
    .slice(0, -1)
    .map((range) => {
      const [from = 0, seq = 0, count = 0] = range.split(':').map(Number)
      return { from, seq, count }
    })
}
