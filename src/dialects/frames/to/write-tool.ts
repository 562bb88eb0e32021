/** Maps the events of a tool call to frames. */

import type { ContextEvent } from '../../../events/event.ts'
import type { ToolCompleteEvent, ToolProgressEvent, ToolStartEvent } from '../../../events/tool.ts'
import { jsonText } from '../../../json/json-text.ts'
import { embeddedFrame } from '../wire/embedded-frame.ts'
import { exitError } from '../wire/exit-status.ts'
import type { FrameWriter } from './frame-writer.ts'

/** Whether a call is that of a background tool: its task has frames of its own. */
function isBackgroundTool({ state }: FrameWriter, event: { taskId: string; toolCallId: string }): boolean {
  return state.kind === 'task' && event.toolCallId === event.taskId
}

/** Emits `tool_started`. */
export function writeToolStart(writer: FrameWriter, event: ContextEvent<ToolStartEvent>): void {
  const { toolCallId: tool_id, toolName: name, arguments: args, metadata } = event
  writer.startTool(event)
  const embedded = embeddedFrame(event)
  if (embedded !== undefined) {
    writer.emitWhole(embedded)
    return
  }
  if (isBackgroundTool(writer, event)) {
    writer.isWhole = true
    return
  }
  const timeout = metadata?.timeoutMs
  const isTimeout = Number.isSafeInteger(timeout) && (timeout as number) >= 0
  const timeout_ms = isTimeout ? (timeout as number) : null
  writer.emitFrame({ type: 'tool_started', tool_id, name, args, timeout_ms })
  if (isTimeout) writer.kept.push('metadata.timeoutMs')
}

/** Emits `tool_stdout`, `tool_stderr` or `tool_task_output_delta`. */
export function writeToolProgress(writer: FrameWriter, event: ContextEvent<ToolProgressEvent>): void {
  const { toolCallId: tool_id, progress, metadata } = event
  const { stream, chunk } = metadata ?? {}
  if (chunk === undefined) {
    writer.noEquivalent(event, 'tool-progress without a chunk')
    return
  }
  const isTask = isBackgroundTool(writer, event)
  const isStream = stream === 'stdout' || stream === 'stderr' || (isTask && stream === 'pty')
  if (isTask) {
    const output = {
      task_id: writer.state.id,
      stream: isStream ? stream : 'stdout',
      chunk,
      artifacts: null,
    } as const
    writer.emitFrame({ type: 'tool_task_output_delta', ...output })
  } else writer.emitFrame({ type: stream === 'stderr' ? 'tool_stderr' : 'tool_stdout', tool_id, chunk })
  writer.addStreamedTool(tool_id)
  if (progress === 0) writer.kept.push('progress')
  if (isStream) writer.kept.push('metadata.stream')
}

/** Emits `tool_ended` or `tool_failed`. */
export function writeToolComplete(writer: FrameWriter, event: ContextEvent<ToolCompleteEvent>): void {
  const { toolCallId: tool_id, success, result, error, metadata, timestamp } = event
  const tool = writer.removeTool(tool_id)
  if (isBackgroundTool(writer, event)) {
    writer.isWhole = true
    return
  }
  if (result !== undefined && result !== null && tool?.hasOutput !== true) {
    const chunk = typeof result === 'string' ? result : jsonText(result)
    if (chunk !== undefined) writer.emitFrame({ type: 'tool_stdout', tool_id, chunk })
  }
  const exit_code = exitCodeOf(metadata?.exitCode, success)
  if (exit_code === undefined) {
    writer.emitFrame({ type: 'tool_failed', tool_id, error: error ?? 'The tool failed.' })
    writer.kept.push('error')
    return
  }
  const { duration, artifacts = null } = metadata ?? {}
  const elapsed = Math.max(0, Date.parse(timestamp) - (tool?.startedAt ?? Number.POSITIVE_INFINITY))
  const duration_ms = Math.min(Math.round(duration ?? elapsed), Number.MAX_SAFE_INTEGER)
  writer.emitFrame({ type: 'tool_ended', tool_id, exit_code, duration_ms, artifacts })
  if (duration === undefined) {
    writer.inferred('duration_ms', `Expected metadata.duration, got none; ${duration_ms} ms were inferred.`)
  }
  const { kept } = writer
  kept.push('metadata.artifacts')
  if (metadata?.exitCode === exit_code) kept.push('metadata.exitCode')
  if (duration === duration_ms) kept.push('metadata.duration')
  if (error === exitError(exit_code)) kept.push('error')
}

/** The given exit code if it matches the result; otherwise 0 for a success and none for a failure. */
function exitCodeOf(value: unknown, success: boolean): number | undefined {
  // Exit codes are signed 32-bit integers.
  if (typeof value === 'number' && (value | 0) === value && (value === 0) === success) return value
  return success ? 0 : undefined
}
