// Written by `npm run gen` from the zod schemas. Do not edit.
import { type Fields, isCount, isFields, isId, isIntegerIn, isListOf, isText } from '../../../validation/predicates.ts'

function sessionStarted(o: Fields): boolean {
  return isText(o.input)
}

function outputTextDelta(o: Fields): boolean {
  return isText(o.delta)
}

function sessionEnded(o: Fields): boolean {
  return isText(o.reason)
}

function toolStarted(o: Fields): boolean {
  return isId(o.tool_id) &&
    isId(o.name) &&
    isFields(o.args) &&
    (o.timeout_ms === null || (o.timeout_ms === undefined || isCount(o.timeout_ms)))
}

function toolStdout(o: Fields): boolean {
  return isId(o.tool_id) &&
    isText(o.chunk) &&
    (o.artifact_refs === undefined || isListOf(o.artifact_refs, (item) => isText(item)))
}

function toolEnded(o: Fields): boolean {
  return isId(o.tool_id) &&
    isIntegerIn(o.exit_code, -2147483648, 2147483647) &&
    isCount(o.duration_ms) &&
    (o.artifacts === null || (o.artifacts === undefined || isFields(o.artifacts))) &&
    (o.artifact_refs === undefined || isListOf(o.artifact_refs, (item) => isText(item)))
}

function toolFailed(o: Fields): boolean {
  return isId(o.tool_id) &&
    isText(o.error)
}

function providerEvent(o: Fields): boolean {
  return isText(o.provider) &&
    (o.status === 'event' || o.status === 'done' || o.status === 'invalid_json') &&
    (o.event_name === null || (o.event_name === undefined || isText(o.event_name))) &&
    (o.raw === null || (o.raw === undefined || isText(o.raw))) &&
    isListOf(o.errors, (item) => isText(item)) &&
    isListOf(o.response_errors, (item) => isText(item))
}

function checkpointCreated(o: Fields): boolean {
  return isId(o.checkpoint_id) &&
    isText(o.label) &&
    isCount(o.created_at_ms) &&
    isListOf(o.files, (item) => isText(item)) &&
    typeof o.auto === 'boolean' &&
    (o.tool_name === null || (o.tool_name === undefined || isText(o.tool_name)))
}

function checkpointRewound(o: Fields): boolean {
  return isId(o.checkpoint_id) &&
    isText(o.label) &&
    isListOf(o.files, (item) => isText(item))
}

function checkpointFailed(o: Fields): boolean {
  return (o.action === 'create' || o.action === 'rewind') &&
    isText(o.error)
}

function toolTaskSpawned(o: Fields): boolean {
  return isId(o.task_id) &&
    isId(o.tool_name) &&
    isFields(o.args) &&
    (o.cwd === null || (o.cwd === undefined || isText(o.cwd))) &&
    (o.title === null || (o.title === undefined || isText(o.title))) &&
    (o.execution_mode === 'pipes' || o.execution_mode === 'pty') &&
    (o.origin_session_id === null || (o.origin_session_id === undefined || isId(o.origin_session_id))) &&
    (o.artifacts === null || (o.artifacts === undefined || isFields(o.artifacts)))
}

function toolTaskStatus(o: Fields): boolean {
  return isId(o.task_id) &&
    isText(o.status) &&
    (o.exit_code === null || (o.exit_code === undefined || isIntegerIn(o.exit_code, -2147483648, 2147483647))) &&
    (o.started_at_ms === null || (o.started_at_ms === undefined || isCount(o.started_at_ms))) &&
    (o.ended_at_ms === null || (o.ended_at_ms === undefined || isCount(o.ended_at_ms))) &&
    (o.artifacts === null || (o.artifacts === undefined || isFields(o.artifacts))) &&
    (o.error === null || (o.error === undefined || isText(o.error))) &&
    (o.artifact_refs === undefined || isListOf(o.artifact_refs, (item) => isText(item)))
}

function toolTaskCancelRequested(o: Fields): boolean {
  return isId(o.task_id) &&
    isText(o.reason)
}

function toolTaskCancelled(o: Fields): boolean {
  return isId(o.task_id) &&
    isText(o.reason) &&
    (o.wall_time_ms === null || (o.wall_time_ms === undefined || isCount(o.wall_time_ms)))
}

function toolTaskOutputDelta(o: Fields): boolean {
  return isId(o.task_id) &&
    (o.stream === 'stdout' || o.stream === 'stderr' || o.stream === 'pty') &&
    isText(o.chunk) &&
    (o.artifacts === null || (o.artifacts === undefined || isFields(o.artifacts))) &&
    (o.artifact_refs === undefined || isListOf(o.artifact_refs, (item) => isText(item)))
}

function toolTaskStdinWritten(o: Fields): boolean {
  return isId(o.task_id) &&
    isText(o.chunk_b64)
}

function toolTaskResized(o: Fields): boolean {
  return isId(o.task_id) &&
    isIntegerIn(o.rows, 0, 65535) &&
    isIntegerIn(o.cols, 0, 65535)
}

function toolTaskSignalled(o: Fields): boolean {
  return isId(o.task_id) &&
    isText(o.signal)
}

function artifactWritten(o: Fields): boolean {
  return isId(o.artifact_id) &&
    isText(o.kind) &&
    isCount(o.bytes) &&
    isText(o.digest) &&
    (o.preview === undefined || isText(o.preview))
}

function skillCatalogUpdated(o: Fields): boolean {
  return isCount(o.count) &&
    isListOf(o.roots, (item) => isText(item))
}

function skillLoaded(o: Fields): boolean {
  return isId(o.name) &&
    isText(o.path) &&
    isText(o.digest) &&
    isFields(o.frontmatter) &&
    (o.warnings === undefined || isListOf(o.warnings, (item) => isText(item)))
}

function skillInvoked(o: Fields): boolean {
  return isId(o.name) &&
    (o.mode === 'manual' || o.mode === 'auto') &&
    (o.effective_allowed_tools === undefined || isListOf(o.effective_allowed_tools, (item) => isText(item)))
}

function skillWarning(o: Fields): boolean {
  return (o.name === undefined || isId(o.name)) &&
    isText(o.kind) &&
    isText(o.detail)
}

export function checkV1Envelope(o: Fields): boolean {
  return isId(o.id) &&
    isId(o.session_id) &&
    isCount(o.timestamp_ms) &&
    isCount(o.seq)
}

export function checkV2Envelope(o: Fields): boolean {
  return isId(o.id) &&
    (o.session_id === undefined || isId(o.session_id)) &&
    isId(o.stream_kind) &&
    isId(o.stream_id) &&
    isCount(o.timestamp_ms) &&
    isCount(o.seq)
}

/** Whether an event is valid for its tag; `undefined` for an unknown tag. */
export function checkBody(tag: string, o: Fields): boolean | undefined {
  // Parsed JSON strings are not interned: comparing lengths first is faster.
  switch (tag.length) {
    case 10:
      if (tag === 'tool_ended') return toolEnded(o)
      return undefined
    case 11:
      if (tag === 'tool_stdout') return toolStdout(o)
      if (tag === 'tool_stderr') return toolStdout(o)
      if (tag === 'tool_failed') return toolFailed(o)
      return undefined
    case 12:
      if (tag === 'tool_started') return toolStarted(o)
      if (tag === 'skill_loaded') return skillLoaded(o)
      return undefined
    case 13:
      if (tag === 'session_ended') return sessionEnded(o)
      if (tag === 'skill_invoked') return skillInvoked(o)
      if (tag === 'skill_warning') return skillWarning(o)
      return undefined
    case 14:
      if (tag === 'provider_event') return providerEvent(o)
      return undefined
    case 15:
      if (tag === 'session_started') return sessionStarted(o)
      return undefined
    case 16:
      if (tag === 'tool_task_status') return toolTaskStatus(o)
      if (tag === 'artifact_written') return artifactWritten(o)
      return undefined
    case 17:
      if (tag === 'output_text_delta') return outputTextDelta(o)
      if (tag === 'checkpoint_failed') return checkpointFailed(o)
      if (tag === 'tool_task_spawned') return toolTaskSpawned(o)
      if (tag === 'tool_task_resized') return toolTaskResized(o)
      return undefined
    case 18:
      if (tag === 'checkpoint_created') return checkpointCreated(o)
      if (tag === 'checkpoint_rewound') return checkpointRewound(o)
      return undefined
    case 19:
      if (tag === 'tool_task_cancelled') return toolTaskCancelled(o)
      if (tag === 'tool_task_signalled') return toolTaskSignalled(o)
      return undefined
    case 21:
      if (tag === 'skill_catalog_updated') return skillCatalogUpdated(o)
      return undefined
    case 22:
      if (tag === 'tool_task_output_delta') return toolTaskOutputDelta(o)
      return undefined
    case 23:
      if (tag === 'tool_task_stdin_written') return toolTaskStdinWritten(o)
      return undefined
    case 26:
      if (tag === 'tool_task_cancel_requested') return toolTaskCancelRequested(o)
      return undefined
    default:
      return undefined
  }
}
