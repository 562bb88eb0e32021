/** What machines store of a stream: entries of maps that are bounded. */

import { type BoundedMap, boundedSet } from '../../core/bounded-map/bounded-map.ts'
import type { StepBuilder } from '../../core/step-builder.ts'
import { MAX_ITEMS } from './limits.ts'

type Reporter = Pick<StepBuilder<unknown, unknown>, 'diagnostic'>

/** The map with an entry. Reports what is removed for it. */
export function stored<V>(
  writer: Reporter,
  map: BoundedMap<V>,
  key: string,
  value: V,
  what: string,
): BoundedMap<V> {
  const { map: next, hasEvicted } = boundedSet(map, key, value, MAX_ITEMS)
  if (hasEvicted) reportEvicted(writer, what)
  return next
}

/** Reports that entries were removed for others. */
export function reportEvicted(writer: Reporter, what: string): void {
  writer.diagnostic('state-evicted', `Removed ${what}, of more than ${MAX_ITEMS}.`)
}
