/** What a report holds: texts as they are shown, and how much of a recording. */

/** The longest text of one line, in UTF-16 code units. */
export const SHORT = 120
/** The longest text that is kept when all of it is asked for. */
export const LONG = 16_384

/** A text cut off at a length, on one line. */
export function shortened(text: string, longest: number = SHORT): string {
  const line = text.length > longest * 2 ? text.slice(0, longest * 2) : text
  const clean = longest === LONG ? line : line.replace(/\s+/g, ' ').trim()
  if (clean.length <= longest && line.length === text.length) return clean
  // No half of a pair at the end.
  const end = /[\uD800-\uDBFF]$/.test(clean.slice(0, longest)) ? longest - 1 : longest
  return `${clean.slice(0, end).trimEnd()}…`
}

/** A value as JSON, cut off. */
export function valueText(value: unknown, longest: number = SHORT): string {
  if (value === undefined) return ''
  return shortened(JSON.stringify(value) ?? '', longest)
}

/** More texts, thoughts or calls of one task that are open at once are not distinguished. */
export const MAX_OPEN = 256

/** How much of a recording a report may still hold. */
export interface Budget {
  /** How many more tools and thoughts are listed. */
  items: number
  /** Whether texts are kept up to 16 Ki characters, not only their beginning. */
  readonly isFull: boolean
}

/** The longest text that is kept. */
export function longestText({ isFull }: Budget): number {
  return isFull ? LONG : SHORT
}
