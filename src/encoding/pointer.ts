/** JSON Pointers (RFC 6901). */

/** The pointer to a nested value: `['a/b', 0]` is `/a~1b/0`. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
