/** Appending deltas to streamed text. */

import { describeValue } from '../../../../core/require.ts'
import type { ViewBuilder } from '../view-builder.ts'

/** A delta of any kind. */
export interface Delta {
  readonly delta: string
  readonly index: number
  readonly indexEnd?: number
}

/** What a delta adds to a text. */
export interface Addition {
  readonly text: string
  /** The index of the delta after it. */
  readonly nextIndex: number
  /** Whether deltas are missing before it. */
  readonly isGap: boolean
}

/** What a delta adds if `expected` is the next index. `undefined` if it is repeated. Reports repetitions and gaps. */
export function additionOf(
  builder: ViewBuilder,
  expected: number,
  { delta, index, indexEnd = index }: Delta,
  id: string | undefined,
): Addition | undefined {
  const end = Math.max(index, indexEnd)
  if (index === expected) return { text: delta, nextIndex: end + 1, isGap: false }
  const isRepeated = end < expected
  const message = `Expected index ${describeValue(expected)}, got ${describeValue(index)}.`
  const found = { expected, actual: index }
  builder.diagnostic(isRepeated ? 'repeated' : 'gap', message, id === undefined ? found : { id, ...found })
  if (isRepeated) return undefined
  // A merged delta that overlaps the text cannot be split into its repeated and its new characters.
  return { text: index > expected ? delta : '', nextIndex: end + 1, isGap: true }
}

/** Reports content that differs from its joined deltas. */
export function reportMismatch(builder: ViewBuilder, deltas: string, content: string, id?: string): void {
  const { length: expected } = deltas
  const { length: actual } = content
  const message = `The content (length ${actual}) differs from the joined deltas (length ${expected}).`
  builder.diagnostic('content-mismatch', message, { ...(id === undefined ? {} : { id }), expected, actual })
}
