/** Sums of tokens. */

import type { Usage } from '../../events/usage.ts'
import { usageCounts } from '../../events/usage-sum.ts'
import { isCount, isFields } from '../../validation/predicates.ts'

/** More models are not counted: a hostile recording may name any number of them. */
const MAX_MODELS = 64

/** Adds tokens to a sum, by model. */
export function addUsage(sum: Usage[], added: readonly Usage[]): void {
  for (const usage of added) {
    let same = sum.find(({ provider, model }) => provider === usage.provider && model === usage.model)
    if (same === undefined) {
      if (sum.length >= MAX_MODELS) continue
      same = {
        ...(usage.provider !== undefined && { provider: usage.provider }),
        ...(usage.model !== undefined && { model: usage.model }),
      }
      sum.push(same)
    }
    for (const count of usageCounts) {
      const tokens = usage[count]
      if (tokens !== undefined) same[count] = (same[count] ?? 0) + tokens
    }
  }
}

/** The tokens that a value states which is not checked, such as metadata of a status. */
export function usageIn(value: unknown): Usage[] {
  if (!Array.isArray(value)) return []
  return value.filter(isFields).map((stated) => {
    const names = ['provider', 'model'].filter((name) => typeof stated[name] === 'string')
    const known = [...names, ...usageCounts.filter((count) => isCount(stated[count]))]
    return Object.fromEntries(known.map((name) => [name, stated[name]]))
  })
}
