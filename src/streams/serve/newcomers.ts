/** What readers without a cursor get of a long stream: the state of its newest tasks, instead of all events. */
import { utf8Length } from '../../encoding/utf8-length.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { type Batch, cursorAfter, isEmptyBatch, type Reset } from '../log/batch.ts'
import type { EventLog } from '../log/event-log.ts'
import type { ReadFilter } from '../log/read-filter.ts'
import { withSnapshot } from '../log/reset-snapshot.ts'
import type { EncodeBatchOptions } from '../log/wire/encode-batch.ts'
import { encodeReset } from '../log/wire/encode-reset.ts'
import { foldEvents } from '../view/fold/fold.ts'
import { newestTasks } from '../view/snapshot/history-page.ts'
import { emptyView } from '../view/view.ts'

/** A stream of more bytes than this, or than one page, is long: a shorter one costs less as it is. */
const SHORT_BYTES = 2 ** 15
/** How large the events are at most; a task that is larger comes alone. */
const MAX_BYTES = 2 ** 20
/** How long it is given to other readers too: many come at about the same time, as after a restart. */
const RECENT_MS = 1000

type Part = Batch | Reset

interface Made {
  readonly at: number
  readonly epoch: string
  readonly reset: Promise<Reset>
}

/** The newcomers of one stream. Those who see the same share what they get, and its bytes. */
export class Newcomers {
  readonly #log: EventLog
  readonly #made = new WeakMap<ReadFilter, Made>()
  /** The bytes of what was made, by profile. */
  readonly #bytes = new WeakMap<Reset, Map<string, readonly Uint8Array[]>>()

  constructor(log: EventLog) {
    this.#log = log
  }

  /** What a reader gets for the first part of the log: the part itself if the stream is short, or has no snapshot. */
  async first(part: Part, filter: ReadFilter): Promise<Part> {
    if (part.type === 'batch' && !(await this.#isLong(part, filter))) return part
    const known = this.#made.get(filter)
    const isRecent = known?.epoch === part.epoch && performance.now() - known.at < RECENT_MS
    const made = isRecent ? known : this.#make(part, filter)
    const reset = await made.reset
    return part.type === 'batch' && reset.events === undefined ? part : reset
  }

  /** The bytes of what {@link first} has made; `undefined` for any other part. */
  bytesOf(part: Part, encoding: EncodeBatchOptions): readonly Uint8Array[] | undefined {
    const known = part.type === 'reset' ? this.#bytes.get(part) : undefined
    if (known === undefined) return undefined
    const { profile = 'named' } = encoding
    const bytes = known.get(profile) ?? [...encodeReset(part as Reset, encoding)].map(encode)
    known.set(profile, bytes)
    return bytes
  }

  /** Whether a stream has more than fits in its first part, or that is large. */
  async #isLong(first: Batch, filter: ReadFilter): Promise<boolean> {
    let part: Part = first
    while (part.type === 'batch' && !isEmptyBatch(part) && part.closed !== true) {
      const size = part.events.length === 0 ? 0 : utf8Length(JSON.stringify(part.events))
      if (part === first ? size > SHORT_BYTES : size > 0) return true
      part = await this.#log.read(cursorAfter(part), { filter })
    }
    return part.type === 'reset'
  }

  #make({ stream, epoch, through, ...part }: Part, filter: ReadFilter): Made {
    const earliest = part.type === 'reset' ? part.earliest : 0
    const head: Reset = {
      ...{ type: 'reset', reason: 'evicted', stream, epoch, filter: filter.id, through, earliest },
    }
    const reset = withSnapshot(head, this.#log, filter).then((whole) => {
      const newest = whole.events === undefined ? whole : { ...whole, ...withinLimit(whole.events) }
      this.#bytes.set(newest, new Map())
      return newest
    })
    const made = { at: performance.now(), epoch, reset }
    this.#made.set(filter, made)
    reset.catch(() => this.#made.delete(filter))
    return made
  }
}

/** The events of the newest tasks, and where older ones end. */
function withinLimit(events: readonly ContextAnyEvent[]): Pick<Reset, 'events' | 'older'> {
  if (utf8Length(JSON.stringify(events)) <= MAX_BYTES) return { events }
  return newestTasks(foldEvents(emptyView, events), MAX_BYTES)
}

const encoder = new TextEncoder()
const encode = (text: string): Uint8Array => encoder.encode(text)
