/** Reading JSON values that follow each other, such as NDJSON, from text that is cut anywhere. */

import { append, emptyText, type GrowingText, lengthOf, textOf } from '../encoding/growing-text.ts'

/** The state between two chunks. Plain JSON. */
export interface JsonTextState {
  /** The value so far, or what is read outside of values. */
  readonly text: GrowingText
  /** How many objects and arrays are open, without an array around all values. */
  readonly depth: number
  /** Within a string, and within an escape sequence of it. */
  readonly within: '' | 'string' | 'escape'
  /** Whether the values are items of an array. */
  readonly isArray: boolean
  /** Whether the next character is the first one of a line. */
  readonly isLineStart: boolean
  /** Whether the value is over the size limit. */
  readonly isTooLarge: boolean
}

export const initialJsonText: JsonTextState = {
  text: emptyText,
  depth: 0,
  within: '',
  isArray: false,
  isLineStart: true,
  isTooLarge: false,
}

const LF = 10
const QUOTE = 34
const COMMA = 44
const OPEN_ARRAY = 91
const BACKSLASH = 92
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * Reads one chunk. A value ends with its last bracket, outside of brackets with its line. An array around all values is no
 * value: its items are. A line that begins with `{` begins a value, also if the one before lacks its end.
 *
 * @param limit - The maximum length of a value, in UTF-16 code units.
 * @returns The texts of the values, which may be no JSON; `undefined` for one over the limit.
 */
export function readJsonText(
  state: JsonTextState,
  chunk: string,
  limit: number,
): { state: JsonTextState; values: (string | undefined)[] } {
  const values: (string | undefined)[] = []
  let { text, depth, within, isArray, isLineStart, isTooLarge } = state
  let start = 0
  const keep = (end: number): void => {
    if (!isTooLarge) text = append(text, chunk.slice(start, end))
    isTooLarge ||= lengthOf(text) > limit
    if (isTooLarge) text = emptyText
    start = end
  }
  const take = (end: number): void => {
    keep(end)
    const value = textOf(text).trim()
    if (isTooLarge || value !== '') values.push(isTooLarge ? undefined : value)
    text = emptyText
    isTooLarge = false
  }
  for (let at = 0; at < chunk.length; at++) {
    const code = chunk.charCodeAt(at)
    if (code === OPEN_OBJECT && isLineStart && depth > 0 && !isArray) {
      take(at)
      depth = 0
      within = ''
    }
    isLineStart = code === LF
    if (within === 'escape') within = 'string'
    else if (code === QUOTE) within = within === '' ? 'string' : ''
    else if (within === 'string') within = code === BACKSLASH ? 'escape' : 'string'
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      const isOutside = depth === 0 && !isArray && code === OPEN_ARRAY
      if (isOutside && `${textOf(text)}${chunk.slice(start, at)}`.trim() === '') {
        isArray = true
        text = emptyText
        start = at + 1
      } else depth++
    } else if (depth > 0) {
      if ((code === CLOSE_OBJECT || code === CLOSE_ARRAY) && --depth === 0) take(at + 1)
    } else if (code === LF) take(at)
    else if (isArray && (code === COMMA || code === CLOSE_ARRAY)) {
      take(at)
      start = at + 1
      isArray = code === COMMA
    }
  }
  keep(chunk.length)
  return { state: { text, depth, within, isArray, isLineStart, isTooLarge }, values }
}

/** The text after the last value; empty if nothing is missing. `isOpen`: a value, or the array around all, lacks its end. */
export function restOf({ text, depth, within, isArray, isTooLarge }: JsonTextState): {
  rest: string
  isOpen: boolean
} {
  return { rest: textOf(text).trim(), isOpen: depth > 0 || within !== '' || isArray || isTooLarge }
}
