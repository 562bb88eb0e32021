/** Lists that grow, as text: the JSON of each value on a line of its own. Appending to text, and copying it, is cheap. */

import { cleanText } from '../../json/sanitize.ts'

/** The lines with more values. */
export function withLines(lines: string, values: readonly unknown[]): string {
  let result = lines
  // Strings that are joined one by one are not copied.
  for (const value of values) result = `${result}${result === '' ? '' : '\n'}${cleanText(value)}`
  return result
}

/** The values of the lines. */
export function valuesOf(lines: string): unknown[] {
  return lines === '' ? [] : (JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as unknown[])
}
