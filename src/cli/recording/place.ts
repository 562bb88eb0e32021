/** Where something is in a recording, in words. */

import type { Place } from '../../inspect/report/value-reader.ts'

/** The line, such as `27`, and in a HAR file the place in it, such as `27 (entry 2, line 5 of its body)`. */
export function placeText({ line, entry, bodyLine }: Place): string {
  if (entry === undefined) return String(line)
  const inBody = bodyLine === undefined ? '' : `, line ${bodyLine} of its body`
  return `${line} (entry ${entry}${inBody})`
}
