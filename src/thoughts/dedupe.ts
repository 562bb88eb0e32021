import { fingerprint } from './fingerprint.ts'

/**
 * What a thought is recognised by when it comes again: a number of 53 bits, so that remembering many
 * long thoughts takes no more room than remembering short ones.
 */
export function thoughtKey(type = '', text: string): number {
  const words = `${type}\n${text.replace(/\s+/g, ' ')}`
  return (fingerprint(1, words) >>> 11) * 2 ** 32 + fingerprint(2, words)
}
