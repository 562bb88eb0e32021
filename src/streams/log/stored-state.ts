/** States as logs of databases store them. */

/**
 * Parses a stored state.
 *
 * @param refused - Creates the error of a text that is not JSON.
 */
export function parseState(stream: string, json: string, refused: (message: string) => Error): object {
  try {
    return JSON.parse(json) as object
  } catch {
    // Neither the text nor the error of the parser, which quotes it: a state holds questions and answers of users.
    throw refused(`Expected the state of stream "${stream}" as JSON, got other text.`)
  }
}
