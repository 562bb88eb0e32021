/** Whether JSON text is cut off, by what is open at its end. */

/** What is open at a position of JSON text. */
export interface Balance {
  /** How far the text was read. It may be one more than its length: the last character escapes the next one. */
  readonly at: number
  /** How many objects and arrays are open. */
  readonly depth: number
  /** Whether a string is open. */
  readonly isString: boolean
}

export const balanced: Balance = { at: 0, depth: 0, isString: false }

/** What is open at the end of a text, of which a part may have been read before. */
export function balanceOf(text: string, before: Balance = balanced): Balance {
  let { at, depth, isString } = before
  for (; at < text.length; at++) {
    const character = text[at] as string
    if (character === '"') isString = !isString
    else if (isString) at += character === '\\' ? 1 : 0
    else if ('{['.includes(character)) depth++
    else if ('}]'.includes(character)) depth--
  }
  return { at, depth, isString }
}

/** Whether anything is open. JSON that is not cut off leaves nothing open; other text may. */
export function isOpen({ depth, isString }: Balance): boolean {
  return depth > 0 || isString
}
