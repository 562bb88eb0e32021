/** Merging adjacent deltas of a stream. */

import { requireArray, requireEnvelope } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isDelta } from '../delta.ts'
import { DeltaMerger } from './delta-merger.ts'
import { SeriesTracker } from './series-tracker.ts'

/**
 * Merges adjacent deltas of a text, a thought or a tool's arguments, and adjacent chunks of a file or
 * dataset. The merged event covers `index` to `indexEnd`; its `timestamp` is that of the first event, and
 * `timestampEnd` that of the last if they differ.
 *
 * - The view stays the same: `fold(compact(x)) = fold(x)`, even if `x` breaks rules.
 * - A legal stream stays legal.
 * - Compacting twice changes nothing.
 * - Events that are not merged are the input objects; the order stays.
 *
 * Events are merged only if nothing is lost: they have the same context, task, parent and path, consecutive
 * indexes, and no unknown fields. Repeated deltas, and deltas after a gap, stay as they are. Chunks of
 * Base64 are decoded and encoded again; if the first chunk, and with it the encoding, is missing, chunks are
 * merged only if the result is right for text and for Base64.
 *
 * The input may be any part of a stream, such as one batch. Do not merge events of different batches: a
 * reader that resumes between them would receive text twice.
 *
 * @throws TypeError if `events` is not an array, or one of them is a draft, without `kind`, `contextId`, `taskId` or
 * `timestamp`.
 *
 * @example
 * ```ts
 * const compacted = compact(events)
 * ```
 */
export function compact(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  requireArray('events', events)
  const compacted: ContextAnyEvent[] = []
  const tracker = new SeriesTracker()
  let merger: DeltaMerger | undefined
  const flush = (): void => {
    if (merger !== undefined) compacted.push(merger.event)
    merger = undefined
  }
  for (const event of events) {
    requireEnvelope(event)
    if (isDelta(event)) {
      const encoding = tracker.advance(event)
      if (encoding !== undefined && merger?.tryMerge(event, encoding)) continue
      flush()
      if (encoding === undefined) compacted.push(event)
      else merger = new DeltaMerger(event)
    } else {
      flush()
      tracker.close(event)
      compacted.push(event)
    }
  }
  flush()
  return compacted
}
