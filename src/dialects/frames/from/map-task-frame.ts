/** Maps the frames of a background tool to the events of a subtask with one tool call. */

import type { ErrorInfo } from '../../../events/error.ts'
import { hasOtherFields } from '../wire/embedded-frame.ts'
import { exitResult } from '../wire/exit-status.ts'
import type {
  ToolTaskCancelledFrame,
  ToolTaskOutputDeltaFrame,
  ToolTaskSpawnedFrame,
  ToolTaskStatusFrame,
} from '../wire/tool-types.ts'
import type { FrameV1, FrameV2 } from '../wire/types.ts'
import type { EventWriter } from './event-writer.ts'

/** Starts the task and its only tool call, whose id is the task id. */
export function mapTaskSpawned(writer: EventWriter, frame: ToolTaskSpawnedFrame): void {
  const { taskId, parentTaskId } = writer.state
  const { tool_name: toolName, args, title } = frame
  if (parentTaskId !== undefined) {
    const prompt = title ?? toolName
    writer.emitInParent(parentTaskId, { kind: 'subtask-created', subtaskId: taskId, prompt })
  }
  writer.emitEvent({ kind: 'task-created', initiator: 'agent', metadata: { streamKind: 'task' } }, frame)
  writer.emitEvent({ kind: 'tool-start', toolCallId: taskId, toolName, arguments: args })
  writer.addTool({ id: taskId, name: toolName })
}

/** Emits the events of any later frame. */
export function mapTaskFrame(writer: EventWriter, frame: FrameV1 | FrameV2): void {
  switch (frame.type) {
    case 'tool_task_status':
      mapStatus(writer, frame)
      break
    case 'tool_task_output_delta':
      mapOutput(writer, frame)
      break
    case 'tool_task_cancelled':
      mapCancelled(writer, frame)
      break
    default:
      writer.emitEmbedded(frame)
  }
}

function mapOutput(writer: EventWriter, frame: ToolTaskOutputDeltaFrame): void {
  const call = writer.runningTool(writer.state.taskId)
  if (call === undefined) {
    writer.emitEmbedded(frame)
    return
  }
  const { stream, chunk } = frame
  const hasMore = hasOtherFields(frame, ['task_id', 'stream', 'chunk'])
  writer.emitEvent(
    { kind: 'tool-progress', toolCallId: call.id, progress: 0, metadata: { stream, chunk } },
    hasMore ? frame : undefined,
  )
}

function mapCancelled(writer: EventWriter, frame: ToolTaskCancelledFrame): void {
  const call = writer.runningTool(writer.state.taskId)
  if (call === undefined) {
    writer.emitEmbedded(frame)
    return
  }
  const { reason: error, wall_time_ms: duration } = frame
  writer.removeTool(call)
  writer.update({ phase: 'cancelled' })
  writer.emitEvent(
    {
      kind: 'tool-complete',
      toolCallId: call.id,
      toolName: call.name,
      success: false,
      error,
      ...(typeof duration === 'number' && { metadata: { duration } }),
    },
    frame,
  )
}

function mapStatus(writer: EventWriter, frame: ToolTaskStatusFrame): void {
  switch (frame.status) {
    case 'queued':
      writer.emitEvent({ kind: 'task-status', status: 'submitted' }, frame)
      break
    case 'running':
      writer.emitEvent({ kind: 'task-status', status: 'working' }, frame)
      break
    case 'exited':
    case 'failed':
    case 'timeout':
    case 'cancelled':
    case 'canceled':
      mapFinalStatus(writer, frame)
      break
    default:
      writer.emitEmbedded(frame)
  }
}

function mapFinalStatus(writer: EventWriter, frame: ToolTaskStatusFrame): void {
  const { status, exit_code, started_at_ms: start, ended_at_ms: end } = frame
  const { success, error } = resultOf(frame)
  const call = writer.runningTool(writer.state.taskId)
  if (call !== undefined) {
    const duration =
      typeof start === 'number' && typeof end === 'number' && end >= start ? end - start : undefined
    writer.removeTool(call)
    writer.emitEvent({
      kind: 'tool-complete',
      toolCallId: call.id,
      toolName: call.name,
      success,
      ...(error !== undefined && { error }),
      metadata: {
        ...(duration !== undefined && { duration }),
        ...(typeof exit_code === 'number' && { exitCode: exit_code }),
      },
    })
  }
  if (success) writer.endTask('completed', {}, frame)
  else if (status === 'cancelled' || status === 'canceled') writer.endTask('canceled', {}, frame)
  else writer.endTask('failed', { error: errorInfoOf(status, error, writer.state.taskId) }, frame)
}

/** Whether the tool succeeded, and the error message if it did not. */
function resultOf({ status, exit_code, error }: ToolTaskStatusFrame): { success: boolean; error?: string } {
  const result = exitResult(exit_code ?? 0)
  if (status === 'exited' && result.success) return result
  return { success: false, error: error ?? (status === 'exited' ? result.error : undefined) ?? `${status}.` }
}

function errorInfoOf(status: string, message = status, toolCallId: string): ErrorInfo {
  const code = status === 'timeout' ? 'timeout' : 'tool_failed'
  return { code, message, retry: 'terminal', scope: 'tool', toolCallId }
}
