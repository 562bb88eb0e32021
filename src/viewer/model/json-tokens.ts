/** JSON text to tokens, so that names, texts and numbers differ in color. */

export type JsonTokenType = 'name' | 'text' | 'number' | 'word' | 'plain'

export interface JsonToken {
  readonly type: JsonTokenType
  readonly text: string
}

/** Also matches a text that was cut off, so that it is looked at once. */
const token = /("(?:[^"\\]|\\[\s\S]?)*(?:"|$))(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)/g

/** The tokens of formatted JSON. Joined, they are the text. */
export function jsonTokens(json: string): JsonToken[] {
  const tokens: JsonToken[] = []
  let end = 0
  const push = (type: JsonTokenType, from: number, to: number): void => {
    if (to > from) tokens.push({ type, text: json.slice(from, to) })
  }
  for (const match of json.matchAll(token)) {
    const [all, quoted, colon, digits] = match
    push('plain', end, match.index)
    end = match.index + all.length
    const type =
      quoted === undefined
        ? digits === undefined
          ? 'word'
          : 'number'
        : colon === undefined
          ? 'text'
          : 'name'
    push(type, match.index, end)
  }
  push('plain', end, json.length)
  return tokens
}
