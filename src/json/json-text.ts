/** Values to JSON text. */

/** The JSON text of a value; `undefined` if it has none, such as a cycle, or is nested too deep to be serialized. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
