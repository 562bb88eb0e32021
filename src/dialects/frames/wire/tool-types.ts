/**
 * Frames of tools. Within a session, a tool the agent waits for:
 *
 *     tool_started → (tool_stdout | tool_stderr)* → tool_ended | tool_failed
 *
 * In the background, a tool with a stream of its own:
 *
 *     tool_task_spawned → tool_task_status(queued) → tool_task_status(running)
 *       → (tool_task_output_delta | tool_task_stdin_written | …)* → tool_task_status(exited | failed | …)
 */

/**
 * A tool begins to run.
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export interface ToolStartedFrame {
  type: 'tool_started'
  /** Names this call of the tool. */
  tool_id: string
  /** The tool. */
  name: string
  /** Its arguments. Values are trusted to be JSON and never walked. */
  args: Record<string, unknown>
  /** How long it may run, in milliseconds. Null or absent: as long as it likes. */
  timeout_ms?: number | null
}

/**
 * A piece of what a tool wrote to its standard output.
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export interface ToolStdoutFrame {
  type: 'tool_stdout'
  /** The call. */
  tool_id: string
  /** The text to append. Bytes that are not UTF-8 are lost in it. */
  chunk: string
  /** Artifacts that hold the output in full. Version 2. Absent: none. */
  artifact_refs?: string[]
}

/**
 * A piece of what a tool wrote to its standard error output.
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export interface ToolStderrFrame {
  type: 'tool_stderr'
  /** The call. */
  tool_id: string
  /** The text to append. Bytes that are not UTF-8 are lost in it. */
  chunk: string
  /** Artifacts that hold the output in full. Version 2. Absent: none. */
  artifact_refs?: string[]
}

/**
 * A tool ran to its end, whatever its exit code.
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export interface ToolEndedFrame {
  type: 'tool_ended'
  /** The call. */
  tool_id: string
  /** 0 when all went well. A signed number of 32 bits. */
  exit_code: number
  /** How long it ran, in milliseconds. */
  duration_ms: number
  /** What it left behind, in a form of the tool's own. Null or absent: nothing. */
  artifacts?: Record<string, unknown> | null
  /** Artifacts that hold its output in full. Version 2. Absent: none. */
  artifact_refs?: string[]
}

/**
 * A tool could not run, or broke down. Comes instead of `tool_ended`.
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export interface ToolFailedFrame {
  type: 'tool_failed'
  /** The call. */
  tool_id: string
  /** What went wrong, for people. */
  error: string
}

/**
 * A tool starts in the background. The first frame of a task stream, whose id is the `task_id`.
 *
 * @see docs/spec/event-frames.md#background-tool-tasks
 */
export interface ToolTaskSpawnedFrame {
  type: 'tool_task_spawned'
  /** The id of the stream. */
  task_id: string
  /** The tool. */
  tool_name: string
  /** Its arguments. Values are trusted to be JSON and never walked. */
  args: Record<string, unknown>
  /** The folder it runs in. Null or absent: the workspace. */
  cwd?: string | null
  /** For people. Null or absent: none. */
  title?: string | null
  /** Whether it talks through pipes or through a terminal. */
  execution_mode: 'pipes' | 'pty'
  /** The session that started it. Null or absent: none. */
  origin_session_id?: string | null
  /** Where its output will be kept, in a form of the runtime's own. Null or absent: nowhere. */
  artifacts?: Record<string, unknown> | null
}

/**
 * Where a background tool stands. The last frame of a task stream says one of `exited`, `failed`,
 * `cancelled` and `timeout`.
 *
 * @see docs/spec/event-frames.md#background-tool-tasks
 */
export interface ToolTaskStatusFrame {
  type: 'tool_task_status'
  /** The id of the stream. */
  task_id: string
  /** An open set: `queued`, `running`, `exited`, `failed`, `cancelled`, `timeout`. */
  status: string
  /** With a status that ends the task: a signed number of 32 bits. Null or absent: none. */
  exit_code?: number | null
  /** When it began to run: milliseconds since 1970. Null or absent: not yet. */
  started_at_ms?: number | null
  /** When it ended: milliseconds since 1970. Null or absent: not yet. */
  ended_at_ms?: number | null
  /** What was kept of its output, in a form of the runtime's own. Null or absent: not told. */
  artifacts?: Record<string, unknown> | null
  /** What went wrong, for people. Null or absent: nothing. */
  error?: string | null
  /** Artifacts that hold its output in full. Absent: none. */
  artifact_refs?: string[]
}

/**
 * Somebody wants a background tool to stop.
 *
 * @see docs/spec/event-frames.md#background-tool-tasks
 */
export interface ToolTaskCancelRequestedFrame {
  type: 'tool_task_cancel_requested'
  /** The id of the stream. */
  task_id: string
  /** Why, for people. */
  reason: string
}

/**
 * A background tool was stopped. The status that says so follows.
 *
 * @see docs/spec/event-frames.md#background-tool-tasks
 */
export interface ToolTaskCancelledFrame {
  type: 'tool_task_cancelled'
  /** The id of the stream. */
  task_id: string
  /** Why, for people. */
  reason: string
  /** How long it had run, in milliseconds. Null or absent: not told. */
  wall_time_ms?: number | null
}

/**
 * A piece of what a background tool wrote.
 *
 * @see docs/spec/event-frames.md#background-tool-tasks
 */
export interface ToolTaskOutputDeltaFrame {
  type: 'tool_task_output_delta'
  /** The id of the stream. */
  task_id: string
  /** Where it wrote it. `pty` with a terminal, the others with pipes. */
  stream: 'stdout' | 'stderr' | 'pty'
  /** The text to append. Bytes that are not UTF-8 are lost in it. */
  chunk: string
  /** Where the output is kept, in a form of the runtime's own. Null or absent: nowhere. */
  artifacts?: Record<string, unknown> | null
  /** Artifacts that hold the output in full. Absent: none. */
  artifact_refs?: string[]
}

/**
 * Something was typed into the terminal of a background tool.
 *
 * @see docs/spec/event-frames.md#background-tool-tasks
 */
export interface ToolTaskStdinWrittenFrame {
  type: 'tool_task_stdin_written'
  /** The id of the stream. */
  task_id: string
  /** The bytes, in Base64. */
  chunk_b64: string
}

/**
 * The terminal of a background tool has another size.
 *
 * @see docs/spec/event-frames.md#background-tool-tasks
 */
export interface ToolTaskResizedFrame {
  type: 'tool_task_resized'
  /** The id of the stream. */
  task_id: string
  /** Lines: 0 to 65535. */
  rows: number
  /** Characters in a line: 0 to 65535. */
  cols: number
}

/**
 * A background tool was sent a signal.
 *
 * @see docs/spec/event-frames.md#background-tool-tasks
 */
export interface ToolTaskSignalledFrame {
  type: 'tool_task_signalled'
  /** The id of the stream. */
  task_id: string
  /** The name of the signal, such as `SIGTERM`. */
  signal: string
}
