/** Numbers as people read them. */

import type { Usage } from '../../events/usage.ts'

/** A duration, such as `1.2 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`
}

/** A number of things, such as `1 event` or `2 events`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Tokens, such as `12 tokens in, 3 out`. Empty if none are known. */
export function tokens(usage: readonly Usage[] = []): string {
  const sum = (name: 'inputTokens' | 'outputTokens' | 'totalTokens'): number | undefined => {
    const known = usage.filter((each) => each[name] !== undefined)
    return known.length === 0 ? undefined : known.reduce((total, each) => total + (each[name] ?? 0), 0)
  }
  const [input, output, total] = [sum('inputTokens'), sum('outputTokens'), sum('totalTokens')]
  if (input !== undefined && output !== undefined) return `${input} tokens in, ${output} out`
  if (total !== undefined) return `${total} tokens`
  if (input !== undefined) return `${input} tokens in`
  return output === undefined ? '' : `${output} tokens out`
}
