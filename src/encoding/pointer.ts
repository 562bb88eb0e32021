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
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}
