/** Checks of options and arguments. A wrong one is a bug in the calling code and throws a TypeError. */

/**
 * Requires an integer from `min` to 2^53-1.
 *
 * @throws TypeError such as `"maxDepth" must be an integer >= 1, got 0.`
 */
export function requireInteger(name: string, value: unknown, min: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < min)
    throw mismatch(name, `an integer >= ${min}`, value)
}

/**
 * Requires one of the listed values.
 *
 * @throws TypeError such as `"mode" must be "strict" or "lenient", got "strct".`
 */
export function requireOneOf(name: string, value: unknown, choices: readonly unknown[]): void {
  if (choices.includes(value)) return
  const last = describeValue(choices.at(-1))
  const others = choices.slice(0, -1).map(describeValue).join(', ')
  throw mismatch(name, others === '' ? last : `${others} or ${last}`, value)
}

/**
 * Requires a string with at least one character.
 *
 * @throws TypeError such as `"stream" must be a non-empty string, got "".`
 */
export function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw mismatch(name, 'a non-empty string', value)
}

/**
 * Requires a function.
 *
 * @throws TypeError such as `"now" must be a function, got undefined.`
 */
export function requireFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw mismatch(name, 'a function', value)
}

/** The error for an option or argument: names what was expected and what was passed. */
export function mismatch(name: string, expected: string, value: unknown): TypeError {
  return new TypeError(`"${name}" must be ${expected}, got ${describeValue(value)}.`)
}

/** Formats a value for an error message: short and on one line. Never throws. */
export function describeValue(value: unknown): string {
  // Longer strings are truncated.
  if (typeof value === 'string') return JSON.stringify(value.replace(/^(.{40}).+/su, '$1…'))
  if (Object(value) !== value) return String(value)
  return Array.isArray(value) ? 'an array' : typeof value === 'function' ? 'a function' : 'an object'
}
