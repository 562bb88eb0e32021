import { fnv1a } from '../encoding/fnv1a.ts'

/** Hashes of the last thoughts, oldest first. In two lists, so that adding one does not copy them all. */
export interface SeenThoughts {
  readonly older: readonly number[]
  readonly recent: readonly number[]
}

/** The maximum length of `recent`. */
const MAX_RECENT = 16

/** Adds a thought to the last `window` ones. Returns `undefined` if it is one of them. */
export function addThought(
  { older, recent }: SeenThoughts,
  type: string | undefined,
  text: string,
  window: number,
): SeenThoughts | undefined {
  const hash = thoughtHash(type, text)
  const first = Math.max(0, older.length + recent.length - window)
  if (recent.includes(hash) || older.includes(hash, first)) return undefined
  const added = [...recent, hash]
  if (added.length < Math.min(MAX_RECENT, window)) return { older, recent: added }
  return { older: [...older, ...added].slice(-window), recent: [] }
}

/** A hash of 53 bits, so that a long thought needs no more memory than a short one. */
function thoughtHash(type = '', text: string): number {
  const normalized = `${type}\n${text.replace(/\s+/g, ' ')}`
  return (fnv1a(1, normalized) >>> 11) * 2 ** 32 + fnv1a(2, normalized)
}
