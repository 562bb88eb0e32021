/** Recognizing the dialect of a recording. */

import { isFields } from '../../validation/predicates.ts'
import { type Dialect, dialects } from '../dialects.ts'
import type { RecordedValue } from '../recording/recorded.ts'
import { signs } from './signs.ts'

/** How many values are enough. */
export const SAMPLE = 20

/** What a recording seems to be. */
export interface Detection {
  /** The dialect. Omitted if no value speaks for any. */
  readonly dialect?: Dialect
  /** The dialect that is nearly as likely. Omitted if there is none. */
  readonly runnerUp?: Dialect
  /** Whether most values speak for the dialect, and for no other. */
  readonly isCertain: boolean
}

/** A dialect with less than this part of the points of the best is no rival. */
const RIVAL = 0.5

/**
 * Recognizes the dialect of a recording by its first values.
 *
 * @param recorded - The values, of which the first 20 objects are looked at.
 */
export function detectDialect(recorded: readonly Pick<RecordedValue, 'value' | 'event'>[]): Detection {
  const points = new Map<Dialect, number>()
  let count = 0
  for (const { value, event = '' } of recorded) {
    if (!isFields(value)) continue
    if (++count > SAMPLE) break
    for (const dialect of dialects) {
      const sign = signs[dialect](value, event)
      if (sign > 0) points.set(dialect, (points.get(dialect) ?? 0) + sign)
    }
  }
  const [best, second] = [...points].sort(([, a], [, b]) => b - a)
  if (best === undefined) return { isCertain: false }
  const [dialect, most] = best
  const runnerUp = second !== undefined && second[1] >= most * RIVAL ? second[0] : undefined
  return {
    dialect,
    ...(runnerUp !== undefined && { runnerUp }),
    isCertain: runnerUp === undefined && most >= Math.max(3, Math.min(count, SAMPLE)),
  }
}
