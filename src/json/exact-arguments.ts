/** Whether the JSON text of arguments means the same to who reads it and to who parses it. */

import { isWellFormed } from '../encoding/surrogates.ts'
import { endOfString } from './depth.ts'
import { inexactNumbers } from './inexact-numbers.ts'
import { parsedJson } from './parsed.ts'

/**
 * Why the arguments of a call cannot be approved as the text that is shown; `undefined` if they can: they are no JSON object, have
 * a number that a double cannot hold, an object with the same key twice, or text that is not Unicode: events have another one instead.
 */
export function inexactArguments(text: string): string | undefined {
  const value = text.trim() === '' ? {} : parsedJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'Expected arguments that are a JSON object, got others.'
  }
  const [number] = inexactNumbers(text, 1)
  if (number !== undefined) {
    return `Expected numbers that a double can hold, got ${number.text.slice(0, 64)} at "${number.path}".`
  }
  if (membersIn(text) !== membersOf(value)) return 'Expected each key of an object once, got one twice.'
  if (!isUnicode(value)) return 'Expected text that is Unicode, got an unpaired surrogate.'
  return undefined
}

/** How many members of objects a JSON text has: outside of strings, each has a colon. */
function membersIn(json: string): number {
  let count = 0
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === 34) at = endOfString(json, at)
    else if (char === 58) count++
  }
  return count
}

/** How many members the objects of a value have. Not deeper than `parsedJson` allows. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const within = Object.values(value).reduce((sum: number, each) => sum + membersOf(each), 0)
  return Array.isArray(value) ? within : within + Object.keys(value).length
}

/** Whether no text in a value has an unpaired surrogate. Not deeper than `parsedJson` allows. */
function isUnicode(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.keys(value).every(isWellFormed) && Object.values(value).every(isUnicode)
}
