import { fnv1a } from '../encoding/fnv1a.ts'
import type { ThoughtState } from './state.ts'

/** How many thoughts are remembered apart from the others, so that one more does not copy them all. */
const MOST_LATE = 16

/** Adds a thought to those that are remembered, `window` of them. `undefined`: it is one of them. */
export function withThought(
  { early, late }: ThoughtState['seen'],
  type: string | undefined,
  text: string,
  window: number,
): ThoughtState['seen'] | undefined {
  const key = thoughtKey(type, text)
  if (late.includes(key) || early.includes(key, Math.max(0, early.length + late.length - window))) return
  const added = [...late, key]
  if (added.length < Math.min(MOST_LATE, window)) return { early, late: added }
  return { early: [...early, ...added].slice(-window), late: [] }
}

/** A number of 53 bits, so that long thoughts take no more room than short ones. */
function thoughtKey(type = '', text: string): number {
  const words = `${type}\n${text.replace(/\s+/g, ' ')}`
  return (fnv1a(1, words) >>> 11) * 2 ** 32 + fnv1a(2, words)
}
