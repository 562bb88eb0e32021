/**
 * What a thought is recognised by when it comes again: a number of 53 bits, so that remembering many
 * long thoughts takes no more room than remembering short ones.
 */
export function thoughtKey(type: string | undefined, text: string): number {
  const words = `${type ?? ''}\n${text.replace(/\s+/g, ' ')}`
  let low = 0x811c9dc5
  let high = 0x2f0b4c47
  for (let at = 0; at < words.length; at++) {
    const unit = words.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul((high << 7) ^ (high >>> 11) ^ unit, 0x2c1b3c6d)
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}
