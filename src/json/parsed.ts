/** Text that may be JSON, such as the arguments or the result of a call. */

import { isNestedDeeper } from './depth.ts'
import { MAX_DEPTH } from './value.ts'

/**
 * The value of JSON text; `undefined`, which is never the value of JSON, if it is not JSON or nested more than `maxDepth`
 * levels deep.
 */
export function parsedJson(text: string, maxDepth: number = MAX_DEPTH): unknown {
  if (isNestedDeeper(text, maxDepth)) return undefined
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
