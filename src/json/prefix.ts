/** Texts that were cut off within JSON. */

import { parsedJson } from './parsed.ts'

/** What of a number or literal may be there when a text is cut off. */
const CUT_WORD =
  /^(?:-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?)?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/

/** What may follow the end of a text before everything open is closed: the rest of a member, an item, or nothing. */
const CONTINUATIONS = ['', 'null', ':null', '"":null']

/** Whether a text that is not JSON is the beginning of some: it could continue so that it is JSON. */
export function isJsonPrefix(text: string): boolean {
  const { closing, isString, isEscaped, wordAt } = scan(text)
  const whole = isString ? endString(text, isEscaped) : text
  if (CONTINUATIONS.some((next) => parsedJson(whole + next + closing) !== undefined)) return true
  const word = isString ? '' : text.slice(wordAt)
  return (
    word !== '' && CUT_WORD.test(word) && parsedJson(`${text.slice(0, wordAt)}null${closing}`) !== undefined
  )
}

/** How a text ends. */
interface TextEnd {
  /** What closes the open objects and arrays. */
  readonly closing: string
  readonly isString: boolean
  readonly isEscaped: boolean
  /** Where the last number or literal begins. */
  readonly wordAt: number
}

function scan(text: string): TextEnd {
  const open: string[] = []
  let isString = false
  let isEscaped = false
  let wordAt = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (isString) {
      if (isEscaped) isEscaped = false
      else if (char === '\\') isEscaped = true
      else if (char === '"') isString = false
    } else if (char === '"') isString = true
    else if (char === '{') open.push('}')
    else if (char === '[') open.push(']')
    else if (char === '}' || char === ']') open.pop()
    if (isString || !/[\w+.-]/.test(char)) wordAt = at + 1
  }
  return { closing: open.reverse().join(''), isString, isEscaped, wordAt }
}

/** A text that was cut off within a string, with the end of the string, and without an escape that was cut off. */
function endString(text: string, isEscaped: boolean): string {
  const whole = isEscaped
    ? text.slice(0, -1)
    : text.replace(/((?:^|[^\\])(?:\\\\)*)\\u[\da-fA-F]{0,3}$/, '$1')
  return `${whole}"`
}
