/** What the sources of a text have in common. */

import type { CitedSource } from '../../events/source.ts'
import { countOf } from './fields.ts'

/** The cited part of a document, in the units and with the bounds of the provider. */
export interface Passage {
  readonly unit: 'page' | 'block' | 'character'
  readonly start: unknown
  readonly end: unknown
}

/** States the passage that a source is, if its bounds are known. */
export function setPassage(source: CitedSource, { unit, start, end }: Passage): void {
  const [from, to] = [countOf(start), countOf(end)]
  if (from !== undefined && to !== undefined) source.passage = { unit, start: from, end: to }
}
