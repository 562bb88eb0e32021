/**
 * Frames of a background tool, which has a stream of its own:
 *
 *     tool_task_spawned → tool_task_status(queued) → tool_task_status(running)
 *       → (tool_task_output_delta | tool_task_stdin_written | …)* → tool_task_status(exited | failed | …)
 */

/** A background tool starts. The first frame of a task stream, whose id is the `task_id`. */
export interface ToolTaskSpawnedFrame {
  type: 'tool_task_spawned'
  /** The id of the stream. */
  task_id: string
  /** The name of the tool. */
  tool_name: string
  /** The arguments: usually an object, possibly any JSON. */
  args: unknown
  /** Working directory. Null or omitted: the workspace. */
  cwd?: string | null
  /** Human-readable title. Null or omitted: none. */
  title?: string | null
  /** Whether its input and output are pipes or a pseudo-terminal. */
  execution_mode: 'pipes' | 'pty'
  /** The session that started it. Null or omitted: none. */
  origin_session_id?: string | null
  /** Where its output will be stored, in a runtime-specific form. Null or omitted: nowhere. */
  artifacts?: unknown
}

/**
 * The status of a background tool. A task stream ends with the status `exited`, `failed`, `cancelled` or
 * `timeout`.
 */
export interface ToolTaskStatusFrame {
  type: 'tool_task_status'
  /** The id of the stream. */
  task_id: string
  /**
   * `queued`, `running`, `exited`, `failed`, `cancelled`, `timeout` or a runtime-specific status. `canceled` is read,
   * and encoded as `cancelled`.
   */
  status: string
  /** The exit code with a final status: a signed 32-bit integer. Null or omitted: none. */
  exit_code?: number | null
  /** Start time in milliseconds since 1970. Null or omitted: not started. */
  started_at_ms?: number | null
  /** End time in milliseconds since 1970. Null or omitted: not ended. */
  ended_at_ms?: number | null
  /** The stored output, in a runtime-specific form. Null or omitted if unknown. */
  artifacts?: unknown
  /** Human-readable error message. Null or omitted: no error. */
  error?: string | null
  /** Ids of artifacts with the full output. Omitted if there are none. */
  artifact_refs?: string[]
}

/** Somebody asked to cancel a background tool. */
export interface ToolTaskCancelRequestedFrame {
  type: 'tool_task_cancel_requested'
  /** The id of the stream. */
  task_id: string
  /** Human-readable reason. */
  reason: string
}

/** A background tool was stopped. A `cancelled` status follows. */
export interface ToolTaskCancelledFrame {
  type: 'tool_task_cancelled'
  /** The id of the stream. */
  task_id: string
  /** Human-readable reason. */
  reason: string
  /** Run time in milliseconds. Null or omitted if unknown. */
  wall_time_ms?: number | null
}

/** A chunk of a background tool's output. */
export interface ToolTaskOutputDeltaFrame {
  type: 'tool_task_output_delta'
  /** The id of the stream. */
  task_id: string
  /** The output stream: `pty` with a pseudo-terminal, `stdout` or `stderr` with pipes. */
  stream: 'stdout' | 'stderr' | 'pty'
  /** The text to append. Bytes that are not UTF-8 are lost. */
  chunk: string
  /** Where the output is stored, in a runtime-specific form. Null or omitted: nowhere. */
  artifacts?: unknown
  /** Ids of artifacts with the full output. Omitted if there are none. */
  artifact_refs?: string[]
}

/** Input was written to the terminal of a background tool. */
export interface ToolTaskStdinWrittenFrame {
  type: 'tool_task_stdin_written'
  /** The id of the stream. */
  task_id: string
  /** The bytes, Base64-encoded. */
  chunk_b64: string
}

/** The terminal of a background tool was resized. */
export interface ToolTaskResizedFrame {
  type: 'tool_task_resized'
  /** The id of the stream. */
  task_id: string
  /** Number of rows: 0 to 65535. */
  rows: number
  /** Number of columns: 0 to 65535. */
  cols: number
}

/** A background tool was sent a signal. */
export interface ToolTaskSignalledFrame {
  type: 'tool_task_signalled'
  /** The id of the stream. */
  task_id: string
  /** The name of the signal, such as `SIGTERM`. */
  signal: string
}
