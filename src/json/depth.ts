/** Measures the nesting of JSON text before it is parsed. */

const QUOTE = 34
const BACKSLASH = 92

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
      case QUOTE:
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

/** Whether a value that was parsed from JSON nests arrays and objects more than `limit` levels deep. */
export function isDeeper(value: unknown, limit: number): boolean {
  try {
    return isNestedDeeper(JSON.stringify(value), limit)
  } catch {
    // Serializing it overflows the stack.
    return true
  }
}

/** The end of the string that starts at `start`: the next quote that is not escaped. */
export function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  // Hardly any string has an escape before its end, and searching is several times as fast as reading.
  if (at === -1 || text.charCodeAt(at - 1) !== BACKSLASH) return at === -1 ? text.length : at
  for (at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === BACKSLASH) at++
    else if (char === QUOTE) return at
  }
  return text.length
}
