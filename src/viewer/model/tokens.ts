/** Tokens of model calls. */
import type { Usage } from '../../events/usage.ts'

/** The tokens of a list of usages. Anything else has none. */
export function tokensOf(usage: unknown): { readonly input: number; readonly output: number } {
  const list: readonly Partial<Usage>[] = Array.isArray(usage) ? usage : []
  const sum = (field: 'inputTokens' | 'outputTokens'): number =>
    list.reduce((total, each) => total + (typeof each?.[field] === 'number' ? each[field] : 0), 0)
  return { input: sum('inputTokens'), output: sum('outputTokens') }
}
