/** The span of the times of a recording. */

/** The earliest and the latest of some times. */
export class Span {
  first: number | undefined
  last: number | undefined

  add(time: number | undefined): void {
    if (time === undefined) return
    if (this.first === undefined || time < this.first) this.first = time
    if (this.last === undefined || time > this.last) this.last = time
  }

  /** In milliseconds; `undefined` without any time, and if all are 1970, which writers state that know none. */
  get length(): number | undefined {
    return this.first === undefined || !this.last ? undefined : this.last - this.first
  }
}
