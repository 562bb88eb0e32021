/** Measures the nesting of JSON text before it is parsed. */

/**
 * Whether JSON text nests arrays and objects more than `limit` levels deep. `JSON.parse` accepts such
 * text, but walking or serializing the result overflows the stack.
 *
 * The result is unspecified for text that is not JSON; the parser rejects it anyway.
 */
export function isNestedDeeper(text: string, limit: number): boolean {
  // Each level needs an opening and a closing bracket.
  if (text.length < 2 * limit) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      // A quote
      case 34:
        at = endOfString(text, at)
        break
      // [ and {
      case 91:
      case 123:
        if (++depth > limit) return true
        break
      // ] and }
      case 93:
      case 125:
        depth--
        break
      default:
        break
    }
  }
  return false
}

/** The end of the string that starts at `start`: the next quote after an even number of backslashes. */
export function endOfString(text: string, start: number): number {
  let at = start
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at === -1) return text.length
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes++
    if (backslashes % 2 === 0) return at
  }
}
