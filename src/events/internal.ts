/**
 * Internal events: for logs, metrics and debugging. They never reach a client unless the server
 * decides to let them.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../core/schema.ts'
import { anyObject, count, id, maybe, open, timestamp } from './fields.ts'

/**
 * What the agent loop makes of the moment. Not a thought of the model.
 *
 * @see docs/spec/internal-event-protocol.md#thought-streaming-events
 * @example full
 * ```json
 * {
 *   "kind": "internal:thought-process",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "iteration": 1,
 *   "stage": "post-llm",
 *   "reasoning": "Two tools are asked for; the tide table first, since the route depends on it.",
 *   "state": {
 *     "pending": [
 *       "tide_table",
 *       "route"
 *     ],
 *     "messages": 4,
 *     "tokens": 812
 *   },
 *   "timestamp": "2026-03-14T08:00:01.650Z"
 * }
 * ```
 */
export interface InternalThoughtProcessEvent {
  kind: 'internal:thought-process'
  /** Round of the agent loop, as the loop counts them. */
  iteration: number
  /** Where in the round. */
  stage: 'pre-llm' | 'post-llm' | 'pre-tool' | 'post-tool'
  /** What the loop makes of the moment, for people. */
  reasoning: string
  /** The loop's state as far as it wants to tell. Values are trusted to be JSON and never walked. */
  state: Record<string, unknown>
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const internalThoughtProcessEventSchema: Schema<InternalThoughtProcessEvent> =
  schemaOf<InternalThoughtProcessEvent>()(
    open({
      kind: z.literal('internal:thought-process'),
      iteration: count,
      stage: z.enum(['pre-llm', 'post-llm', 'pre-tool', 'post-tool']),
      reasoning: z.string(),
      state: anyObject,
      timestamp,
    }),
  )

/**
 * The model is called.
 *
 * @see docs/spec/internal-event-protocol.md#internal-and-debug-events
 * @example full
 * ```json
 * {
 *   "kind": "internal:llm-call",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "iteration": 2,
 *   "model": "atlas-2-large",
 *   "messageCount": 6,
 *   "toolCount": 5,
 *   "parentTaskId": "task-season-0",
 *   "path": [
 *     "season-planner",
 *     "harbour-pilot"
 *   ],
 *   "timestamp": "2026-03-14T08:00:05.300Z"
 * }
 * ```
 */
export interface InternalLlmCallEvent {
  kind: 'internal:llm-call'
  /** Round of the agent loop, as the loop counts them. */
  iteration: number
  /** The model, in the provider's spelling. */
  model: string
  /** Messages sent. */
  messageCount: number
  /** Tools offered. */
  toolCount: number
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const internalLlmCallEventSchema: Schema<InternalLlmCallEvent> = schemaOf<InternalLlmCallEvent>()(
  open({
    kind: z.literal('internal:llm-call'),
    iteration: count,
    model: z.string(),
    messageCount: count,
    toolCount: count,
    timestamp,
  }),
)

/**
 * The agent's state was saved.
 *
 * @see docs/spec/internal-event-protocol.md#internal-and-debug-events
 * @example large iteration
 * ```json
 * {
 *   "kind": "internal:checkpoint",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "iteration": 9007199254740991,
 *   "timestamp": "2026-03-14T08:00:06Z"
 * }
 * ```
 */
export interface InternalCheckpointEvent {
  kind: 'internal:checkpoint'
  /** Round of the agent loop, as the loop counts them. */
  iteration: number
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const internalCheckpointEventSchema: Schema<InternalCheckpointEvent> =
  schemaOf<InternalCheckpointEvent>()(
    open({
      kind: z.literal('internal:checkpoint'),
      iteration: count,
      timestamp,
    }),
  )

/**
 * A tool begins to run, told to operators only. Not the same as `tool-start`: neither stands for
 * the other.
 *
 * @see docs/spec/streaming-architecture.md#event-types
 * @example with offset
 * ```json
 * {
 *   "kind": "internal:tool-start",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "toolCallId": "call-route-1",
 *   "toolName": "compare_routes",
 *   "path": [
 *     "harbour-pilot"
 *   ],
 *   "timestamp": "2026-03-14T10:30:02.125+02:30"
 * }
 * ```
 */
export interface InternalToolStartEvent {
  kind: 'internal:tool-start'
  /** The call: the same id as in the other events of the call. */
  toolCallId: string
  /** The tool that is called. */
  toolName: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const internalToolStartEventSchema: Schema<InternalToolStartEvent> =
  schemaOf<InternalToolStartEvent>()(
    open({
      kind: z.literal('internal:tool-start'),
      toolCallId: id,
      toolName: id,
      timestamp,
    }),
  )

/**
 * A tool has finished, told to operators only.
 *
 * @see docs/spec/streaming-architecture.md#event-types
 * @example failure
 * ```json
 * {
 *   "kind": "internal:tool-complete",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "toolCallId": "call-tides-2",
 *   "toolName": "tide_table",
 *   "success": false,
 *   "error": "ECONNRESET",
 *   "timestamp": "2026-03-14T08:00:34Z"
 * }
 * ```
 */
export interface InternalToolCompleteEvent {
  kind: 'internal:tool-complete'
  /** The call: the same id as in the other events of the call. */
  toolCallId: string
  /** The tool that was called. */
  toolName: string
  /** Whether the tool did what it was called for. */
  success: boolean
  /** What went wrong. With `success: false`. */
  error?: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const internalToolCompleteEventSchema: Schema<InternalToolCompleteEvent> =
  schemaOf<InternalToolCompleteEvent>()(
    open({
      kind: z.literal('internal:tool-complete'),
      toolCallId: id,
      toolName: id,
      success: z.boolean(),
      error: maybe(z.string()),
      timestamp,
    }),
  )
