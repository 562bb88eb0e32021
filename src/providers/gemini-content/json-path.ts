/** JSON paths as Gemini writes them: names and indexes, such as `$.items[0]['first name']`. */

/** A name, or an index of an array. */
export type Segment = string | number

/** Longer paths are not read. In UTF-16 code units, and in segments. */
const MAX_PATH = 4096
const MAX_SEGMENTS = 64

/** The segments of a path; `undefined` if it is not one, or the path of the whole. */
export function parsePath(path: string): Segment[] | undefined {
  if (!path.startsWith('$') || path.length > MAX_PATH) return undefined
  const segments: Segment[] = []
  const pattern = /\.([^.[\]]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y
  let at = 1
  while (at < path.length) {
    pattern.lastIndex = at
    const match = pattern.exec(path)
    if (match === null || segments.length === MAX_SEGMENTS) return undefined
    const [, name, index, single, double] = match
    segments.push(index === undefined ? (name ?? unescaped(single ?? double ?? '')) : Number(index))
    at = pattern.lastIndex
  }
  return segments.length === 0 || typeof segments[0] === 'number' ? undefined : segments
}

function unescaped(name: string): string {
  return name.replace(/\\(.)/gs, '$1')
}
