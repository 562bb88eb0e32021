/** The index of a delta that stands for several. */

import type { StreamedPart } from '../parts.ts'

/**
 * The indexes of one delta for all that a part has received. It covers one index at least; of a part with a gap it is not
 * the next one, so that folding finds the gap again.
 *
 * @param next - The index that follows what was written before.
 */
export function rangeOf(
  { nextIndex, hasGap }: StreamedPart,
  next: number = 0,
): { readonly index: number; readonly indexEnd?: number } {
  const end = Math.max(hasGap ? 1 : 0, next, (nextIndex ?? next + 1) - 1)
  if (hasGap || end === next) return { index: end }
  return { index: next, indexEnd: end }
}
