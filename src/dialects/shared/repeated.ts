/** Deltas that were sent before. */

import type { StepBuilder } from '../../core/step-builder.ts'
import type { ContentDeltaEvent } from '../../events/content.ts'

/** Drops a delta whose text was sent before. One that only overlaps what was sent cannot be divided. */
export function dropRepeated<State, Out>(
  builder: StepBuilder<State, Out>,
  { kind, index, indexEnd = index }: Pick<ContentDeltaEvent, 'kind' | 'index' | 'indexEnd'>,
  expected: number,
): boolean {
  if (indexEnd >= expected) return false
  builder.dropped(kind, 'repeated', `Expected index ${expected}, got ${index}.`)
  return true
}
