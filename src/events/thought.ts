/**
 * Thoughts: the reasoning of the model, as opposed to its answer.
 *
 *     thought-delta* → thought-stream
 *
 * All events of one thought share a `thoughtId`. Clients can ignore the deltas: `thought-stream` has the
 * full text of the thought.
 */
import type { Metadata } from './metadata.ts'

/**
 * The type of a thought:
 *
 * - `planning`: plans the next steps
 * - `reasoning`: interprets the available information
 * - `reflection`: evaluates the progress
 * - `decision`: chooses an option, with the reasons
 * - `observation`: notes a fact
 * - `strategy`: changes the approach
 */
export type ThoughtType = 'planning' | 'reasoning' | 'reflection' | 'decision' | 'observation' | 'strategy'

/** The level of detail of a thought: a headline, the thought in context, or every detail. */
export type ThoughtVerbosity = 'brief' | 'normal' | 'detailed'

/**
 * A piece of a thought while the model generates it.
 * @example full
 * ```json
 * {
 *   "kind": "thought-delta",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "thoughtId": "thought-1",
 *   "delta": "turns at six",
 *   "thoughtType": "planning",
 *   "verbosity": "normal",
 *   "index": 1,
 *   "iteration": 0,
 *   "indexEnd": 3,
 *   "timestamp": "2026-03-14T08:00:01.300Z",
 *   "timestampEnd": "2026-03-14T08:00:01.550Z"
 * }
 * ```
 */
export interface ThoughtDeltaEvent {
  kind: 'thought-delta'
  /** The thought. The `thought-stream` that completes it has the same id. */
  thoughtId: string
  /** The text to append. */
  delta: string
  /**
   * The type of the thought, as in its `thought-stream`. Every delta of a thought repeats it. Omitted if unknown:
   * clients that are shown only some types are not shown the delta.
   */
  thoughtType?: ThoughtType
  /**
   * The level of detail of the thought, as in its `thought-stream`. Every delta of a thought repeats it. Omitted
   * if unknown: the delta is shown like a detailed thought.
   */
  verbosity?: ThoughtVerbosity
  /** Position of the delta in the thought, from 0, without gaps. */
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
 * A complete thought.
 *
 * @see docs/spec/internal-event-protocol.md#thought-streaming-events
 * @example cut off
 * ```json
 * {
 *   "kind": "thought-stream",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "thoughtId": "thought-8",
 *   "thoughtType": "strategy",
 *   "verbosity": "normal",
 *   "content": "If the berth is taken, we could instead",
 *   "index": 7,
 *   "iteration": 0,
 *   "timestamp": "2026-03-14T08:00:11Z",
 *   "metadata": {
 *     "complete": false
 *   }
 * }
 * ```
 */
export interface ThoughtStreamEvent {
  kind: 'thought-stream'
  /** The thought. Unique in the context. */
  thoughtId: string
  /** The type of the thought. */
  thoughtType: ThoughtType
  /** The level of detail. Clients can filter by it. */
  verbosity: ThoughtVerbosity
  /** The full text of the thought. */
  content: string
  /** Position of the thought in the task, from 0, without gaps. */
  index: number
  /** The model response of the task that it is part of, as in `internal:llm-call`, from 0. Omitted if unknown. */
  iteration?: number
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Confidence and relations of the thought, and what its provider wants back. Omitted if unknown. */
  metadata?: ThoughtStreamMetadata
}

/** Well-known metadata of {@link ThoughtStreamEvent}. As stated by the model. */
export interface ThoughtStreamMetadata extends Metadata {
  /** Confidence of the agent in the thought, from 0 to 1. Omitted if unknown. */
  confidence?: number
  /** Alternatives that were considered. Omitted if there are none. */
  alternatives?: string[]
  /** The thought or tool call that this thought refers to: a `thoughtId` or `toolCallId`. Omitted if none. */
  relatedTo?: string
  /** Links versions of the same thought, such as a brief and a detailed one. Omitted if there is only one. */
  groupId?: string
  /** `false` if the thought was cut off. Defaults to `true`. */
  complete?: boolean
  /**
   * The provider's opaque value that belongs to the thought, to be sent back unchanged with the next request.
   * Not for display: `redactions` removes it for everyone but operators. Omitted if there is none.
   */
  signature?: string
  /**
   * `true` if the provider withholds the text of the thought; `signature` then has it in encrypted form. Defaults to
   * `false`.
   */
  redacted?: boolean
}
