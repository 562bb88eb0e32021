/**
 * Tool calls: the agent calls a tool.
 *
 *     tool-arguments-delta* → tool-start → tool-progress* → tool-complete
 *     tool-arguments-delta* → tool-complete { success: false }      the arguments were cut off
 *
 * All events of one call share a `toolCallId`. Calls may run in parallel.
 */
import type { Metadata } from './metadata.ts'

/**
 * A piece of the arguments while the model generates them. The `tool-start` that follows has the complete,
 * parsed arguments; do not act on the deltas. If the arguments are cut off, a `tool-complete` with
 * `success: false` follows instead.
 * @example merged
 * ```json
 * {
 *   "kind": "tool-arguments-delta",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "toolCallId": "call-tides-1",
 *   "toolName": "tide_table",
 *   "delta": "\"Brest\",\"days\":3}",
 *   "index": 1,
 *   "iteration": 0,
 *   "indexEnd": 4,
 *   "timestamp": "2026-03-14T08:00:01.900Z",
 *   "timestampEnd": "2026-03-14T08:00:01.960Z"
 * }
 * ```
 */
export interface ToolArgumentsDeltaEvent {
  kind: 'tool-arguments-delta'
  /** The tool call. The `tool-start` that follows has the same id. */
  toolCallId: string
  /** Name of the tool. */
  toolName: string
  /** The text to append. The concatenated deltas are the arguments as JSON text. */
  delta: string
  /** Position of the delta in the arguments, from 0, without gaps. */
  index: number
  /** The model response of the task that made the call, as in `internal:llm-call`, from 0. Omitted if unknown. */
  iteration?: number
  /** Index of the last merged delta: the event covers `index` to `indexEnd`. Defaults to `index`. */
  indexEnd?: number
  /** The `timestamp` of the last merged delta. Defaults to `timestamp`. */
  timestampEnd?: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}

/**
 * A tool starts to run.
 *
 * @see docs/spec/internal-event-protocol.md#tool-execution-events
 * @example full
 * ```json
 * {
 *   "kind": "tool-start",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "toolCallId": "call-tides-1",
 *   "toolName": "tide_table",
 *   "arguments": {
 *     "port": "Brest",
 *     "from": "2026-03-15",
 *     "days": 3,
 *     "units": {
 *       "height": "m"
 *     }
 *   },
 *   "iteration": 0,
 *   "timestamp": "2026-03-14T08:00:02Z",
 *   "metadata": {
 *     "provider": "local",
 *     "concurrent": false,
 *     "signature": "CiQB4/H/XkP2vYt0mTa",
 *     "redacted": false
 *   }
 * }
 * ```
 */
export interface ToolStartEvent {
  kind: 'tool-start'
  /** The tool call. Unique in the context. */
  toolCallId: string
  /** Name of the tool. */
  toolName: string
  /** The parsed arguments. Not validated: values are assumed to be JSON. */
  arguments: Record<string, unknown>
  /** The model response of the task that made the call, as in `internal:llm-call`, from 0. Omitted if unknown. */
  iteration?: number
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Where and how the tool runs. Omitted if unknown. */
  metadata?: ToolStartMetadata
}

/** Well-known metadata of {@link ToolStartEvent}. Set by the process that runs the tool. */
export interface ToolStartMetadata extends Metadata {
  /** Where the tool runs: `local`, `client`, `provider` for that of the model, `mcp`, or the id of an agent. Omitted if unknown. */
  provider?: string
  /** Whether other tools of the task run in parallel. Omitted if unknown. */
  concurrent?: boolean
  /**
   * The provider's opaque value that belongs to the call, to be sent back unchanged with the next request.
   * Not for display: `redactions` removes it for everyone but operators. Omitted if there is none.
   */
  signature?: string
  /** `true` if the provider withholds the arguments; `signature` then has it in encrypted form. Defaults to `false`. */
  redacted?: boolean
}

/**
 * Progress of a running tool, or a piece of its output.
 *
 * @see docs/spec/internal-event-protocol.md#tool-execution-events
 * @example output
 * ```json
 * {
 *   "kind": "tool-progress",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "toolCallId": "call-route-1",
 *   "progress": 1,
 *   "timestamp": "2026-03-14T08:00:05.200Z",
 *   "metadata": {
 *     "stream": "stdout",
 *     "chunk": "4 of 4 routes compared\n"
 *   }
 * }
 * ```
 */
export interface ToolProgressEvent {
  kind: 'tool-progress'
  /** The running tool call. */
  toolCallId: string
  /** Fraction of the work that is done, from 0 to 1. Never decreases within a call. */
  progress: number
  /** The model response of the task that made the call, as in `internal:llm-call`, from 0. Omitted if unknown. */
  iteration?: number
  /** Human-readable description of the current activity. Omitted if unknown. */
  message?: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Steps or a piece of output. Omitted if there is neither. */
  metadata?: ToolProgressMetadata
}

/** Well-known metadata of {@link ToolProgressEvent}. Set by the tool. */
export interface ToolProgressMetadata extends Metadata {
  /** Name of the current step. Omitted if unknown. */
  step?: string
  /** Number of completed steps, at most `stepsTotal`. Omitted if unknown. */
  stepsCompleted?: number
  /** Total number of steps. Omitted if unknown. */
  stepsTotal?: number
  /** Estimated time until the tool has finished, in milliseconds, from 0. Omitted if unknown. */
  remainingMs?: number
  /** The output stream of `chunk`, such as `stdout` or `stderr`. Omitted if the tool has only one. */
  stream?: string
  /** A piece of output, to be appended to the previous output of the same `stream`. Omitted if none. */
  chunk?: string
}

/**
 * A tool has finished. Exactly one for each `tool-start` of a completed task. Without a `tool-start`, it ends a
 * call whose arguments were cut off, as by the token limit; its `success` is `false`.
 *
 * @see docs/spec/internal-event-protocol.md#tool-execution-events
 * @example cut off
 * ```json
 * {
 *   "kind": "tool-complete",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "toolCallId": "call-tides-3",
 *   "toolName": "tide_table",
 *   "success": false,
 *   "iteration": 0,
 *   "error": "The arguments were cut off.",
 *   "timestamp": "2026-03-14T08:00:40Z"
 * }
 * ```
 */
export interface ToolCompleteEvent {
  kind: 'tool-complete'
  /** The finished tool call. */
  toolCallId: string
  /** Name of the tool, as in `tool-start`. */
  toolName: string
  /** Whether the tool succeeded. */
  success: boolean
  /** The model response of the task that made the call, as in `internal:llm-call`, from 0. Omitted if unknown. */
  iteration?: number
  /** Result of the tool: any JSON. Omitted if none, or if the tool failed. */
  result?: unknown
  /** Human-readable error message. Only with `success: false`. Omitted if unknown. */
  error?: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Duration, cache use and retries. Omitted if unknown. */
  metadata?: ToolCompleteMetadata
}

/** Well-known metadata of {@link ToolCompleteEvent}. Set by the process that ran the tool. */
export interface ToolCompleteMetadata extends Metadata {
  /** Duration of the call in milliseconds. Omitted if unknown. */
  duration?: number
  /** Whether the result comes from a cache. Omitted if unknown. */
  cached?: boolean
  /** Number of retries. Omitted if unknown. */
  retries?: number
}
