/**
 * JSON Pointers.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6901
 */

/** Formats a path as a pointer: `['a/b', 0]` is `/a~1b/0`. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Parses a pointer into its reference tokens; `undefined` if the text is not a pointer. */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((token) => (token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token))
}

/** The value at a pointer; `undefined` if there is none, or the text is not a pointer. Reads own fields only. */
export function readPointer(value: unknown, pointer: string): unknown {
  const tokens = parsePointer(pointer)
  if (tokens === undefined) return undefined
  let at = value
  for (const key of tokens) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[key]
  }
  return at
}
