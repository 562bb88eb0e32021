/** The span of the times of a recording. */

import { UNKNOWN_TIME } from '../read/event-reader.ts'

/** The time of an event in milliseconds; `undefined` if the recording does not state it. */
export function timeOf(timestamp: string): number | undefined {
  if (timestamp.startsWith('1970-01-01T00:00:00') && Date.parse(timestamp) === UNKNOWN) return undefined
  return Date.parse(timestamp)
}

const UNKNOWN: number = /* @__PURE__ */ Date.parse(UNKNOWN_TIME)

/** The earliest and the latest of some times. */
export class Span {
  first: number | undefined
  last: number | undefined

  add(time: number | undefined): void {
    if (time === undefined || Number.isNaN(time)) return
    if (this.first === undefined || time < this.first) this.first = time
    if (this.last === undefined || time > this.last) this.last = time
  }

  /** In milliseconds; `undefined` without any time. */
  get length(): number | undefined {
    return this.first === undefined || this.last === undefined ? undefined : this.last - this.first
  }
}
