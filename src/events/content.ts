/**
 * Content: the text of the answer, streamed in deltas.
 *
 *     content-delta(0) → content-delta(1) → … → content-complete
 *     └────────────────── one segment ──────────────────────────┘
 *
 * A task may have several segments, one per model response. The `index` of deltas restarts at 0 in each
 * segment. Segments that are open at the same time have different `contentId`s.
 *
 * A segment may be revised: `content-replace` replaces what came of it, and `iteration-reset` discards all that a
 * model response wrote.
 *
 *     content-delta(0) → content-replace (is 0) → content-delta(1) → … → content-complete
 */

import type { Metadata } from './metadata.ts'
import type { CitedSource } from './source.ts'
import type { Usage } from './usage.ts'

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
  /**
   * Names the text if several are open in the task at the same time. The `content-complete` that ends it has
   * the same id, which may then be used again. Omitted: the one text without an id.
   */
  contentId?: string
  /** The text to append. */
  delta: string
  /** Position of the delta in the segment, from 0, without gaps. */
  index: number
  /** The model response of the task that it is part of, as in `internal:llm-call`, from 0. Omitted if unknown. */
  iteration?: number
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
 *   "contentId": "text-1",
 *   "content": "Leave at 06:10, two hours before high water. 🌊",
 *   "iteration": 0,
 *   "finishReason": "stop",
 *   "timestamp": "2026-03-14T08:01:11Z",
 *   "metadata": {
 *     "usage": [
 *       {
 *         "provider": "atlas",
 *         "model": "atlas-2-large",
 *         "inputTokens": 1850,
 *         "outputTokens": 460,
 *         "totalTokens": 2310,
 *         "reasoningTokens": 300,
 *         "cachedInputTokens": 1200,
 *         "cacheWriteInputTokens": 150
 *       }
 *     ],
 *     "sources": [
 *       {
 *         "url": "https://tides.example/brest",
 *         "title": "Tides at Brest",
 *         "documentId": "tides-brest-2026",
 *         "start": 0,
 *         "end": 14,
 *         "quote": "High water 08:12"
 *       }
 *     ]
 *   }
 * }
 * ```
 */
export interface ContentCompleteEvent {
  kind: 'content-complete'
  /** Names the text, as in its deltas. Omitted: the one text without an id. */
  contentId?: string
  /** The full text of the segment: the concatenated deltas, or all of the text if there were no deltas. */
  content: string
  /** The model response of the task that it is part of, as in `internal:llm-call`, from 0. Omitted if unknown. */
  iteration?: number
  /** Why the model stopped, as named by the provider, such as `stop`, `length` or `tool_calls`. Omitted if unknown. */
  finishReason?: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Token usage and sources. Omitted if unknown. */
  metadata?: ContentCompleteMetadata
}

/**
 * Replaces what came of a text: of the open one or, if none is open, of the last one that was complete, which is open
 * again. `content` counts as the delta 0: the next delta has index 1, and a `content-complete` ends the text. An empty
 * `content` retracts the text.
 * @example full
 * ```json
 * {
 *   "kind": "content-replace",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "contentId": "text-1",
 *   "content": "Leave at 06:40, two hours before high water. 🌊",
 *   "iteration": 1,
 *   "timestamp": "2026-03-14T08:01:10.950Z"
 * }
 * ```
 */
export interface ContentReplaceEvent {
  kind: 'content-replace'
  /** Names the text, as in its deltas. Omitted: the one text without an id. */
  contentId?: string
  /** The text so far, instead of all deltas and of the content before. */
  content: string
  /** The model response of the task that it is part of, as in `internal:llm-call`, from 0. Omitted if unknown. */
  iteration?: number
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}

/**
 * Discards what a model response wrote, as when its request is repeated. The texts and thoughts of the iteration go, and
 * its calls that have not started; their ids may be used again. A call that has started stays, with its result.
 *
 * Only the latest iteration can be reset. Thoughts count on from those that remain.
 * @example full
 * ```json
 * {
 *   "kind": "iteration-reset",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "iteration": 2,
 *   "timestamp": "2026-03-14T08:01:10.950Z"
 * }
 * ```
 */
export interface IterationResetEvent {
  kind: 'iteration-reset'
  /** The model response, as in the events of its texts, thoughts and calls. */
  iteration: number
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}

/** Well-known metadata of {@link ContentCompleteEvent}. Set by whoever calls the model. */
export interface ContentCompleteMetadata extends Metadata {
  /** The tokens of the model response that ends with this segment, by model. Omitted if unknown. */
  usage?: Usage[]
  /** What the text cites, in the order of the citations. Omitted if nothing. */
  sources?: CitedSource[]
}
