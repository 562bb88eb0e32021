// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in the folder schemas beside it. Do not edit.

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

/** Any frame of a background tool. */
export type BackgroundToolFrame =
  | ToolTaskSpawnedFrame
  | ToolTaskStatusFrame
  | ToolTaskCancelRequestedFrame
  | ToolTaskCancelledFrame
  | ToolTaskOutputDeltaFrame
  | ToolTaskStdinWrittenFrame
  | ToolTaskResizedFrame
  | ToolTaskSignalledFrame

/** The envelope of version 1. The fields of the type are beside it, not in a field of their own. */
export interface FrameV1Envelope {
  /** The id of the frame: a UUID by the specification, in practice any unique string. */
  id: string
  /** The id of the stream: the session id, or the task id in a task stream. */
  session_id: string
  /** Creation time in milliseconds since 1970. Not used for ordering. */
  timestamp_ms: number
  /** Position in the stream, from 0 without gaps, at most 2^53-1. */
  seq: number
}

/**
 * The envelope of version 2. The fields of the type are beside it; decoding also accepts them in a
 * `payload` field.
 */
export interface FrameV2Envelope {
  /** The id of the frame: a UUID by the specification, in practice any unique string. */
  id: string
  /** Alias of `stream_id`, for readers of version 1. Optional. */
  session_id?: string
  /** The kind of the stream: `session`, `task`, `continuity`, `artifact` or a future kind. */
  stream_kind: string
  /** The id of the stream among those of its kind. */
  stream_id: string
  /** Creation time in milliseconds since 1970. Not used for ordering. */
  timestamp_ms: number
  /** Position in the stream, from 0 without gaps, at most 2^53-1. */
  seq: number
}

/** A run starts. The first frame of a session stream. */
export interface SessionStartedFrame {
  type: 'session_started'
  /** The request to the agent. Decoding also accepts the older name `prompt`, and its absence. */
  input: string
}

/** A chunk of the agent's answer. */
export interface OutputTextDeltaFrame {
  /** Decoding also accepts the older name `output`. */
  type: 'output_text_delta'
  /** The text to append. Decoding also accepts the older name `content`. */
  delta: string
}

/** A run ended. The last frame of a session that a runtime generated. */
export interface SessionEndedFrame {
  type: 'session_ended'
  /**
   * `completed` after a success; otherwise a code such as `cancelled`, `provider_error` or
   * `max_tool_calls_exceeded`, or human-readable text.
   */
  reason: string
}

/** One SSE event of a model provider, unchanged. A runtime logs every provider event. */
export interface ProviderEventFrame {
  type: 'provider_event'
  /** The provider, such as `openresponses`. */
  provider: string
  /** `event`: parsed data. `done`: the provider's end marker. `invalid_json`: data that is not JSON. */
  status: 'event' | 'done' | 'invalid_json'
  /** The SSE event type. Null or omitted: none. */
  event_name?: string | null
  /** The parsed data: usually an object, possibly any JSON. Null or omitted: none. */
  data?: unknown
  /** The data as text. Null or omitted if `data` is complete. */
  raw?: string | null
  /** Schema errors of the event, and transport errors. */
  errors: string[]
  /** Schema errors of the response resource in the event. */
  response_errors: string[]
}

/**
 * A snapshot of workspace files was saved. A runtime saves one automatically before a tool that edits files.
 *
 * Unrelated to `internal:checkpoint` of the core vocabulary, which marks an iteration of the agent loop.
 */
export interface CheckpointCreatedFrame {
  type: 'checkpoint_created'
  /** The id of the snapshot. */
  checkpoint_id: string
  /** Human-readable label. */
  label: string
  /** Creation time in milliseconds since 1970. */
  created_at_ms: number
  /** The saved files, as paths relative to the workspace. */
  files: string[]
  /** Whether the runtime saved it automatically before a tool that edits files. */
  auto: boolean
  /** The tool it was saved for. Null or omitted: none. */
  tool_name?: string | null
}

/** The workspace files were restored from a snapshot. */
export interface CheckpointRewoundFrame {
  type: 'checkpoint_rewound'
  /** The id of the snapshot. */
  checkpoint_id: string
  /** The label of the snapshot. */
  label: string
  /** The restored files, as paths relative to the workspace. */
  files: string[]
}

/** A snapshot could not be saved or restored. */
export interface CheckpointFailedFrame {
  type: 'checkpoint_failed'
  /** The operation that failed. */
  action: 'create' | 'rewind'
  /** Human-readable error message. */
  error: string
}

/** Any frame of a run but those of its tools. */
export type SessionFrame =
  | SessionStartedFrame
  | OutputTextDeltaFrame
  | SessionEndedFrame
  | ProviderEventFrame
  | CheckpointCreatedFrame
  | CheckpointRewoundFrame
  | CheckpointFailedFrame

/** An artifact was stored outside of the log. Allowed in any stream. */
export interface ArtifactWrittenFrame {
  type: 'artifact_written'
  /** The id of the artifact. */
  artifact_id: string
  /** The kind of artifact, such as a log. */
  kind: string
  /** Size in bytes. */
  bytes: number
  /** Hash of the content, as `algorithm:hex`. */
  digest: string
  /** The beginning of the content. Omitted if unknown. */
  preview?: string
}

/** The set of available skills changed. */
export interface SkillCatalogUpdatedFrame {
  type: 'skill_catalog_updated'
  /** Number of skills. */
  count: number
  /** The folders with skills. */
  roots: string[]
  /** Duplicate names, in a runtime-specific form. Omitted if unknown. */
  collisions?: unknown
}

/** A skill was loaded. */
export interface SkillLoadedFrame {
  type: 'skill_loaded'
  /** The name of the skill. */
  name: string
  /** The path of its file. */
  path: string
  /** Hash of its content. */
  digest: string
  /** The front matter of its file: JSON, not validated further. */
  frontmatter: Record<string, unknown>
  /** Warnings about the skill. Omitted if there are none. */
  warnings?: string[]
}

/** A skill was invoked. */
export interface SkillInvokedFrame {
  type: 'skill_invoked'
  /** The name of the skill. */
  name: string
  /** The arguments, in a skill-specific form. Omitted if there are none. */
  args?: unknown
  /** `manual`: a person chose the skill. `auto`: the agent did. */
  mode: 'manual' | 'auto'
  /** The tools allowed from here on. Omitted: all tools. */
  effective_allowed_tools?: string[]
}

/** A warning about a skill or the catalog. */
export interface SkillWarningFrame {
  type: 'skill_warning'
  /** The name of the skill. Omitted if the warning is about the catalog. */
  name?: string
  /** The kind of warning. */
  kind: string
  /** Human-readable description. */
  detail: string
}

/** Any frame that version 2 adds. */
export type StoreFrame =
  | ArtifactWrittenFrame
  | SkillCatalogUpdatedFrame
  | SkillLoadedFrame
  | SkillInvokedFrame
  | SkillWarningFrame

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

/** Any frame of a tool that the agent waits for. */
export type ToolFrame =
  | ToolStartedFrame
  | ToolStdoutFrame
  | ToolStderrFrame
  | ToolEndedFrame
  | ToolFailedFrame
