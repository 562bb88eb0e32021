/** Text that may be JSON, such as the arguments or the result of a call. */

/** The value of JSON text; `undefined` if it is not JSON, which is never the value of JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of JSON text; the text itself if it is not JSON. */
export function parsedOrText(text: string): unknown {
  const value = parsedJson(text)
  return value === undefined ? text : value
}

/** The arguments of a call as a value: `{}` for text without any, the text itself if it is not JSON. */
export function parsedArguments(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value.trim() === '' ? {} : parsedOrText(value)
}
