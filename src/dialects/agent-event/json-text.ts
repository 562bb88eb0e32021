/** Values as JSON text. */

/** The text of a value; `undefined` when there is none, as for a cycle. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/**
 * The text of arguments: the one they came in if it is kept and still says the same, and otherwise a
 * new one. Arguments that were changed on the way, say to hide a secret, are never told as they were.
 */
export function argumentsText(
  args: Readonly<Record<string, unknown>>,
  kept: unknown,
): { text: string | undefined; isKept: boolean } {
  const text = jsonText(args)
  return typeof kept === 'string' && text !== undefined && saysTheSame(kept, text)
    ? { text: kept, isKept: true }
    : { text, isKept: false }
}

function saysTheSame(kept: string, text: string): boolean {
  if (kept === text) return true
  try {
    const value: unknown = JSON.parse(kept)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return JSON.stringify(isObject ? value : {}) === text
  } catch {
    // Text that is no JSON has no arguments.
    return text === '{}'
  }
}
