import { fnv1a } from '../encoding/fnv1a.ts'

/** Hashes of the last thoughts, oldest first. */
export type SeenThoughts = readonly number[]

/** Adds a thought to the last `window` ones. Returns `undefined` if it is one of them. */
export function addThought(
  seen: SeenThoughts,
  type: string | undefined,
  text: string,
  window: number,
): SeenThoughts | undefined {
  const hash = thoughtHash(type, text)
  return seen.includes(hash) ? undefined : [...seen, hash].slice(-window)
}

/** A hash of 53 bits, so that a long thought needs no more memory than a short one. */
function thoughtHash(type = '', text: string): number {
  const normalized = `${type}\n${text.replace(/\s+/g, ' ')}`
  return (fnv1a(1, normalized) >>> 11) * 2 ** 32 + fnv1a(2, normalized)
}
