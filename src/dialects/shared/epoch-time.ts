/** Instants as milliseconds since 1970, and as the RFC 3339 timestamps of events. */

/** The last millisecond of the year 9999, the end of RFC 3339. */
export const MAX_EPOCH_MS = 253_402_300_799_999

/** UTC with at most millisecond precision: converts to milliseconds and back without loss. */
const EXACT = /^.{19}(?:\.(?:\d\d\d0*|\d\d?))?(?:Z|[+-]00:00)$/

/** Converts milliseconds since 1970 to a timestamp. Instants after the year 9999 become its last millisecond. */
export function epochToTimestamp(milliseconds: number): string {
  const time = Math.min(milliseconds, MAX_EPOCH_MS)
  const second = Math.floor(time / 1000)
  if (second !== latestSecond) {
    latestText = new Date(second * 1000).toISOString().slice(0, 20)
    latestSecond = second
  }
  return `${latestText}${String(Math.floor(time - second * 1000)).padStart(3, '0')}Z`
}

/** The second of the last conversion and its text up to the fraction: formatting a date takes longer than the rest. */
let latestSecond = Number.NaN
let latestText = ''

/** Converts a timestamp to milliseconds since 1970, or to `undefined` before 1970. */
export function timestampToEpoch(timestamp: string): number | undefined {
  const milliseconds = Date.parse(timestamp)
  return milliseconds < 0 ? undefined : milliseconds
}

/** Whether milliseconds since 1970 can express a timestamp without loss of precision or offset. */
export function isExactInMilliseconds(timestamp: string): boolean {
  // Nearly all are in UTC, with three digits.
  return (timestamp.length <= 24 && timestamp.endsWith('Z')) || EXACT.test(timestamp)
}
