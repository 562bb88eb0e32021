/** The value of JSON text, such as the arguments or the result of a call; `undefined` if it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
