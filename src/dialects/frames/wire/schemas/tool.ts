/**
 * Frames of a tool within a session, which the agent waits for:
 *
 *     tool_started → (tool_stdout | tool_stderr)* → tool_ended | tool_failed
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybe, maybeNull, open } from '../../../../events/records/fields.ts'
import type { ToolFrame } from '../types.generated.ts'
import { int32, text, texts } from './envelope.ts'

/** A tool starts. */
const toolStartedFrame = open({
  type: z.literal('tool_started'),
  /** The id of the call. */
  tool_id: id,
  /** The name of the tool. */
  name: id,
  /** The arguments: usually an object, possibly any JSON, such as text of the model that is not JSON. */
  args: z.unknown(),
  /** Timeout in milliseconds. Null or omitted: no timeout. */
  timeout_ms: maybeNull(count),
})

const output = {
  /** The id of the call. */
  tool_id: id,
  /** The text to append. Bytes that are not UTF-8 are lost. */
  chunk: text,
  /** Ids of artifacts with the full output. Version 2 only. Omitted if there are none. */
  artifact_refs: maybe(texts),
}

/** A chunk of a tool's standard output. */
const toolStdoutFrame = open({ type: z.literal('tool_stdout'), ...output })

/** A chunk of a tool's standard error output. */
const toolStderrFrame = open({ type: z.literal('tool_stderr'), ...output })

/** A tool ran to its end, with any exit code. */
const toolEndedFrame = open({
  type: z.literal('tool_ended'),
  /** The id of the call. */
  tool_id: id,
  /** The exit code: a signed 32-bit integer. 0 is a success. */
  exit_code: int32,
  /** Run time in milliseconds. */
  duration_ms: count,
  /** Artifacts of the tool: JSON in a tool-specific form. Null or omitted: none. */
  artifacts: maybeNull(z.unknown()),
  /** Ids of artifacts with the full output. Version 2 only. Omitted if there are none. */
  artifact_refs: maybe(texts),
})

/** A tool could not run or crashed. Replaces `tool_ended`. */
const toolFailedFrame = open({
  type: z.literal('tool_failed'),
  /** The id of the call. */
  tool_id: id,
  /** Human-readable error message. */
  error: text,
})

/** Any frame of a tool that the agent waits for. */
export const toolFrame: Schema<ToolFrame> = schemaOf<ToolFrame>()(
  z.discriminatedUnion('type', [
    toolStartedFrame,
    toolStdoutFrame,
    toolStderrFrame,
    toolEndedFrame,
    toolFailedFrame,
  ]),
)
