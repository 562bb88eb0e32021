/** FNV-1a: a fast hash of 32 bits. Not cryptographic. */

/** The hash of the empty text, and the usual seed. */
export const FNV_OFFSET_BASIS = 0x811c9dc5

/**
 * FNV-1a over the UTF-16 code units of a text from `from` up to `to`: an integer from 0 to 2^32-1.
 *
 * Incremental: the hash of one piece is the seed of the next, and the result is the hash of both together.
 */
export function fnv1a(seed: number, text: string, from = 0, to: number = text.length): number {
  let hash = seed
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** A text of about 13 characters that hardly any two texts share by chance: two hashes with different seeds. */
export function shortHash(text: string): string {
  return [FNV_OFFSET_BASIS, 0x2d3c5af1].map((seed) => fnv1a(seed, text).toString(36)).join('')
}
