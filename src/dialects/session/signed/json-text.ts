/** JSON as text: parsed without converting numbers, which other languages write in other ways. */

/** A JSON value and where it is in its text. */
export type JsonNode = { readonly start: number; readonly end: number } & (
  | { readonly type: 'object'; readonly entries: readonly (readonly [key: string, value: JsonNode])[] }
  | { readonly type: 'array'; readonly items: readonly JsonNode[] }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'number' | 'literal'; readonly text: string }
)

/** A text that is not JSON, or JSON that has no canonical form. */
export class JsonTextError extends Error {}

/** How many values may be around a value. Deeper ones are refused, so that a text cannot exhaust the stack. */
const MAX_DEPTH = 500

const SPACE = /[ \t\n\r]*/y
const STRING = /"(?:[^"\\]|\\.)*"/y
const SCALAR = /(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|true|false|null/y

/**
 * Parses JSON. Objects with duplicate keys are refused: readers disagree on their meaning.
 *
 * @throws JsonTextError
 */
export function parseJsonText(text: string): JsonNode {
  let at = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const fail = (what: string): never => {
    throw new JsonTextError(`Expected ${what} at position ${at}.`)
  }
  const parseString = (): string => {
    const raw = match(STRING) ?? fail('a string')
    try {
      return JSON.parse(raw) as string
    } catch {
      return fail('a string before')
    }
  }
  /** The items up to `close`, each parsed with its comma. */
  const parseItems = (close: string, parseItem: () => void): void => {
    at++
    match(SPACE)
    for (let isFirst = true; text[at] !== close; isFirst = false) {
      if (!isFirst && text[at++] !== ',') fail('a comma before')
      match(SPACE)
      parseItem()
      match(SPACE)
    }
    at++
  }
  const parseValue = (depth: number): JsonNode => {
    if (depth > MAX_DEPTH) fail(`at most ${MAX_DEPTH} levels`)
    const start = at
    if (text[at] === '{') {
      const entries: [string, JsonNode][] = []
      const keys = new Set<string>()
      parseItems('}', () => {
        const key = parseString()
        if (keys.has(key)) fail(`no duplicate of the key ${JSON.stringify(key)} before`)
        keys.add(key)
        match(SPACE)
        if (text[at++] !== ':') fail('a colon before')
        match(SPACE)
        entries.push([key, parseValue(depth + 1)])
      })
      return { type: 'object', entries, start, end: at }
    }
    if (text[at] === '[') {
      const items: JsonNode[] = []
      parseItems(']', () => items.push(parseValue(depth + 1)))
      return { type: 'array', items, start, end: at }
    }
    if (text[at] === '"') return { type: 'string', value: parseString(), start, end: at }
    const scalar = match(SCALAR) ?? fail('a JSON value')
    return { type: /^[tfn]/.test(scalar) ? 'literal' : 'number', text: scalar, start, end: at }
  }
  match(SPACE)
  const node = parseValue(0)
  match(SPACE)
  if (at < text.length) fail('the end')
  return node
}

/** The field of an object. */
export function fieldOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.type === 'object' ? node.entries.find(([key]) => key === name)?.[1] : undefined
}
