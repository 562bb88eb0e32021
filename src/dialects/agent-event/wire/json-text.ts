/** Values as JSON text, and back. */

import { isNestedDeeper } from '../../../json/depth.ts'
import { isFields } from '../../../validation/predicates.ts'

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
  // Text that is no object has no arguments.
  return kept === text || jsonText(parseObject(kept) ?? {}) === text
}

/** Deeper than any arguments need; whoever walks or writes what is much deeper overflows the stack. */
const MAX_DEPTH = 1000

/** The object a text says; `undefined` when it says none, or one nested more than 1000 deep. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  if (isNestedDeeper(text, MAX_DEPTH)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}
