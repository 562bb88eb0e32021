/** The tokens that a framework states of a run. */

import type { Usage } from '../../events/usage.ts'
import { countOf, type Fields, sumOf } from '../../providers/shared/fields.ts'

/** The counts that are known. */
export function usageOf({ input, output, reasoning, cached, written }: Fields): Usage {
  const counts = {
    inputTokens: countOf(input),
    outputTokens: countOf(output),
    totalTokens: sumOf(input, output),
    reasoningTokens: countOf(reasoning),
    cachedInputTokens: countOf(cached),
    cacheWriteInputTokens: countOf(written),
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined))
}
