/** The bytes of resets: made once for all readers that get the same events, as many come at about the same time. */
import type { Reset } from '../log/batch.ts'
import type { ReadFilter } from '../log/read-filter.ts'
import type { EncodeBatchOptions } from '../log/wire/encode-batch.ts'
import { encodeReset } from '../log/wire/encode-reset.ts'

/** Begins to read the chunks of a reset. */
type Read = () => Iterator<Uint8Array>

/** What was made, by the events, the filter, and what else a reset has. Kept as long as somebody has the events. */
const made: WeakMap<object, WeakMap<ReadFilter, Map<string, Read>>> = new WeakMap()

const encoder = new TextEncoder()

/**
 * The messages of a reset, one at a time.
 *
 * @param filter - Of the reader. It is applied to the events, also if they are what the reader sees.
 */
export function resetBytes(
  reset: Reset,
  encoding: EncodeBatchOptions,
  filter: ReadFilter,
): Iterator<Uint8Array> {
  const { events = [], ...head } = reset
  const byFilter = made.get(events) ?? new WeakMap<ReadFilter, Map<string, Read>>()
  const byHead = byFilter.get(filter) ?? new Map<string, Read>()
  made.set(events, byFilter.set(filter, byHead))
  const key = JSON.stringify([head, encoding])
  const read = byHead.get(key) ?? sharedChunks(encodeReset(reset, encoding, filter))
  byHead.set(key, read)
  return read()
}

/** Makes each chunk when the first reader comes to it. */
function sharedChunks(texts: Generator<string, void>): Read {
  const chunks: Uint8Array[] = []
  return function* () {
    for (let i = 0; ; i++) {
      if (i === chunks.length) {
        const { value } = texts.next()
        if (value === undefined) return
        chunks.push(encoder.encode(value))
      }
      yield chunks[i] as Uint8Array
    }
  }
}
