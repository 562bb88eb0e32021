/** What a finding states, and where it is in a recording, in words. */

import type { Finding } from '../../inspect/check/finding.ts'
import type { Place } from '../../inspect/report/value-reader.ts'

/** The message after the field that it is about, such as `/toolName: Missing: expected a string.` */
export function messageText({ path, message }: Pick<Finding, 'path' | 'message'>): string {
  return path === undefined || message.includes(path) ? message : `${path}: ${message}`
}

/** The line, such as `27`, and in a HAR file the place in it, such as `27 (entry 2, line 5 of its body)`. */
export function placeText({ line, entry, bodyLine }: Place): string {
  if (entry === undefined) return String(line)
  const inBody = bodyLine === undefined ? '' : `, line ${bodyLine} of its body`
  return `${line} (entry ${entry}${inBody})`
}
