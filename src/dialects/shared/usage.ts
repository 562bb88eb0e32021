/** Sums of the tokens that models used. */

import type { Usage } from '../../events/usage.ts'

/** The counts of a usage. */
export const usageCounts = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
] as const

/** A usage with the counts of another one. A count is unknown only if it is in both. */
export function sumUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = { ...a }
  for (const name of usageCounts) {
    const count = b[name]
    if (count !== undefined) sum[name] = (a[name] ?? 0) + count
  }
  return sum
}
