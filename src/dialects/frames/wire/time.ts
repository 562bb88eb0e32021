/** Instants: frames count milliseconds since 1970, events have RFC 3339 texts. */

import type { Diagnostic } from '../../../core/machine.ts'
import { lossy } from './diagnostics.ts'

/** The last millisecond of the year 9999, which RFC 3339 ends with. */
const LAST = 253_402_300_799_999

/** UTC to the millisecond: what a frame's time says exactly. */
const EXACT = /^.{19}(?:\.\d{1,3}0*)?(?:Z|[+-]00:00)$/

/** A time of a frame as an event has it. */
export function timestampOf(milliseconds: number, diagnostics: Diagnostic[]): string {
  if (milliseconds > LAST) {
    diagnostics.push(lossy('timestamp_ms', 'After the year 9999, which timestamps end with.', milliseconds))
  }
  return new Date(Math.min(milliseconds, LAST)).toISOString()
}

/** A time of an event as a frame has it; `undefined` before 1970. */
export function millisecondsOf(timestamp: string, diagnostics: Diagnostic[]): number | undefined {
  const milliseconds = Date.parse(timestamp)
  const isBefore = milliseconds < 0
  if (isBefore || !EXACT.test(timestamp)) {
    const message = isBefore ? 'Before 1970, which frames begin with.' : 'Kept to the millisecond, in UTC.'
    diagnostics.push(lossy('timestamp', message, timestamp))
  }
  return isBefore ? undefined : milliseconds
}
