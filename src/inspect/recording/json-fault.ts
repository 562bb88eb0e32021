/**
 * Where a text breaks the grammar of JSON: engines describe it by quoting the text, which may hold secrets. The machine
 * `partialJson` finds the place too, but builds values: it takes six times as long as `JSON.parse`, this takes as long.
 */

/** The first fault of a text. */
export interface JsonFault {
  /** The character, from 1. After the end of the text, if it lacks something. */
  readonly at: number
  /** What the grammar allows there. */
  readonly expected: string
}

const SPACE = /[ \t\n\r]*/y
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** What ends a string or part of it, or may not be in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow them in strings.
const STRING_STOP = /["\\\0-\x1f]/g
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/** The first fault of a text; `undefined` if it is JSON. */
export function jsonFault(text: string): JsonFault | undefined {
  /** The brackets that close what is open. */
  const open: string[] = []
  let at = 0
  let expects: 'value' | 'first' | 'name' | 'colon' | 'next' = 'value'
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const isFound = pattern.test(text)
    if (isFound) at = pattern.lastIndex
    return isFound
  }
  const fault = (expected: string): JsonFault => ({ at: at + 1, expected })
  for (skip(SPACE); at < text.length || open.length > 0 || expects !== 'next'; skip(SPACE)) {
    const char = text[at] ?? ''
    const close = open.at(-1)
    if (expects === 'next' || (expects === 'first' && char === close)) {
      if (close === undefined) return fault('the end')
      if (char !== ',' && char !== close) return fault(`, or ${close}`)
      if (char === close) open.pop()
      expects = char === close ? 'next' : close === '}' ? 'name' : 'value'
      at++
    } else if (expects === 'colon') {
      if (char !== ':') return fault(':')
      expects = 'value'
      at++
    } else if (char === '"') {
      const expected = skipString()
      if (expected !== undefined) return fault(expected)
      expects = expects === 'name' || (expects === 'first' && close === '}') ? 'colon' : 'next'
    } else if (expects === 'name' || (expects === 'first' && close === '}')) {
      return fault(expects === 'name' ? 'the name of a member' : 'the name of a member or }')
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']')
      expects = 'first'
      at++
    } else if (skip(SCALAR)) expects = 'next'
    else return fault(expects === 'first' ? 'a value or ]' : 'a value')
  }
  return undefined

  /** Skips a string. Returns what is expected where it has a fault. */
  function skipString(): string | undefined {
    at++
    for (;;) {
      STRING_STOP.lastIndex = at
      at = STRING_STOP.exec(text)?.index ?? text.length
      if (text[at] === '"') {
        at++
        return undefined
      }
      if (text[at] !== '\\') return at === text.length ? '"' : 'an escape instead of a control character'
      if (!skip(ESCAPE)) return 'an escape of JSON'
    }
  }
}

/** How long a text that is not JSON is, and where its fault is, for messages. It quotes nothing of it. */
export function notJson(text: string): string {
  const fault = jsonFault(text)
  const place =
    fault === undefined ? '' : ` with a fault at character ${fault.at}: expected ${fault.expected}`
  return `${text.length} ${text.length === 1 ? 'character' : 'characters'}${place}`
}
