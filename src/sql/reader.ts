/** The reading side of a log. */
import { randomId } from '../core/random-id.ts'
import { utf8Length } from '../encoding/utf8-length.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { type Batch, cursorAfter, isEmptyBatch, type Reset } from '../streams/log/batch.ts'
import type { Cursor } from '../streams/log/cursor.ts'
import type { ReadFilter } from '../streams/log/read-filter.ts'
import { type EventLogReadOptions, requireReadOptions } from '../streams/log/read-options.ts'
import {
  emptyBatch,
  type FetchPiece,
  type Piece,
  readPage,
  type SizedEvent,
} from '../streams/log/read-page.ts'
import type { SqlRow } from './database.ts'
import type { NewestOptions, NewestTasks, NumberedEvent } from './newest-page.ts'
import { bind, type Values } from './operations.ts'
import type { Settings } from './options.ts'
import { SqlStoreError } from './sql-store-error.ts'
import { statements } from './statements.ts'

type Part = Batch<ContextAnyEvent> | Reset<ContextAnyEvent>

export class Reader {
  readonly #settings: Settings
  /** Pages that are about to be read: who wants the same one gets it. */
  readonly #pages = new Map<string, Promise<Piece>>()

  constructor(settings: Settings) {
    this.#settings = settings
  }

  async read(
    cursor: Cursor | string | null | undefined,
    options?: EventLogReadOptions<ContextAnyEvent>,
  ): Promise<Part> {
    const { filter, wait, signal, maxBytes } = requireReadOptions(options)
    if (!wait) return this.#page(cursor, filter, maxBytes)
    const watch = this.#settings.changes.watch(this.#settings.name, false)
    try {
      for (let at = cursor; ; ) {
        watch.reset()
        const part = await this.#page(at, filter, maxBytes)
        if (part.type === 'reset' || !isEmptyBatch(part)) return part
        const end = cursorAfter(part)
        if (signal?.aborted === true || !(await watch.changed(signal))) return emptyBatch(end)
        at = end
      }
    } finally {
      watch.end()
    }
  }

  /** Whether the stream exists. */
  async exists(): Promise<boolean> {
    const { database, connection, name } = this.#settings
    const [rows = []] = await connection.run([bind(statements[database.dialect].exists, { stream: name })])
    return rows.length > 0
  }

  #page(
    cursor: Cursor | string | null | undefined,
    filter: ReadFilter | undefined,
    maxBytes: number,
  ): Promise<Part> {
    return this.#settings.connection.inTime(() => readPage(cursor, filter, maxBytes, this.#fetch))
  }

  /** What is read is newer than each call that it answers. */
  readonly #fetch: FetchPiece = (at, maxBytes) => {
    const after = at?.seq ?? -1
    const key = `${after} ${maxBytes}`
    const known = this.#pages.get(key)
    if (known !== undefined) return known
    const begin = async (): Promise<Piece> => {
      // All that were woken ask in this turn.
      for (let turn = 0; turn < 8; turn++) await undefined
      this.#pages.delete(key)
      return this.#fetchNow(after, maxBytes)
    }
    const page = begin()
    this.#pages.set(key, page)
    return page
  }

  async #fetchNow(after: number, maxBytes: number): Promise<Piece> {
    const { changes, stream, name } = this.#settings
    const rows = await this.#rows('read', { after, max_bytes: maxBytes })
    const [row] = rows
    const [epoch, next, closed] = [String(row.epoch), Number(row.next), Number(row.closed) === 1]
    changes.note(name, { events: `${epoch} ${next} ${closed ? 1 : 0}` })
    const extent = { stream, epoch, earliest: Number(row.earliest), next, closed }
    return { extent, events: rows.flatMap(eventsIn) }
  }

  /** The rows of a statement about the stream: at least one. */
  async #rows(what: 'read' | 'newest', given: Values): Promise<readonly [SqlRow, ...SqlRow[]]> {
    const { database, connection, stream, name } = this.#settings
    const all = statements[database.dialect]
    const values = { ...given, stream: name, new_epoch: randomId() }
    let [rows = []] = await connection.run([bind(all[what], values)])
    // The server was started since the last operation: it may have lost events.
    if (rows[0] !== undefined && Number(rows[0].same) === 0)
      [, rows = []] = await connection.run([bind(all.identify, values), bind(all[what], values)])
    const [row, ...others] = rows
    if (row === undefined) throw new SqlStoreError('not-found', `The stream "${stream}" does not exist.`)
    return [row, ...others]
  }

  /** Finds the newest tasks. `undefined` if their ids are not unique in the stream: all of it must be read. */
  async newest({ events, before, withOpen }: NewestOptions): Promise<NewestTasks | undefined> {
    const rows = await this.#rows('newest', {
      ...{ events, before: before === undefined ? null : JSON.stringify(before) },
      with_open: withOpen ? 1 : 0,
    })
    const [{ epoch, next, earliest, upto, shared }] = rows
    if (Number(shared) > 0) return undefined
    const tasks = rows.flatMap(({ task }) => (task === null ? [] : [Number(task)]))
    const through = Number(next) - 1
    const since = Number(upto ?? -1) - events + 1
    return {
      ...{ epoch: String(epoch), through, since, isAll: since <= Number(earliest) },
      pages: this.#pagesOf(tasks, through),
    }
  }

  async *#pagesOf(tasks: readonly number[], through: number): AsyncGenerator<NumberedEvent[]> {
    const { database, connection, name } = this.#settings
    const values = { stream: name, tasks: JSON.stringify(tasks), through }
    let [after, limit] = [-1, MAX_ROWS / 8]
    for (;;) {
      const list = [bind(statements[database.dialect].readTasks, { ...values, after, limit })]
      const [rows = []] = await connection.run(list)
      const events = rows.flatMap((row) => eventsIn(row).map((each) => ({ ...each, seq: Number(row.seq) })))
      const last = events.at(-1)
      if (last === undefined) return
      yield events
      after = last.seq
      // As large as those before.
      const size = events.reduce((sum, { bytes }) => sum + bytes, 0) / events.length
      limit = Math.ceil(Math.min(MAX_ROWS, PAGE_BYTES / size))
    }
  }
}

/** How much of the events of tasks is read at a time. */
const PAGE_BYTES = 2 ** 20
const MAX_ROWS = 1024
/** The event of a row, with the parent of its task if it was known before. Trusted: it is not validated again. */
export function eventsIn({ event, bytes, parent }: SqlRow): SizedEvent[] {
  if (typeof event !== 'string') return []
  const value = JSON.parse(event) as ContextAnyEvent
  if (typeof parent !== 'string' || 'parentTaskId' in value) return [{ event: value, bytes: Number(bytes) }]
  const field = `,"parentTaskId":${parent}`
  return [
    {
      event: JSON.parse(`${event.slice(0, -1)}${field}}`) as ContextAnyEvent,
      bytes: Number(bytes) + utf8Length(field),
    },
  ]
}
