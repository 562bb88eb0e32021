/** Maps the events of a tool call to frames. */

import type { ContextEvent } from '../../../events/event.ts'
import type { ToolCompleteEvent, ToolProgressEvent, ToolStartEvent } from '../../../events/tool.ts'
import { isFields } from '../../../validation/predicates.ts'
import { exitError } from '../wire/exit-status.ts'
import type { FrameWriter } from './frame-writer.ts'

/** Whether a call is that of a background tool: its task has frames of its own. */
function isBackgroundTool({ state }: FrameWriter, event: { taskId: string; toolCallId: string }): boolean {
  return state.kind === 'task' && event.toolCallId === event.taskId
}

/** Emits `tool_started`. */
export function writeToolStart(writer: FrameWriter, event: ContextEvent<ToolStartEvent>): void {
  const { toolCallId: tool_id, toolName: name, arguments: args, metadata } = event
  if (isBackgroundTool(writer, event)) return
  const timeout = metadata?.timeoutMs
  const isTimeout = Number.isSafeInteger(timeout) && (timeout as number) >= 0
  writer.emitFrame({
    type: 'tool_started',
    tool_id,
    name,
    args,
    timeout_ms: isTimeout ? (timeout as number) : null,
  })
  writer.reportLossyFields(event, ['toolCallId', 'toolName', 'arguments'], isTimeout ? ['timeoutMs'] : [])
}

/** Emits `tool_stdout`, `tool_stderr` or `tool_task_output_delta`. */
export function writeToolProgress(writer: FrameWriter, event: ContextEvent<ToolProgressEvent>): void {
  const { toolCallId: tool_id, progress, metadata } = event
  const { stream, chunk } = metadata ?? {}
  if (chunk === undefined) {
    writer.droppedEvent(event, 'Frames have no equivalent for tool-progress without metadata.chunk.')
    return
  }
  const isTask = isBackgroundTool(writer, event)
  const isStream = stream === 'stdout' || stream === 'stderr' || (isTask && stream === 'pty')
  if (isTask) {
    writer.emitFrame({
      type: 'tool_task_output_delta',
      task_id: writer.state.id,
      stream: isStream ? stream : 'stdout',
      chunk,
      artifacts: null,
    })
  } else writer.emitFrame({ type: stream === 'stderr' ? 'tool_stderr' : 'tool_stdout', tool_id, chunk })
  writer.addStreamedTool(tool_id)
  const mapped = ['toolCallId', ...(progress === 0 ? ['progress'] : [])]
  writer.reportLossyFields(event, mapped, isStream ? ['stream', 'chunk'] : ['chunk'])
}

/** Emits `tool_ended` or `tool_failed`. */
export function writeToolComplete(writer: FrameWriter, event: ContextEvent<ToolCompleteEvent>): void {
  const { toolCallId: tool_id, success, result, error, metadata } = event
  const wasStreamed = writer.removeStreamedTool(tool_id)
  if (isBackgroundTool(writer, event)) return
  if (result !== undefined && result !== null && !wasStreamed) {
    const chunk = typeof result === 'string' ? result : JSON.stringify(result)
    writer.emitFrame({ type: 'tool_stdout', tool_id, chunk })
  }
  const mapped = ['toolCallId', 'toolName', 'success']
  const exitCode = exitCodeOf(metadata?.exitCode, success)
  if (exitCode === undefined) {
    writer.emitFrame({ type: 'tool_failed', tool_id, error: error ?? 'The tool failed.' })
    writer.reportLossyFields(event, [...mapped, 'error'])
    return
  }
  const { duration } = metadata ?? {}
  const duration_ms = Math.min(Math.round(duration ?? 0), Number.MAX_SAFE_INTEGER)
  const artifacts = metadata?.artifacts
  const hasArtifacts = isFields(artifacts)
  writer.emitFrame({
    type: 'tool_ended',
    tool_id,
    exit_code: exitCode,
    duration_ms,
    artifacts: hasArtifacts ? artifacts : null,
  })
  if (duration === undefined) {
    writer.inferred('duration_ms', 'The event has no metadata.duration; duration_ms 0 was inferred.')
  }
  writer.reportLossyFields(event, error === exitError(exitCode) ? [...mapped, 'error'] : mapped, [
    'exitCode',
    ...(duration === duration_ms ? ['duration'] : []),
    ...(hasArtifacts ? ['artifacts'] : []),
  ])
}

/** The given exit code if it matches the result; otherwise 0 for a success and none for a failure. */
function exitCodeOf(value: unknown, success: boolean): number | undefined {
  // Exit codes are signed 32-bit integers.
  if (typeof value === 'number' && (value | 0) === value && (value === 0) === success) return value
  return success ? 0 : undefined
}
