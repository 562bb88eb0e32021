/**
 * Frames of one run of an agent: a session stream.
 *
 *     session_started → (provider_event | output_text_delta | tool_… | checkpoint_…)* → session_ended
 */

/**
 * A run begins. The first frame of a session stream.
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export interface SessionStartedFrame {
  type: 'session_started'
  /** What the agent is asked. Older logs call it `prompt` or leave it out; both are read. */
  input: string
}

/**
 * A piece of the agent's answer.
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export interface OutputTextDeltaFrame {
  /** Older logs say `output`, which is read. */
  type: 'output_text_delta'
  /** The text to append. Older logs call it `content`, which is read. */
  delta: string
}

/**
 * A run is over. The last frame of a session stream that a runtime generates.
 *
 * @see docs/spec/event-frames.md#invariants
 */
export interface SessionEndedFrame {
  type: 'session_ended'
  /**
   * Why: `completed` when all went well. Otherwise an open set, such as `cancelled`,
   * `provider_error` or `max_tool_calls_exceeded`, or a text for people.
   */
  reason: string
}

/**
 * One SSE event of a model provider, as it came. There is one for each; none is ever left out.
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export interface ProviderEventFrame {
  type: 'provider_event'
  /** Which provider, such as `openresponses`. */
  provider: string
  /** `event`: data that was read. `done`: the provider's end mark. `invalid_json`: data that is not JSON. */
  status: 'event' | 'done' | 'invalid_json'
  /** The SSE `event:` value. Null or absent: it had none. */
  event_name?: string | null
  /** The parsed payload: an object, in practice any JSON. Null or absent: there is none. */
  data?: unknown
  /** The text of the payload. Null or absent: `data` says it all. */
  raw?: string | null
  /** What is wrong with the event by its schema, or with the transport. Empty: nothing. */
  errors: string[]
  /** What is wrong with the response resource in it. Empty: nothing. */
  response_errors: string[]
}

/**
 * The workspace's files were saved. An automatic one comes before the tool that edits them starts.
 *
 * Not the `internal:checkpoint` of the core vocabulary, which marks a round of the agent loop.
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export interface CheckpointCreatedFrame {
  type: 'checkpoint_created'
  /** Names the snapshot. */
  checkpoint_id: string
  /** For people. */
  label: string
  /** When it was made: milliseconds since 1970. */
  created_at_ms: number
  /** The files in it, as paths relative to the workspace. */
  files: string[]
  /** Whether the runtime made it by itself, before a tool that edits files. */
  auto: boolean
  /** The tool it was made for. Null or absent: for none. */
  tool_name?: string | null
}

/**
 * The workspace's files were set back to a snapshot.
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export interface CheckpointRewoundFrame {
  type: 'checkpoint_rewound'
  /** The snapshot they were set back to. */
  checkpoint_id: string
  /** Its label. */
  label: string
  /** The files that were set back, as paths relative to the workspace. */
  files: string[]
}

/**
 * A snapshot could not be made, or not be gone back to.
 *
 * @see docs/spec/event-frames.md#frame-types
 */
export interface CheckpointFailedFrame {
  type: 'checkpoint_failed'
  /** What was tried. */
  action: 'create' | 'rewind'
  /** What went wrong, for people. */
  error: string
}
