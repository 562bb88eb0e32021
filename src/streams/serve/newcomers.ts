/** What readers without a cursor get of a long stream: the state of its newest tasks, instead of all events. */
import { utf8Length } from '../../encoding/utf8-length.ts'
import { type Batch, cursorAfter, isEmptyBatch, type Reset } from '../log/batch.ts'
import type { EventLog } from '../log/event-log.ts'
import type { ReadFilter } from '../log/read-filter.ts'
import { shareRecent } from '../log/recent.ts'
import { withSnapshot } from '../log/reset-snapshot.ts'
import { foldEvents } from '../view/fold/fold.ts'
import { newestTasks } from '../view/snapshot/history-page.ts'
import { emptyView } from '../view/view.ts'
import { newestSnapshot } from './newest-page.ts'

/** A stream of more bytes than this is long: a shorter one costs less as it is. */
const SHORT_BYTES = 2 ** 15
/** How large the events are at most; a task that is larger comes alone. */
const MAX_BYTES = 2 ** 20

type Part = Batch | Reset

/** The newcomers of one stream. Those who see the same share what they get. */
export class Newcomers {
  readonly #log: EventLog
  readonly #recent = new WeakMap<ReadFilter, Promise<unknown>>()

  constructor(log: EventLog) {
    this.#log = log
  }

  /** What a reader gets for the first part of the log: the part itself if the stream is short. */
  async first(part: Part, filter: ReadFilter): Promise<Part> {
    if (part.type === 'batch' && !(await this.#isLong(part, filter))) return part
    return shareRecent(this.#recent, filter, part, () => this.#merged(part, filter))
  }

  /** Whether a stream has more than a reader gets as it is. */
  async #isLong(first: Batch, filter: ReadFilter): Promise<boolean> {
    let part: Part = first
    for (let size = 0; part.type === 'batch'; part = await this.#log.read(cursorAfter(part), { filter })) {
      size += utf8Length(JSON.stringify(part.events))
      if (size > SHORT_BYTES) return true
      if (isEmptyBatch(part) || part.closed === true) return false
    }
    return true
  }

  /** What all events add up to for one reader: of a log that no longer has the first ones, its snapshot. */
  async #merged(first: Part, filter: ReadFilter): Promise<Reset> {
    const merged = await newestSnapshot(this.#log, filter, MAX_BYTES, first)
    if (!('type' in merged)) {
      const { stream } = first
      return { type: 'reset', reason: 'evicted', stream, filter: filter.id, earliest: 0, ...merged }
    }
    const whole = await withSnapshot(merged, this.#log, filter, true, { maxBytes: MAX_BYTES })
    return whole.events === undefined
      ? whole
      : { ...whole, ...newestTasks(foldEvents(emptyView, whole.events), MAX_BYTES) }
  }
}
