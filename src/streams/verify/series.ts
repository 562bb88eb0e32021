/** Indexes of deltas and chunks. */

/** The message for an index, or a range of indexes, that is not the next one. */
export function indexMessage(next: number, index: number, indexEnd: number): string {
  return indexEnd < index
    ? `Expected index ${next} with indexEnd >= index, got index ${index} with indexEnd ${indexEnd}.`
    : `Expected index ${next}, got ${index}.`
}
