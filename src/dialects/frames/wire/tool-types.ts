/**
 * Frames of tools. A tool within a session, which the agent waits for:
 *
 *     tool_started → (tool_stdout | tool_stderr)* → tool_ended | tool_failed
 *
 * A background tool, with a stream of its own:
 *
 *     tool_task_spawned → tool_task_status(queued) → tool_task_status(running)
 *       → (tool_task_output_delta | tool_task_stdin_written | …)* → tool_task_status(exited | failed | …)
 */

/**
 * A tool starts.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolStartedFrame {
  type: 'tool_started'
  /** The id of the call. */
  tool_id: string
  /** The name of the tool. */
  name: string
  /** The arguments: JSON, not validated further. */
  args: Record<string, unknown>
  /** Timeout in milliseconds. Null or omitted: no timeout. */
  timeout_ms?: number | null
}

/**
 * A chunk of a tool's standard output.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolStdoutFrame {
  type: 'tool_stdout'
  /** The id of the call. */
  tool_id: string
  /** The text to append. Bytes that are not UTF-8 are lost. */
  chunk: string
  /** Ids of artifacts with the full output. Version 2 only. Omitted if there are none. */
  artifact_refs?: string[]
}

/**
 * A chunk of a tool's standard error output.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolStderrFrame {
  type: 'tool_stderr'
  /** The id of the call. */
  tool_id: string
  /** The text to append. Bytes that are not UTF-8 are lost. */
  chunk: string
  /** Ids of artifacts with the full output. Version 2 only. Omitted if there are none. */
  artifact_refs?: string[]
}

/**
 * A tool ran to its end, with any exit code.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolEndedFrame {
  type: 'tool_ended'
  /** The id of the call. */
  tool_id: string
  /** The exit code: a signed 32-bit integer. 0 is a success. */
  exit_code: number
  /** Run time in milliseconds. */
  duration_ms: number
  /** Artifacts of the tool, in a tool-specific form. Null or omitted: none. */
  artifacts?: Record<string, unknown> | null
  /** Ids of artifacts with the full output. Version 2 only. Omitted if there are none. */
  artifact_refs?: string[]
}

/**
 * A tool could not run or crashed. Replaces `tool_ended`.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolFailedFrame {
  type: 'tool_failed'
  /** The id of the call. */
  tool_id: string
  /** Human-readable error message. */
  error: string
}

/**
 * A background tool starts. The first frame of a task stream, whose id is the `task_id`.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolTaskSpawnedFrame {
  type: 'tool_task_spawned'
  /** The id of the stream. */
  task_id: string
  /** The name of the tool. */
  tool_name: string
  /** The arguments: JSON, not validated further. */
  args: Record<string, unknown>
  /** Working directory. Null or omitted: the workspace. */
  cwd?: string | null
  /** Human-readable title. Null or omitted: none. */
  title?: string | null
  /** Whether its input and output are pipes or a pseudo-terminal. */
  execution_mode: 'pipes' | 'pty'
  /** The session that started it. Null or omitted: none. */
  origin_session_id?: string | null
  /** Where its output will be stored, in a runtime-specific form. Null or omitted: nowhere. */
  artifacts?: Record<string, unknown> | null
}

/**
 * The status of a background tool. A task stream ends with the status `exited`, `failed`, `cancelled` or
 * `timeout`.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolTaskStatusFrame {
  type: 'tool_task_status'
  /** The id of the stream. */
  task_id: string
  /** `queued`, `running`, `exited`, `failed`, `cancelled`, `timeout` or a runtime-specific status. */
  status: string
  /** The exit code with a final status: a signed 32-bit integer. Null or omitted: none. */
  exit_code?: number | null
  /** Start time in milliseconds since 1970. Null or omitted: not started. */
  started_at_ms?: number | null
  /** End time in milliseconds since 1970. Null or omitted: not ended. */
  ended_at_ms?: number | null
  /** The stored output, in a runtime-specific form. Null or omitted if unknown. */
  artifacts?: Record<string, unknown> | null
  /** Human-readable error message. Null or omitted: no error. */
  error?: string | null
  /** Ids of artifacts with the full output. Omitted if there are none. */
  artifact_refs?: string[]
}

/**
 * Somebody asked to cancel a background tool.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolTaskCancelRequestedFrame {
  type: 'tool_task_cancel_requested'
  /** The id of the stream. */
  task_id: string
  /** Human-readable reason. */
  reason: string
}

/**
 * A background tool was stopped. A `cancelled` status follows.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolTaskCancelledFrame {
  type: 'tool_task_cancelled'
  /** The id of the stream. */
  task_id: string
  /** Human-readable reason. */
  reason: string
  /** Run time in milliseconds. Null or omitted if unknown. */
  wall_time_ms?: number | null
}

/**
 * A chunk of a background tool's output.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolTaskOutputDeltaFrame {
  type: 'tool_task_output_delta'
  /** The id of the stream. */
  task_id: string
  /** The output stream: `pty` with a pseudo-terminal, `stdout` or `stderr` with pipes. */
  stream: 'stdout' | 'stderr' | 'pty'
  /** The text to append. Bytes that are not UTF-8 are lost. */
  chunk: string
  /** Where the output is stored, in a runtime-specific form. Null or omitted: nowhere. */
  artifacts?: Record<string, unknown> | null
  /** Ids of artifacts with the full output. Omitted if there are none. */
  artifact_refs?: string[]
}

/**
 * Input was written to the terminal of a background tool.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolTaskStdinWrittenFrame {
  type: 'tool_task_stdin_written'
  /** The id of the stream. */
  task_id: string
  /** The bytes, Base64-encoded. */
  chunk_b64: string
}

/**
 * The terminal of a background tool was resized.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolTaskResizedFrame {
  type: 'tool_task_resized'
  /** The id of the stream. */
  task_id: string
  /** Number of rows: 0 to 65535. */
  rows: number
  /** Number of columns: 0 to 65535. */
  cols: number
}

/**
 * A background tool was sent a signal.
 *
 * @see docs/spec/event-frames.md
 */
export interface ToolTaskSignalledFrame {
  type: 'tool_task_signalled'
  /** The id of the stream. */
  task_id: string
  /** The name of the signal, such as `SIGTERM`. */
  signal: string
}
