/** Arguments to JSON text, and back. */

import { jsonText } from '../../../json/json-text.ts'
import { parsedJson } from '../../../json/parsed.ts'
import { isFields } from '../../../validation/predicates.ts'

/**
 * The JSON text of arguments: the original text if it still has the same value, otherwise a new one. Changed
 * arguments, for example with a secret removed, are never sent in their original text.
 */
export function argumentsText(
  args: Readonly<Record<string, unknown>>,
  original: unknown,
): { text: string | undefined; isOriginal: boolean } {
  const text = jsonText(args)
  return typeof original === 'string' && text !== undefined && hasSameValue(original, text)
    ? { text: original, isOriginal: true }
    : { text, isOriginal: false }
}

function hasSameValue(original: string, text: string): boolean {
  // Text that is not an object counts as no arguments.
  return original === text || jsonText(parseObject(original) ?? {}) === text
}

/** Parses a JSON object; `undefined` if the text is not one, or nested deeper than 1000 levels. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parsedJson(text)
  return isFields(value) ? value : undefined
}
