/**
 * Frames of a tool within a session, which the agent waits for:
 *
 *     tool_started → (tool_stdout | tool_stderr)* → tool_ended | tool_failed
 */

/** A tool starts. */
export interface ToolStartedFrame {
  type: 'tool_started'
  /** The id of the call. */
  tool_id: string
  /** The name of the tool. */
  name: string
  /** The arguments: usually an object, possibly any JSON, such as text of the model that is not JSON. */
  args: unknown
  /** Timeout in milliseconds. Null or omitted: no timeout. */
  timeout_ms?: number | null
}

/** A chunk of a tool's standard output. */
export interface ToolStdoutFrame {
  type: 'tool_stdout'
  /** The id of the call. */
  tool_id: string
  /** The text to append. Bytes that are not UTF-8 are lost. */
  chunk: string
  /** Ids of artifacts with the full output. Version 2 only. Omitted if there are none. */
  artifact_refs?: string[]
}

/** A chunk of a tool's standard error output. */
export interface ToolStderrFrame {
  type: 'tool_stderr'
  /** The id of the call. */
  tool_id: string
  /** The text to append. Bytes that are not UTF-8 are lost. */
  chunk: string
  /** Ids of artifacts with the full output. Version 2 only. Omitted if there are none. */
  artifact_refs?: string[]
}

/** A tool ran to its end, with any exit code. */
export interface ToolEndedFrame {
  type: 'tool_ended'
  /** The id of the call. */
  tool_id: string
  /** The exit code: a signed 32-bit integer. 0 is a success. */
  exit_code: number
  /** Run time in milliseconds. */
  duration_ms: number
  /** Artifacts of the tool: JSON in a tool-specific form. Null or omitted: none. */
  artifacts?: unknown
  /** Ids of artifacts with the full output. Version 2 only. Omitted if there are none. */
  artifact_refs?: string[]
}

/** A tool could not run or crashed. Replaces `tool_ended`. */
export interface ToolFailedFrame {
  type: 'tool_failed'
  /** The id of the call. */
  tool_id: string
  /** Human-readable error message. */
  error: string
}
