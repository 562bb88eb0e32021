/**
 * Tool calls: the agent uses a tool.
 *
 *     tool-arguments-delta* → tool-start → tool-progress* → tool-complete
 *
 * All events of one call share a `toolCallId`. Calls may run side by side.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../core/schema.ts'
import { anyObject, count, fraction, id, type Metadata, maybe, metadata, open, timestamp } from './fields.ts'

/**
 * A piece of the arguments while the model writes them. The `tool-start` that follows repeats them
 * whole and parsed; only that one may be acted on.
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
 *   "indexEnd": 4,
 *   "timestamp": "2026-03-14T08:00:01.900Z",
 *   "timestampEnd": "2026-03-14T08:00:01.960Z"
 * }
 * ```
 */
export interface ToolArgumentsDeltaEvent {
  kind: 'tool-arguments-delta'
  /** The call the arguments are for. */
  toolCallId: string
  /** The tool that will be called. */
  toolName: string
  /** Text to append: the deltas joined are the arguments as JSON text. */
  delta: string
  /** Position among the deltas of this call, from 0, without gaps. */
  index: number
  /** Set when several deltas were merged: this one covers `index` to `indexEnd`. Absent: just `index`. */
  indexEnd?: number
  /** The `timestamp` of the last of the merged deltas; set by whoever merges. Absent: the same as `timestamp`. */
  timestampEnd?: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const toolArgumentsDeltaEventSchema: Schema<ToolArgumentsDeltaEvent> =
  schemaOf<ToolArgumentsDeltaEvent>()(
    open({
      kind: z.literal('tool-arguments-delta'),
      toolCallId: id,
      toolName: id,
      delta: z.string(),
      index: count,
      indexEnd: maybe(count),
      timestampEnd: maybe(timestamp),
      timestamp,
    }),
  )

/**
 * A tool begins to run.
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
 *   "timestamp": "2026-03-14T08:00:02Z",
 *   "metadata": {
 *     "provider": "local",
 *     "concurrent": false
 *   }
 * }
 * ```
 */
export interface ToolStartEvent {
  kind: 'tool-start'
  /** Names this call; unique in the context. */
  toolCallId: string
  /** The tool that is called. */
  toolName: string
  /** The arguments, parsed. Values are trusted to be JSON and never walked. */
  arguments: Record<string, unknown>
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** How the tool runs. Absent: not told. */
  metadata?: ToolStartMetadata
}

/** Well-known metadata of {@link ToolStartEvent}; set by whoever runs the tool. */
export interface ToolStartMetadata extends Metadata {
  /** Where the tool runs: `local`, `client`, `mcp`, or the id of an agent. */
  provider?: string
  /** Whether other tools of the task run at the same time. */
  concurrent?: boolean
}

export const toolStartEventSchema: Schema<ToolStartEvent> = schemaOf<ToolStartEvent>()(
  open({
    kind: z.literal('tool-start'),
    toolCallId: id,
    toolName: id,
    arguments: anyObject,
    timestamp,
    metadata: maybe(metadata({ provider: maybe(z.string()), concurrent: maybe(z.boolean()) })),
  }),
)

/**
 * How far a running tool has come, or a piece of its output.
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
  /** The running call. */
  toolCallId: string
  /** Share of the work done, 0 to 1. Never falls within a call. */
  progress: number
  /** For people: what the tool is doing. */
  message?: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** Steps, or a piece of output. Absent: neither. */
  metadata?: ToolProgressMetadata
}

/** Well-known metadata of {@link ToolProgressEvent}; set by the tool. */
export interface ToolProgressMetadata extends Metadata {
  /** Name of the current step. */
  step?: string
  /** Steps done so far, at most `stepsTotal`. */
  stepsCompleted?: number
  /** Steps in all. */
  stepsTotal?: number
  /** Which output `chunk` belongs to, such as `stdout` or `stderr`. */
  stream?: string
  /** A piece of the tool's output, to be appended to what came before on the same `stream`. */
  chunk?: string
}

export const toolProgressEventSchema: Schema<ToolProgressEvent> = schemaOf<ToolProgressEvent>()(
  open({
    kind: z.literal('tool-progress'),
    toolCallId: id,
    progress: fraction,
    message: maybe(z.string()),
    timestamp,
    metadata: maybe(
      metadata({
        step: maybe(z.string()),
        stepsCompleted: maybe(count),
        stepsTotal: maybe(count),
        stream: maybe(z.string()),
        chunk: maybe(z.string()),
      }),
    ),
  }),
)

/**
 * A tool has finished. Exactly one for each `tool-start` of a task that completes.
 *
 * @see docs/spec/internal-event-protocol.md#tool-execution-events
 * @example failure
 * ```json
 * {
 *   "kind": "tool-complete",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "toolCallId": "call-tides-2",
 *   "toolName": "tide_table",
 *   "success": false,
 *   "error": "The tide service did not answer.",
 *   "timestamp": "2026-03-14T08:00:34Z",
 *   "metadata": {
 *     "duration": 30000.5,
 *     "cached": false,
 *     "retries": 2
 *   }
 * }
 * ```
 */
export interface ToolCompleteEvent {
  kind: 'tool-complete'
  /** The call that ended. */
  toolCallId: string
  /** The tool that was called, as in `tool-start`. */
  toolName: string
  /** Whether the tool did what it was called for. */
  success: boolean
  /** What the tool returned: any JSON. Absent: nothing, or the tool failed. */
  result?: unknown
  /** What went wrong, for people. With `success: false`. */
  error?: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** How the run went. Absent: not told. */
  metadata?: ToolCompleteMetadata
}

/** Well-known metadata of {@link ToolCompleteEvent}; set by whoever ran the tool. */
export interface ToolCompleteMetadata extends Metadata {
  /** How long the tool ran, in milliseconds. */
  duration?: number
  /** Whether the result comes from a cache. */
  cached?: boolean
  /** How often the call was tried again. */
  retries?: number
}

export const toolCompleteEventSchema: Schema<ToolCompleteEvent> = schemaOf<ToolCompleteEvent>()(
  open({
    kind: z.literal('tool-complete'),
    toolCallId: id,
    toolName: id,
    success: z.boolean(),
    result: maybe(z.unknown()),
    error: maybe(z.string()),
    timestamp,
    metadata: maybe(
      metadata({
        duration: maybe(z.number().check(z.minimum(0))),
        cached: maybe(z.boolean()),
        retries: maybe(count),
      }),
    ),
  }),
)
