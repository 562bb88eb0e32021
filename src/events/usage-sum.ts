/** Sums of the tokens that models used. */

import type { Usage } from './usage.ts'

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

/** Usage by model, with that of one more call, if it is known: one entry for each model of each provider. */
export function addUsage(models: readonly Usage[], usage: Usage | undefined): readonly Usage[] {
  if (usage === undefined) return models
  const at = models.findIndex(({ provider, model }) => provider === usage.provider && model === usage.model)
  return at < 0 ? [...models, usage] : models.map((known, i) => (i === at ? sumUsage(known, usage) : known))
}
