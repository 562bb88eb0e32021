/**
 * Content: the text of the answer, streamed in deltas.
 *
 *     content-delta(0) → content-delta(1) → … → content-complete
 *     └────────────────── one segment ──────────────────────────┘
 *
 * A task may have several segments, one per model response. The `index` of deltas restarts at 0 in each
 * segment.
 */

/**
 * A piece of the answer, to be appended to its segment.
 *
 * @see docs/spec/internal-event-protocol.md#content-streaming-events
 * @example first
 * ```json
 * {
 *   "kind": "content-delta",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "delta": "Leave at ",
 *   "index": 0,
 *   "timestamp": "2026-03-14T08:01:10.010Z"
 * }
 * ```
 */
export interface ContentDeltaEvent {
  kind: 'content-delta'
  /** The text to append. */
  delta: string
  /** Position of the delta in the segment, from 0, without gaps. */
  index: number
  /** Index of the last merged delta: the event covers `index` to `indexEnd`. Defaults to `index`. */
  indexEnd?: number
  /** The `timestamp` of the last merged delta. Defaults to `timestamp`. */
  timestampEnd?: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}

/**
 * End of a text segment, with its full text. Clients that joined late can ignore the deltas.
 *
 * @see docs/spec/internal-event-protocol.md#content-streaming-events
 * @example full
 * ```json
 * {
 *   "kind": "content-complete",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "content": "Leave at 06:10, two hours before high water. 🌊",
 *   "finishReason": "stop",
 *   "timestamp": "2026-03-14T08:01:11Z"
 * }
 * ```
 */
export interface ContentCompleteEvent {
  kind: 'content-complete'
  /** The full text of the segment: the concatenated deltas, or all of the text if there were no deltas. */
  content: string
  /** Why the model stopped, as named by the provider, such as `stop`, `length` or `tool_calls`. Omitted if unknown. */
  finishReason?: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}
