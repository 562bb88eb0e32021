import type { ContextAnyEvent } from 'turnstream'
import {
  createTaskTree,
  emptyView,
  foldEvents,
  type HistoryPage,
  historyPage,
  makeBatch,
  requireEvent,
  requireReadOptions,
  requireSnapshotOptions,
  resolveCursor,
  type StateLog,
  snapshotEvents,
} from 'turnstream/streams'
import type { Database, Rows } from './database.ts'

/** The log of a stream in a database. */
export function databaseLog(database: Database, stream: string): StateLog {
  /** The ids of appends that may be stored or not: the same object, appended again, keeps its id. */
  const ids = new WeakMap<object, string>()

  function add(rows: Rows, event: ContextAnyEvent, id: string): number {
    const known = rows.appends.get(id)
    if (known !== undefined) return known
    if (rows.closed) throw new TypeError(`Cannot append to a closed log: ${stream}.`)
    const tree = createTaskTree(undefined, rows.parents)
    const seq = rows.events.push(JSON.stringify(tree.stamp(event))) - 1
    rows.parents = tree.state
    rows.appends.set(id, seq)
    return seq
  }

  return {
    async append(event) {
      const checked = requireEvent(event)
      const id = ids.get(event) ?? crypto.randomUUID()
      ids.set(event, id)
      const position = await database.write(stream, (rows) => ({
        ...{ stream, epoch: rows.epoch, seq: add(rows, checked, id) },
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

    appendIf: (at, events, state) =>
      database.write(stream, (rows) => {
        if (rows.closed) throw new TypeError(`Cannot append to a closed log: ${stream}.`)
        const { epoch } = rows
        const isCurrent =
          at.epoch === epoch && at.next === rows.events.length && at.version === rows.state.version
        if (!isCurrent) return undefined
        for (const event of events) add(rows, requireEvent(event), crypto.randomUUID())
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
