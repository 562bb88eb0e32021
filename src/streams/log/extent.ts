/** The extent of a log. */

/** Which events a log holds. */
export interface LogExtent {
  /** Name of the stream. */
  readonly stream: string
  /** Epoch of the sequence numbers; see {@link Position.epoch}. */
  readonly epoch: string
  /** The first `seq` still in the log; equal to `next` if the log is empty. */
  readonly earliest: number
  /** The `seq` the next event will get. */
  readonly next: number
  /** Whether the stream is complete: nothing can be appended. Independent of any connection. */
  readonly closed: boolean
}
