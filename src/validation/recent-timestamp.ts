/** Timestamps of events that are written one after the other. */

import { isTimestamp } from './timestamp.ts'

/**
 * The first second of recent minutes, such as `2026-03-14T09:26:0`, and eight places later the text after the last one,
 * `2026-03-14T09:26:6`. Their place goes by the last digits of hour and minute, so that those of tasks side by side do not
 * displace each other. Comparing takes a third of the time of the pattern.
 */
const minutes: string[] = []
/** How many timestamps had another minute. */
let misses = 0

/** `isTimestamp`, faster for what `toISOString` writes. For hot paths. */
export function isRecentTimestamp(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const place = (5 * value.charCodeAt(12) + value.charCodeAt(15)) & 7
  if (
    value >= (minutes[place] as string) &&
    value < (minutes[place + 8] as string) &&
    value.length === 24 &&
    hasMilliseconds(value)
  ) {
    return true
  }
  if (!isTimestamp(value)) return false
  // Remembering takes longer than the pattern, and minutes in no order are not met again.
  if (value.length === 24 && misses++ % 8 === 0) {
    const [...minute] = value.slice(0, 17)
    // Joined: a part of another text takes twice as long to compare.
    minutes[place] = [...minute, 0].join('')
    minutes[place + 8] = [...minute, 6].join('')
  }
  return true
}

/** Whether `5.589Z` is at the end of a text of 24 characters, as `toISOString` writes it. */
function hasMilliseconds(text: string): boolean {
  for (let at = 18; at < 23; at++) {
    const char = text.charCodeAt(at)
    if (at === 19 ? char !== 46 : char < 48 || char > 57) return false
  }
  return text.charCodeAt(23) === 90
}
