import type { ContextAnyEvent } from 'turnstream'
import {
  createTaskTree,
  emptyView,
  foldEvents,
  type HistoryPage,
  historyPage,
  type LeaseLog,
  makeBatch,
  requireEvent,
  requireReadOptions,
  requireSnapshotOptions,
  resolveCursor,
  type StateLog,
  snapshotEvents,
} from 'turnstream/streams'
import type { Database, Rows } from './database.ts'
import { expiredLeases, hold, release, renew, requireHeld, takeOver } from './leases.ts'

/** The log of a stream in a database. Each is a writer, and holds the tasks that it appends to by one lease. */
export function databaseLog(database: Database, stream: string, leaseMs = 15_000): StateLog & LeaseLog {
  const writer = crypto.randomUUID()
  const until = (): number => database.now() + leaseMs
  let isRenewing = false
  /** The ids of appends that may be stored or not: the same object, appended again, keeps its id. */
  const ids = new WeakMap<object, string>()

  /** @param isOwn - Whether an agent of this process has written it: then the lease of its task has to hold. */
  function add(rows: Rows, event: ContextAnyEvent, id: string, isOwn: boolean): number {
    const known = rows.appends.get(id)
    if (known !== undefined) return known
    if (rows.closed) throw new TypeError(`Cannot append to a closed log: ${stream}.`)
    if (isOwn) hold(rows.leases, writer, event, until())
    const tree = createTaskTree(undefined, rows.parents)
    const seq = rows.events.push(JSON.stringify(tree.stamp(event))) - 1
    rows.parents = tree.state
    rows.appends.set(id, seq)
    return seq
  }

  /** Writes what may begin a lease, and renews that until it is over. */
  async function writeHeld<T>(body: (rows: Rows) => T): Promise<T> {
    try {
      return await database.write(stream, body)
    } finally {
      keep()
    }
  }

  function keep(): void {
    if (isRenewing) return
    isRenewing = true
    setTimeout(async () => {
      isRenewing = false
      const renewed = database.write(stream, ({ leases }) => renew(leases, writer, until()))
      // If the database cannot be reached, the next time it may.
      if (await renewed.catch(() => true)) keep()
    }, leaseMs / 3).unref()
  }

  return {
    async append(event) {
      const checked = requireEvent(event)
      const id = ids.get(event) ?? crypto.randomUUID()
      ids.set(event, id)
      const position = await writeHeld((rows) => ({
        ...{ stream, epoch: rows.epoch, seq: add(rows, checked, id, true) },
      }))
      // It is stored: appended once more, the object is another event.
      ids.delete(event)
      return position
    },

    async read(cursor, options) {
      const { filter, wait, signal, maxBytes } = requireReadOptions(options)
      for (;;) {
        const [part, writes] = await database.read(stream, ({ epoch, events, closed, writes }) => {
          const extent = { stream, epoch, earliest: 0, next: events.length, closed }
          const after = resolveCursor(extent, cursor, filter)
          if (typeof after === 'object') return [after, writes]
          return [makeBatch(extent, after, pageOf(events, after + 1, maxBytes), filter), writes]
        })
        const isNew = part.type === 'reset' || part.through > part.after || part.closed
        if (isNew || !wait || signal?.aborted) return part
        await database.changed(stream, writes, signal)
      }
    },

    async snapshot(filter, options) {
      const { maxBytes } = requireSnapshotOptions(options)
      const [epoch, texts] = await database.read(stream, (rows) => [rows.epoch, [...rows.events]])
      const events = texts.map((text): ContextAnyEvent => JSON.parse(text))
      // What this reader is shown: of an item that a view has of all events, it gets nothing if a part is hidden.
      const shown = events.flatMap((event) => (filter === undefined ? event : (filter.apply(event) ?? [])))
      const view = foldEvents(emptyView, shown)
      const page: HistoryPage =
        maxBytes === undefined
          ? { events: snapshotEvents(view) }
          : historyPage(view, { maxBytes, limit: 1000 })
      return { epoch, through: events.length - 1, ...page }
    },

    close: () =>
      database.write(stream, (rows) => {
        rows.closed = true
      }),

    loadState: (known) =>
      database.read(stream, ({ state }) => (state.version === known ? { version: known } : state)),

    appendIf: (at, events, state, task) =>
      writeHeld((rows) => {
        if (rows.closed) throw new TypeError(`Cannot append to a closed log: ${stream}.`)
        if (task !== undefined) requireHeld(rows.leases, writer, task)
        const { epoch } = rows
        const isCurrent =
          at.epoch === epoch && at.next === rows.events.length && at.version === rows.state.version
        if (!isCurrent) return undefined
        for (const [n, event] of events.entries()) {
          add(rows, requireEvent(event), crypto.randomUUID(), task !== undefined && n === 0)
        }
        const version = `${Number(at.version) + 1}`
        rows.state = { version, state, through: { epoch, seq: rows.events.length - 1 } }
        return version
      }),

    async *changes(signal) {
      for (let writes = -1; !signal.aborted; ) {
        writes = await database.changed(stream, writes, signal)
        yield
      }
    },

    expiredLeases: () => database.read(stream, ({ leases }) => expiredLeases(leases, writer, database.now())),

    takeOver: (lease) => writeHeld(({ leases }) => takeOver(leases, writer, lease, until())),

    release: (tasks) => database.write(stream, ({ leases }) => release(leases, writer, tasks)),
  }
}

/** The events from a number on, up to a size; at least one. */
function pageOf(events: readonly string[], from: number, maxBytes: number): ContextAnyEvent[] {
  let [end, bytes] = [from, 0]
  for (; end < events.length; end++) {
    bytes += Buffer.byteLength(events[end] ?? '')
    if (end > from && bytes > maxBytes) break
  }
  return events.slice(from, end).map((text) => JSON.parse(text))
}
