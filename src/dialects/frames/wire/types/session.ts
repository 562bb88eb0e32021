/**
 * Frames of one run of an agent: a session stream.
 *
 *     session_started → (provider_event | output_text_delta | tool_… | checkpoint_…)* → session_ended
 */

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
