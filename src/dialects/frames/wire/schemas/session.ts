/**
 * Frames of one run of an agent: a session stream.
 *
 *     session_started → (provider_event | output_text_delta | tool_… | checkpoint_…)* → session_ended
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybeNull, open } from '../../../../events/records/fields.ts'
import type { SessionFrame } from '../types.generated.ts'
import { text, texts } from './envelope.ts'

/** A run starts. The first frame of a session stream. */
const sessionStartedFrame = open({
  type: z.literal('session_started'),
  /** The request to the agent. Decoding also accepts the older name `prompt`, and its absence. */
  input: text,
})

/** A chunk of the agent's answer. */
const outputTextDeltaFrame = open({
  /** Decoding also accepts the older name `output`. */
  type: z.literal('output_text_delta'),
  /** The text to append. Decoding also accepts the older name `content`. */
  delta: text,
})

/** A run ended. The last frame of a session that a runtime generated. */
const sessionEndedFrame = open({
  type: z.literal('session_ended'),
  /**
   * `completed` after a success; otherwise a code such as `cancelled`, `provider_error` or
   * `max_tool_calls_exceeded`, or human-readable text.
   */
  reason: text,
})

/** One SSE event of a model provider, unchanged. A runtime logs every provider event. */
const providerEventFrame = open({
  type: z.literal('provider_event'),
  /** The provider, such as `openresponses`. */
  provider: text,
  /** `event`: parsed data. `done`: the provider's end marker. `invalid_json`: data that is not JSON. */
  status: z.enum(['event', 'done', 'invalid_json']),
  /** The SSE event type. Null or omitted: none. */
  event_name: maybeNull(text),
  /** The parsed data: usually an object, possibly any JSON. Null or omitted: none. */
  data: maybeNull(z.unknown()),
  /** The data as text. Null or omitted if `data` is complete. */
  raw: maybeNull(text),
  /** Schema errors of the event, and transport errors. */
  errors: texts,
  /** Schema errors of the response resource in the event. */
  response_errors: texts,
})

/**
 * A snapshot of workspace files was saved. A runtime saves one automatically before a tool that edits files.
 *
 * Unrelated to `internal:checkpoint` of the core vocabulary, which marks an iteration of the agent loop.
 */
const checkpointCreatedFrame = open({
  type: z.literal('checkpoint_created'),
  /** The id of the snapshot. */
  checkpoint_id: id,
  /** Human-readable label. */
  label: text,
  /** Creation time in milliseconds since 1970. */
  created_at_ms: count,
  /** The saved files, as paths relative to the workspace. */
  files: texts,
  /** Whether the runtime saved it automatically before a tool that edits files. */
  auto: z.boolean(),
  /** The tool it was saved for. Null or omitted: none. */
  tool_name: maybeNull(text),
})

/** The workspace files were restored from a snapshot. */
const checkpointRewoundFrame = open({
  type: z.literal('checkpoint_rewound'),
  /** The id of the snapshot. */
  checkpoint_id: id,
  /** The label of the snapshot. */
  label: text,
  /** The restored files, as paths relative to the workspace. */
  files: texts,
})

/** A snapshot could not be saved or restored. */
const checkpointFailedFrame = open({
  type: z.literal('checkpoint_failed'),
  /** The operation that failed. */
  action: z.enum(['create', 'rewind']),
  /** Human-readable error message. */
  error: text,
})

/** Any frame of a run but those of its tools. */
export const sessionFrame: Schema<SessionFrame> = schemaOf<SessionFrame>()(
  z.discriminatedUnion('type', [
    sessionStartedFrame,
    outputTextDeltaFrame,
    sessionEndedFrame,
    providerEventFrame,
    checkpointCreatedFrame,
    checkpointRewoundFrame,
    checkpointFailedFrame,
  ]),
)
