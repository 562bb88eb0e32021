/**
 * Content: what the model says to the user, piece by piece.
 *
 *     content-delta(0) → content-delta(1) → … → content-complete
 *     └────────────────── one segment ──────────────────────────┘
 *
 * A task may have several segments, one for each answer of the model. Each counts its deltas from
 * 0 again.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../core/schema.ts'
import { count, maybe, open, timestamp } from './fields.ts'

/**
 * One piece of text to append.
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
  /** Position in the segment, from 0, without gaps. */
  index: number
  /** Set when several deltas were merged: this one covers `index` to `indexEnd`. Absent: just `index`. */
  indexEnd?: number
  /** The `timestamp` of the last of the merged deltas; set by whoever merges. Absent: the same as `timestamp`. */
  timestampEnd?: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const contentDeltaEventSchema: Schema<ContentDeltaEvent> = schemaOf<ContentDeltaEvent>()(
  open({
    kind: z.literal('content-delta'),
    delta: z.string(),
    index: count,
    indexEnd: maybe(count),
    timestampEnd: maybe(timestamp),
    timestamp,
  }),
)

/**
 * A segment is complete. Repeats it whole, so that who joined late may ignore the deltas.
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
  /** The whole text of the segment: its deltas joined, or all of it when there were none. */
  content: string
  /** Why the model stopped, in the provider's spelling, such as `stop`, `length` or `tool_calls`. */
  finishReason?: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const contentCompleteEventSchema: Schema<ContentCompleteEvent> = schemaOf<ContentCompleteEvent>()(
  open({
    kind: z.literal('content-complete'),
    content: z.string(),
    finishReason: maybe(z.string()),
    timestamp,
  }),
)
