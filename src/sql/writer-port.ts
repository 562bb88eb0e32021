/** How a writer stores in a SQL database. */
import { randomId } from '../core/random-id.ts'
import { expiredAmong, type LeaseHolder, leaseNamed } from '../streams/log/writer/lease-holder.ts'
import type { TaskKey } from '../streams/log/writer/open-tasks.ts'
import type {
  Appended,
  Fenced,
  LeaseToStore,
  StoredNumbers,
  WriterPort,
} from '../streams/log/writer/writer-port.ts'
import { readMilliseconds } from '../validation/callbacks.ts'
import { CHANNEL, payloadOf } from './changes.ts'
import type { SqlRow } from './database.ts'
import { EventParameters } from './events.ts'
import { bind, callOf, listOf, operations, type Values } from './operations.ts'
import type { Settings } from './options.ts'
import { SqlStoreError } from './sql-store-error.ts'
import { statements } from './statements.ts'

/** A port, and what else asks for the numbers of its writer. */
export interface SqlWriterPort extends WriterPort {
  /** Whether another writer has taken over what one holds. */
  fenced(writer: string): Promise<Fenced | undefined>
}

/** @param hasFunctions - Whether Postgres has the functions. */
export function sqlWriterPort(
  settings: Settings,
  hasFunctions: boolean,
  read: WriterPort['read'],
): SqlWriterPort {
  const { database, stream, name, leaseMs, connection, changes } = settings
  const { dialect } = database
  const all = statements[dialect]
  const parameters = new EventParameters()
  /** That of the last batch. What is in doubt later has no lower number. */
  let floor = 0

  const common = (writer: string): Values => ({
    ...{ stream: name, writer, new_epoch: randomId(), channel: CHANNEL, payload: payloadOf(name), floor },
    now: settings.now === undefined ? null : readMilliseconds(settings.now),
  })
  const held = ({ writer, state, tasks }: LeaseToStore): Values => ({
    state,
    tasks: tasks(),
    lease_ms: leaseMs,
    writer,
  })

  function requireRow(rows: readonly SqlRow[] | undefined): SqlRow {
    const row = rows?.[0]
    if (row !== undefined) return row
    throw new SqlStoreError(
      'refused',
      `Expected the stream "${stream}" in the database, got none: it was deleted.`,
    )
  }

  return {
    inTime: connection.inTime,
    async append(batch) {
      const { lease, number, events } = batch
      ;({ floor } = batch)
      const { links, stored, ...given } = parameters.of(events, number)
      const values: Values = {
        ...common(lease.writer),
        ...{ ...given, number, count: events.length },
        ...held(lease),
        ...(lease.isStored && { tasks: null }),
      }
      const list = hasFunctions
        ? [callOf('append', values, links)]
        : listOf(dialect, operations.append, values, links)
      const rows = (await connection.run(list)).at(-1) ?? []
      const row = requireRow(rows)
      const numbers = numbersIn(row, rows)
      changes.changedHere(name)
      const outcome = outcomeOf(row, numbers, number, events.length)
      if (outcome === 'fenced') return fencedIn(row, numbers)
      if (outcome === 'appended') stored()
      return { ...numbers, outcome }
    },
    async renew(lease) {
      const values = { ...common(lease.writer), ...held(lease) }
      const [, rows] = await connection.run([bind(all.hold, values), bind(all.numbers, values)])
      const row = requireRow(rows)
      const numbers = numbersIn(row, rows ?? [])
      if (row.state === 'fenced') return fencedIn(row, numbers)
      return { outcome: Number(row.closed) === 1 ? 'closed' : 'renewed', epoch: numbers.epoch }
    },
    async takeOver(lease, own) {
      const [other, expires] = leaseNamed(lease.id)
      const values = { ...common(own.writer), ...held(own), other, expires: Number(expires) }
      const steps = [all.lock, all.fence, all.inherit, all.taken, all.numbers]
      const results = await connection.run(steps.map((text) => bind(text, values)))
      const [[taken] = [], rows = []] = results.slice(-2)
      const row = requireRow(rows)
      const numbers = numbersIn(row, rows)
      if (row.state === 'fenced') return fencedIn(row, numbers)
      return { outcome: Number(taken?.taken) === 1 ? 'taken' : 'gone', epoch: numbers.epoch }
    },
    async expiredLeases(writer) {
      const [rows = []] = await connection.run([bind(all.leases, common(writer))])
      return expiredAmong(rows.map(holderIn), writer)
    },
    async close() {
      const values = common('')
      const list = [bind(all.close, values)]
      if (dialect === 'postgres') list.push(bind(all.notify, values))
      await connection.run(list)
      changes.changedHere(name)
    },
    async fenced(writer) {
      const [rows = []] = await connection.run([bind(all.numbers, common(writer))])
      const row = requireRow(rows)
      return row.state === 'fenced' ? fencedIn(row, numbersIn(row, rows)) : undefined
    },
    read,
    leaseLost: (message) => new SqlStoreError('lease-lost', message),
  }
}

function outcomeOf(
  { state, closed }: SqlRow,
  { ranges }: StoredNumbers,
  number: number,
  count: number,
): Appended['outcome'] {
  const stored = ranges.reduce((sum, range) => {
    const [from, end] = [Math.max(range.from, number), Math.min(range.from + range.count, number + count)]
    return sum + Math.max(0, end - from)
  }, 0)
  if (stored === count) return 'appended'
  if (state === 'fenced') return 'fenced'
  return Number(closed) === 1 ? 'closed' : 'late'
}

function numbersIn(row: SqlRow, rows: readonly SqlRow[]): StoredNumbers {
  const ranges = rows.flatMap(({ number, seq, count }) =>
    number === null || number === undefined
      ? []
      : [{ from: Number(number), seq: Number(seq), count: Number(count) }],
  )
  return { epoch: String(row.epoch), last: Number(row.last), ranges }
}

function fencedIn({ tasks }: SqlRow, numbers: StoredNumbers): Fenced {
  return { ...numbers, outcome: 'fenced', tasks: JSON.parse(String(tasks)) as TaskKey[] }
}

function holderIn({ name, expires_at, tasks, expired }: SqlRow): LeaseHolder {
  return {
    ...{ id: String(name), lease: String(expires_at), expiresAt: Number(expires_at) },
    ...{ isExpired: Number(expired) === 1, tasks: JSON.parse(String(tasks)) as TaskKey[] },
  }
}
