/**
 * Internal events: for logs, metrics and debugging. They are not sent to clients unless the server
 * explicitly allows it.
 */
import type { Metadata } from './metadata.ts'
import type { Usage } from './usage.ts'

/**
 * A decision of the agent loop. Not a thought of the model.
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
  /** Iteration of the agent loop, as the loop counts them. */
  iteration: number
  /** The point in the iteration: before or after a model or tool call. */
  stage: 'pre-llm' | 'post-llm' | 'pre-tool' | 'post-tool'
  /** Human-readable explanation of the decision. */
  reasoning: string
  /** The state of the loop, as far as it is reported. Not validated: values are assumed to be JSON. */
  state: Record<string, unknown>
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}

/**
 * The agent calls the model.
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
 *   "timestamp": "2026-03-14T08:00:05.300Z",
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
 *     ]
 *   }
 * }
 * ```
 */
export interface InternalLlmCallEvent {
  kind: 'internal:llm-call'
  /** Iteration of the agent loop, as the loop counts them. */
  iteration: number
  /** The model, as named by the provider. */
  model: string
  /** Number of messages sent. */
  messageCount: number
  /** Number of tools offered. */
  toolCount: number
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Token usage, if the event is emitted after the call. Omitted if unknown. */
  metadata?: InternalLlmCallMetadata
}

/** Well-known metadata of {@link InternalLlmCallEvent}. Set by whoever calls the model. */
export interface InternalLlmCallMetadata extends Metadata {
  /** The tokens of the call, by model. Omitted if unknown. */
  usage?: Usage[]
}

/**
 * The agent saved a checkpoint of its state.
 *
 * @see docs/spec/internal-event-protocol.md#internal-and-debug-events
 * @example full
 * ```json
 * {
 *   "kind": "internal:checkpoint",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "iteration": 1,
 *   "state": {
 *     "turn": {
 *       "role": "assistant",
 *       "text": "The tide table first.",
 *       "calls": [
 *         {
 *           "toolCallId": "call-tides-1",
 *           "toolName": "tide_table",
 *           "arguments": "{\"harbour\":\"Brest\"}",
 *           "status": "complete"
 *         }
 *       ]
 *     }
 *   },
 *   "timestamp": "2026-03-14T08:00:01.700Z"
 * }
 * ```
 */
export interface InternalCheckpointEvent {
  kind: 'internal:checkpoint'
  /** Iteration of the agent loop, as the loop counts them. */
  iteration: number
  /**
   * What was saved: in `turn`, with what a loop continues after a restart. Not validated: values are assumed to be JSON. Omitted if it is
   * saved elsewhere.
   */
  state?: Record<string, unknown>
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}

/**
 * A tool starts to run. For operators only; does not replace `tool-start`, and `tool-start` does not
 * replace it.
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
  /** The tool call. The same id as in the other events of the call. */
  toolCallId: string
  /** Name of the tool. */
  toolName: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}

/**
 * A tool has finished. For operators only.
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
  /** The tool call. The same id as in the other events of the call. */
  toolCallId: string
  /** Name of the tool. */
  toolName: string
  /** Whether the tool succeeded. */
  success: boolean
  /** Error message. Only with `success: false`. Omitted if unknown. */
  error?: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}
