/**
 * Frames of a background tool, which has a stream of its own:
 *
 *     tool_task_spawned → tool_task_status(queued) → tool_task_status(running)
 *       → (tool_task_output_delta | tool_task_stdin_written | …)* → tool_task_status(exited | failed | …)
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybe, maybeNull, open } from '../../../../events/records/fields.ts'
import type { BackgroundToolFrame } from '../types.generated.ts'
import { int32, text, texts } from './envelope.ts'

/** An unsigned 16-bit integer. */
const uint16 = z.int().check(z.minimum(0), z.maximum(65535))

/** A background tool starts. The first frame of a task stream, whose id is the `task_id`. */
const toolTaskSpawnedFrame = open({
  type: z.literal('tool_task_spawned'),
  /** The id of the stream. */
  task_id: id,
  /** The name of the tool. */
  tool_name: id,
  /** The arguments: usually an object, possibly any JSON. */
  args: z.unknown(),
  /** Working directory. Null or omitted: the workspace. */
  cwd: maybeNull(text),
  /** Human-readable title. Null or omitted: none. */
  title: maybeNull(text),
  /** Whether its input and output are pipes or a pseudo-terminal. */
  execution_mode: z.enum(['pipes', 'pty']),
  /** The session that started it. Null or omitted: none. */
  origin_session_id: maybeNull(id),
  /** Where its output will be stored, in a runtime-specific form. Null or omitted: nowhere. */
  artifacts: maybeNull(z.unknown()),
})

/**
 * The status of a background tool. A task stream ends with the status `exited`, `failed`, `cancelled` or
 * `timeout`.
 */
const toolTaskStatusFrame = open({
  type: z.literal('tool_task_status'),
  /** The id of the stream. */
  task_id: id,
  /**
   * `queued`, `running`, `exited`, `failed`, `cancelled`, `timeout` or a runtime-specific status. `canceled` is read,
   * and encoded as `cancelled`.
   */
  status: text,
  /** The exit code with a final status: a signed 32-bit integer. Null or omitted: none. */
  exit_code: maybeNull(int32),
  /** Start time in milliseconds since 1970. Null or omitted: not started. */
  started_at_ms: maybeNull(count),
  /** End time in milliseconds since 1970. Null or omitted: not ended. */
  ended_at_ms: maybeNull(count),
  /** The stored output, in a runtime-specific form. Null or omitted if unknown. */
  artifacts: maybeNull(z.unknown()),
  /** Human-readable error message. Null or omitted: no error. */
  error: maybeNull(text),
  /** Ids of artifacts with the full output. Omitted if there are none. */
  artifact_refs: maybe(texts),
})

/** Somebody asked to cancel a background tool. */
const toolTaskCancelRequestedFrame = open({
  type: z.literal('tool_task_cancel_requested'),
  /** The id of the stream. */
  task_id: id,
  /** Human-readable reason. */
  reason: text,
})

/** A background tool was stopped. A `cancelled` status follows. */
const toolTaskCancelledFrame = open({
  type: z.literal('tool_task_cancelled'),
  /** The id of the stream. */
  task_id: id,
  /** Human-readable reason. */
  reason: text,
  /** Run time in milliseconds. Null or omitted if unknown. */
  wall_time_ms: maybeNull(count),
})

/** A chunk of a background tool's output. */
const toolTaskOutputDeltaFrame = open({
  type: z.literal('tool_task_output_delta'),
  /** The id of the stream. */
  task_id: id,
  /** The output stream: `pty` with a pseudo-terminal, `stdout` or `stderr` with pipes. */
  stream: z.enum(['stdout', 'stderr', 'pty']),
  /** The text to append. Bytes that are not UTF-8 are lost. */
  chunk: text,
  /** Where the output is stored, in a runtime-specific form. Null or omitted: nowhere. */
  artifacts: maybeNull(z.unknown()),
  /** Ids of artifacts with the full output. Omitted if there are none. */
  artifact_refs: maybe(texts),
})

/** Input was written to the terminal of a background tool. */
const toolTaskStdinWrittenFrame = open({
  type: z.literal('tool_task_stdin_written'),
  /** The id of the stream. */
  task_id: id,
  /** The bytes, Base64-encoded. */
  chunk_b64: text,
})

/** The terminal of a background tool was resized. */
const toolTaskResizedFrame = open({
  type: z.literal('tool_task_resized'),
  /** The id of the stream. */
  task_id: id,
  /** Number of rows: 0 to 65535. */
  rows: uint16,
  /** Number of columns: 0 to 65535. */
  cols: uint16,
})

/** A background tool was sent a signal. */
const toolTaskSignalledFrame = open({
  type: z.literal('tool_task_signalled'),
  /** The id of the stream. */
  task_id: id,
  /** The name of the signal, such as `SIGTERM`. */
  signal: text,
})

/** Any frame of a background tool. */
export const backgroundToolFrame: Schema<BackgroundToolFrame> = schemaOf<BackgroundToolFrame>()(
  z.discriminatedUnion('type', [
    toolTaskSpawnedFrame,
    toolTaskStatusFrame,
    toolTaskCancelRequestedFrame,
    toolTaskCancelledFrame,
    toolTaskOutputDeltaFrame,
    toolTaskStdinWrittenFrame,
    toolTaskResizedFrame,
    toolTaskSignalledFrame,
  ]),
)
