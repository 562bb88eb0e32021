/**
 * A number of 32 bits that stands for the units of a text from `from` up to `to`.
 *
 * Given as `seed` of what follows, it stands for both together.
 */
export function fingerprint(seed: number, text: string, from = 0, to: number = text.length): number {
  let sum = seed
  for (let at = from; at < to; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}
