/** Names and ids of any characters, as text that every store takes. */
import { requireText } from '../../core/require.ts'
import { percentDecode, percentEncode } from '../../encoding/percent.ts'

/**
 * Writes a name or an id with letters, digits and `-._~` alone, and `%` before two hexadecimal digits for each byte of any other
 * character: for keys of a store, file names and subjects, which may refuse NUL, half a surrogate pair or a separator. No two
 * names give the same text, but for stores that ignore case.
 *
 * @throws TypeError if `name` is not a non-empty string.
 *
 * @example
 * ```ts
 * escapeName('context/ctx 1') // 'context%2Fctx%201'
 * ```
 */
export function escapeName(name: string): string {
  requireText('name', name)
  return percentEncode(name)
}

/**
 * Returns the name that {@link escapeName} has written.
 *
 * @returns `undefined` for text that it has not written.
 * @throws TypeError if `text` is not a non-empty string.
 */
export function unescapeName(text: string): string | undefined {
  requireText('text', text)
  const name = percentDecode(text)
  return name !== undefined && percentEncode(name) === text ? name : undefined
}
