/** Audience labels: the `metadata.audience` of events. */

import type { Metadata } from '../../events/metadata.ts'
import { type Audience, labelIn } from '../access/audience.ts'

/** An event of any kind: kinds without metadata of their own may have it as an unknown field. */
export interface LabeledEvent {
  readonly kind: string
  readonly metadata?: unknown
}

/** The audiences that the label of an event allows: {@link labelIn}. */
export function labelOf({ metadata }: LabeledEvent): readonly Audience[] | undefined {
  return labelIn(metadata)
}

/** The audiences that both labels allow. */
export function commonAudience(
  a: readonly Audience[] | undefined,
  b: readonly Audience[] | undefined,
): readonly Audience[] | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return isSameAudience(a, b) ? a : a.filter((audience) => b.includes(audience))
}

/** Whether two labels allow the same audiences. */
export function isSameAudience(
  a: readonly Audience[] | undefined,
  b: readonly Audience[] | undefined,
): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.length === b.length && a.every((audience, i) => b[i] === audience)
}

/** Metadata without the label; `undefined` if nothing else is in it. */
export function withoutLabel<T extends Metadata>(metadata: T | undefined): T | undefined {
  if (metadata === undefined || !Object.hasOwn(metadata, 'audience')) return metadata
  const { audience: _, ...rest } = metadata
  return Object.keys(rest).length === 0 ? undefined : (rest as unknown as T)
}
