/** Text of others that stands in a question to the user. */
import { withoutHalf } from './surrogates.ts'

/**
 * A text that cannot pretend to end before it does, nor to be another one: in one line, without characters that are not seen, such as
 * those that turn the direction of writing. `DI` is what Unicode lets fonts ignore.
 */
export function oneLine(text: string): string {
  return text.replace(/\p{DI}/gu, '').replace(/[\s\p{Cc}]+/gu, ' ')
}

/** The same, cut to a number of characters. */
export function shortLine(text: string, max: number): string {
  const line = oneLine(text)
  return line.length > max ? `${withoutHalf(line.slice(0, max))}…` : line
}
