/** Saying the same with fewer events. */
import type { ContextAnyEvent } from '../../events/event.ts'
import { Merging } from './delta-merger.ts'
import { SeriesReader } from './series-tracker.ts'

/**
 * Merges adjacent deltas: of a text, of a thought, of a tool's arguments, and chunks of a file or a
 * dataset. The merged event covers `index` to `indexEnd`; its `timestamp` is that of the first, and
 * `timestampEnd` that of the last where they differ.
 *
 * - what the events amount to stays the same: `fold(compact(x)) = fold(x)`, also where `x` is not legal
 * - what is legal stays legal
 * - doing it twice changes nothing
 * - events that are not merged are the events that came in; order stays
 *
 * Events are merged only where nothing is lost: same context, task, parent and path, indexes that follow
 * one another, and no field this version does not know. Repeated and missing deltas stay as they are.
 * Chunks of Base64 are decoded and encoded anew; where the first chunk is not among the events, and so
 * nobody knows the encoding, chunks are merged only if that is right for both.
 *
 * Works on any stretch of a stream, such as one batch; never merge across the boundary of what is
 * delivered at once, or a reader that comes back gets a text twice.
 *
 * @example
 * ```ts
 * const short = compact(events)
 * ```
 */
export function compact(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const merged: ContextAnyEvent[] = []
  const reader = new SeriesReader()
  let merging: Merging | undefined
  for (const event of events) {
    const placed = reader.read(event)
    if (placed !== undefined && merging?.take(placed)) continue
    if (merging !== undefined) merged.push(merging.event)
    merging = placed && new Merging(placed.event)
    if (placed === undefined) merged.push(event)
  }
  if (merging !== undefined) merged.push(merging.event)
  return merged
}
