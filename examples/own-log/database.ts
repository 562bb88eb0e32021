/** Stands for a database: what it does in one call is atomic, and whoever listens learns of changes. */
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { StoredState, TaskTreeState } from 'turnstream/streams'
import type { Leases } from './leases.ts'

/** The rows of one stream. */
export interface Rows {
  /** New whenever events may have been lost, such as after a backup was restored. */
  readonly epoch: string
  /** Each event as JSON; its number is its place. */
  readonly events: string[]
  /** The number of the event that an append has stored, by the id of the append. */
  readonly appends: Map<string, number>
  readonly leases: Leases
  parents: TaskTreeState
  closed: boolean
  state: StoredState
  /** How often they were written. */
  writes: number
}

export class Database {
  readonly #streams = new Map<string, Rows>()
  readonly #news = new EventTarget()

  /** The clock of all processes. */
  now(): number {
    return Date.now()
  }

  async streams(): Promise<readonly string[]> {
    return [...this.#streams.keys()]
  }

  async read<T>(stream: string, body: (rows: Rows) => T): Promise<T> {
    await setImmediate()
    return body(this.#rowsOf(stream))
  }

  async write<T>(stream: string, body: (rows: Rows) => T): Promise<T> {
    await setImmediate()
    const rows = this.#rowsOf(stream)
    const result = body(rows)
    rows.writes++
    this.#news.dispatchEvent(new Event(stream))
    return result
  }

  /** Resolves once the rows were written since, to how often they were, or when the signal is aborted. */
  async changed(stream: string, since: number, signal: AbortSignal | undefined): Promise<number> {
    const rows = this.#rowsOf(stream)
    if (rows.writes === since) await once(this.#news, stream, signal && { signal }).catch(() => undefined)
    return rows.writes
  }

  #rowsOf(stream: string): Rows {
    const rows = this.#streams.get(stream) ?? {
      ...{ epoch: crypto.randomUUID(), events: [], appends: new Map(), leases: new Map() },
      ...{ closed: false, writes: 0 },
      ...{ parents: { newer: [], older: [] }, state: { version: '0' } },
    }
    this.#streams.set(stream, rows)
    return rows
  }
}
