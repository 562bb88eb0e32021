/** Maps the frames of a background tool to the events of a task with one tool call. */

import type { ErrorInfo } from '../../../events/error.ts'
import { isFields } from '../../../validation/predicates.ts'
import { endStatusOf, exitResult, isTerminalToolStatus } from '../wire/exit-status.ts'
import { taskIdOf } from '../wire/stream/frame-stream.ts'
import type {
  ToolTaskCancelledFrame,
  ToolTaskSpawnedFrame,
  ToolTaskStatusFrame,
} from '../wire/types.generated.ts'
import type { FrameV1, FrameV2 } from '../wire/types.ts'
import {
  emitEmbedded,
  emitEvent,
  emitProgress,
  endTask,
  endTool,
  type FrameWriter,
  startTool,
} from './frame-writer.ts'
import { mapOutput } from './map-output.ts'

/** Starts the task and its only tool call, whose id is the task id. */
export function mapTaskSpawned(writer: FrameWriter, frame: ToolTaskSpawnedFrame): void {
  const { tool_name: toolName, args, origin_session_id: origin } = frame
  const metadata = { streamKind: 'task', ...(typeof origin === 'string' && { originSessionId: origin }) }
  emitEvent(writer, { kind: 'task-created', initiator: 'agent', metadata }, frame)
  const toolCallId = startTool(writer, writer.state.taskId, toolName)
  if (toolCallId === undefined) return
  emitEvent(writer, { kind: 'tool-start', toolCallId, toolName, arguments: isFields(args) ? args : {} })
}

const OUTPUT_FIELDS = ['task_id', 'stream', 'chunk']

/** Emits the events of any later frame. */
export function mapTaskFrame(writer: FrameWriter, frame: FrameV1 | FrameV2): void {
  const { taskId } = writer.state
  // A task frame in another stream is about another task.
  if (!('task_id' in frame) || taskIdOf({ kind: 'task', id: frame.task_id }) !== taskId) {
    emitEmbedded(writer, frame)
    return
  }
  switch (frame.type) {
    case 'tool_task_status':
      mapStatus(writer, frame)
      break
    case 'tool_task_output_delta':
      mapOutput(writer, taskId, frame.stream, frame, OUTPUT_FIELDS)
      break
    case 'tool_task_cancelled':
      mapCancelled(writer, frame)
      break
    default:
      emitEmbedded(writer, frame)
  }
}

function mapCancelled(writer: FrameWriter, frame: ToolTaskCancelledFrame): void {
  const call = endTool(writer, writer.state.taskId)
  if (call === undefined) {
    emitEmbedded(writer, frame)
    return
  }
  const { toolCallId, toolName } = call
  const { reason: error, wall_time_ms: duration } = frame
  const metadata = typeof duration === 'number' ? { metadata: { duration } } : {}
  writer.state.phase = 'cancelled'
  emitEvent(
    writer,
    { kind: 'tool-complete', toolCallId, toolName, success: false, error, ...metadata },
    frame,
  )
}

function mapStatus(writer: FrameWriter, frame: ToolTaskStatusFrame): void {
  const { status } = frame
  if (isTerminalToolStatus(status)) mapFinalStatus(writer, frame)
  else if (status === 'running') emitProgress(writer, 'working', frame)
  else if (status === 'queued' && !writer.state.isWorking) emitProgress(writer, 'submitted', frame)
  else emitEmbedded(writer, frame)
}

function mapFinalStatus(writer: FrameWriter, frame: ToolTaskStatusFrame): void {
  const { status, exit_code: exitCode, started_at_ms: start, ended_at_ms: end } = frame
  const { success, error } = resultOf(frame)
  const call = endTool(writer, writer.state.taskId)
  if (call !== undefined) {
    const { toolCallId, toolName } = call
    const isTimed = typeof start === 'number' && typeof end === 'number' && end >= start
    const metadata = {
      ...(isTimed && { duration: end - start }),
      ...(typeof exitCode === 'number' && { exitCode }),
    }
    emitEvent(writer, {
      kind: 'tool-complete',
      toolCallId,
      toolName,
      success,
      ...(error !== undefined && { error }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    })
  }
  const event = { kind: 'task-status' } as const
  if (success) endTask(writer, { ...event, status: 'completed' }, frame)
  else if (endStatusOf(status) === 'canceled') {
    endTask(writer, { ...event, status: 'canceled' }, frame)
  } else {
    const info = errorInfoOf(status, error, call?.toolCallId)
    endTask(writer, { ...event, status: 'failed', error: info }, frame)
  }
}

/** Whether the tool succeeded, and the error message if it did not. */
function resultOf({ status, exit_code, error }: ToolTaskStatusFrame): { success: boolean; error?: string } {
  const result = exitResult(exit_code ?? 0)
  if (status === 'exited' && result.success) return result
  return { success: false, error: error ?? (status === 'exited' ? result.error : undefined) ?? `${status}.` }
}

function errorInfoOf(status: string, message = status, toolCallId?: string): ErrorInfo {
  const code = status === 'timeout' ? 'timeout' : 'tool_failed'
  const error = { code, message, retry: 'terminal', scope: 'tool' } as const
  return toolCallId === undefined ? error : { ...error, toolCallId }
}
