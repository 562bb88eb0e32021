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
import { bind } from './operations.ts'
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
    const { database, connection, changes, stream, name } = this.#settings
    const all = statements[database.dialect]
    const values = { stream: name, after, max_bytes: maxBytes, new_epoch: randomId() }
    let [rows = []] = await connection.run([bind(all.read, values)])
    // The server was started since the last operation: it may have lost events.
    if (rows[0] !== undefined && Number(rows[0].same) === 0)
      [, rows = []] = await connection.run([bind(all.identify, values), bind(all.read, values)])
    const [row] = rows
    if (row === undefined) throw new SqlStoreError('not-found', `The stream "${stream}" does not exist.`)
    const [epoch, next, closed] = [String(row.epoch), Number(row.next), Number(row.closed) === 1]
    changes.note(name, { events: `${epoch} ${next} ${closed ? 1 : 0}` })
    const extent = { stream, epoch, earliest: Number(row.earliest), next, closed }
    return { extent, events: rows.flatMap(eventsIn) }
  }
}

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
