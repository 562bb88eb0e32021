/**
 * Thoughts: what the model says to itself.
 *
 *     thought-delta* → thought-stream
 *
 * All events of one thought share a `thoughtId`. Who ignores the deltas misses nothing:
 * `thought-stream` repeats the thought whole.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../core/schema.ts'
import { count, fraction, id, type Metadata, maybe, metadata, open, timestamp } from './fields.ts'

/**
 * What a thought is about:
 *
 * - `planning`: the next steps
 * - `reasoning`: what the information at hand means
 * - `reflection`: how it is going
 * - `decision`: what it chooses, and why
 * - `observation`: something worth noticing
 * - `strategy`: a change of method
 */
export type ThoughtType = 'planning' | 'reasoning' | 'reflection' | 'decision' | 'observation' | 'strategy'

/** How much a thought says: a headline, the thought with its context, or all there is to it. */
export type ThoughtVerbosity = 'brief' | 'normal' | 'detailed'

/**
 * A piece of a thought while it is being thought.
 * @example merged
 * ```json
 * {
 *   "kind": "thought-delta",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "thoughtId": "thought-1",
 *   "delta": "turns at six",
 *   "index": 1,
 *   "indexEnd": 3,
 *   "timestamp": "2026-03-14T08:00:01.300Z",
 *   "timestampEnd": "2026-03-14T08:00:01.550Z"
 * }
 * ```
 */
export interface ThoughtDeltaEvent {
  kind: 'thought-delta'
  /** Names the thought; the `thought-stream` that follows has the same id. */
  thoughtId: string
  /** The text to append. */
  delta: string
  /** Position among the deltas of this thought, from 0, without gaps. */
  index: number
  /** Set when several deltas were merged: this one covers `index` to `indexEnd`. Absent: just `index`. */
  indexEnd?: number
  /** The `timestamp` of the last of the merged deltas; set by whoever merges. Absent: the same as `timestamp`. */
  timestampEnd?: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const thoughtDeltaEventSchema: Schema<ThoughtDeltaEvent> = schemaOf<ThoughtDeltaEvent>()(
  open({
    kind: z.literal('thought-delta'),
    thoughtId: id,
    delta: z.string(),
    index: count,
    indexEnd: maybe(count),
    timestampEnd: maybe(timestamp),
    timestamp,
  }),
)

/**
 * A thought, whole.
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
 *   "timestamp": "2026-03-14T08:00:11Z",
 *   "metadata": {
 *     "complete": false
 *   }
 * }
 * ```
 */
export interface ThoughtStreamEvent {
  kind: 'thought-stream'
  /** Names this thought; unique in the context. */
  thoughtId: string
  /** What the thought is about. */
  thoughtType: ThoughtType
  /** How much this thought says; for viewers that want less. */
  verbosity: ThoughtVerbosity
  /** The thought. */
  content: string
  /** Position among the thoughts of the task, from 0, without gaps. */
  index: number
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** How sure the agent is, and what the thought belongs to. Absent: not told. */
  metadata?: ThoughtStreamMetadata
}

/** Well-known metadata of {@link ThoughtStreamEvent}; as the model states it. */
export interface ThoughtStreamMetadata extends Metadata {
  /** How sure the agent is of the thought, 0 to 1. Absent: not stated. */
  confidence?: number
  /** Other thoughts that were considered. */
  alternatives?: string[]
  /** The thought or tool call this one is about: a `thoughtId` or `toolCallId`. */
  relatedTo?: string
  /** Links several renderings of one thought, such as a brief and a detailed one. */
  groupId?: string
  /** `false` when the thought was cut off before its end. Absent: it is complete. */
  complete?: boolean
}

export const thoughtStreamEventSchema: Schema<ThoughtStreamEvent> = schemaOf<ThoughtStreamEvent>()(
  open({
    kind: z.literal('thought-stream'),
    thoughtId: id,
    thoughtType: z.enum(['planning', 'reasoning', 'reflection', 'decision', 'observation', 'strategy']),
    verbosity: z.enum(['brief', 'normal', 'detailed']),
    content: z.string(),
    index: count,
    timestamp,
    metadata: maybe(
      metadata({
        confidence: maybe(fraction),
        alternatives: maybe(z.array(z.string())),
        relatedTo: maybe(id),
        groupId: maybe(id),
        complete: maybe(z.boolean()),
      }),
    ),
  }),
)
