/** States as logs of databases store them. */
import { describeValue } from '../../core/require.ts'

/**
 * Parses a stored state.
 *
 * @param refused - Creates the error of a text that is not JSON.
 */
export function parseState(
  stream: string,
  json: string,
  refused: (message: string, cause: unknown) => Error,
): object {
  try {
    return JSON.parse(json) as object
  } catch (error) {
    throw refused(`Expected the state of stream "${stream}" as JSON, got ${describeValue(json)}.`, error)
  }
}
