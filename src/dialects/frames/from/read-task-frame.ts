/** What the frames of a tool in the background lead to: the events of a subtask with one call. */
import type { ErrorInfo } from '../../../events/error.ts'
import { saysMoreThan } from '../wire/embedded-frame.ts'
import { outcomeOf } from '../wire/outcome.ts'
import type {
  ToolTaskCancelledFrame,
  ToolTaskOutputDeltaFrame,
  ToolTaskSpawnedFrame,
  ToolTaskStatusFrame,
} from '../wire/tool-types.ts'
import type { FrameV1, FrameV2 } from '../wire/types.ts'
import type { EventWriter } from './event-writer.ts'

/** Writes the start of a task: the task itself, and its one call, which is called as the task is. */
export function readTaskStart(writer: EventWriter, frame: ToolTaskSpawnedFrame): void {
  const { taskId, parentTaskId } = writer.stream
  const { tool_name: toolName, args, title } = frame
  if (parentTaskId !== undefined) {
    const prompt = title ?? toolName
    writer.writeInParent(parentTaskId, { kind: 'subtask-created', subtaskId: taskId, prompt })
  }
  writer.write({ kind: 'task-created', initiator: 'agent', metadata: { streamKind: 'task' } }, frame)
  writer.write({ kind: 'tool-start', toolCallId: taskId, toolName, arguments: args })
  writer.started({ id: taskId, name: toolName })
}

/** Writes the events of a further frame. */
export function readTaskFrame(writer: EventWriter, frame: FrameV1 | FrameV2): void {
  switch (frame.type) {
    case 'tool_task_status':
      readStatus(writer, frame)
      break
    case 'tool_task_output_delta':
      readOutput(writer, frame)
      break
    case 'tool_task_cancelled':
      readCancelled(writer, frame)
      break
    default:
      writer.carry(frame)
  }
}

function readOutput(writer: EventWriter, frame: ToolTaskOutputDeltaFrame): void {
  const call = writer.tool(writer.stream.taskId)
  if (call === undefined) {
    writer.carry(frame)
    return
  }
  const { stream, chunk } = frame
  const isMore = saysMoreThan(frame, ['task_id', 'stream', 'chunk'])
  writer.write(
    { kind: 'tool-progress', toolCallId: call.id, progress: 0, metadata: { stream, chunk } },
    isMore ? frame : undefined,
  )
}

function readCancelled(writer: EventWriter, frame: ToolTaskCancelledFrame): void {
  const call = writer.tool(writer.stream.taskId)
  if (call === undefined) {
    writer.carry(frame)
    return
  }
  const { reason: error, wall_time_ms: duration } = frame
  writer.ended(call)
  writer.stream = { ...writer.stream, phase: 'cancelled' }
  writer.write(
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

function readStatus(writer: EventWriter, frame: ToolTaskStatusFrame): void {
  switch (frame.status) {
    case 'queued':
      writer.write({ kind: 'task-status', status: 'submitted' }, frame)
      break
    case 'running':
      writer.write({ kind: 'task-status', status: 'working' }, frame)
      break
    case 'exited':
    case 'failed':
    case 'timeout':
    case 'cancelled':
    case 'canceled':
      readEnd(writer, frame)
      break
    default:
      writer.carry(frame)
  }
}

function readEnd(writer: EventWriter, frame: ToolTaskStatusFrame): void {
  const { status, exit_code, started_at_ms: start, ended_at_ms: end } = frame
  const { success, error } = endOf(frame)
  const call = writer.tool(writer.stream.taskId)
  if (call !== undefined) {
    const duration =
      typeof start === 'number' && typeof end === 'number' && end >= start ? end - start : undefined
    writer.ended(call)
    writer.write({
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
  if (success) writer.end('completed', {}, frame)
  else if (status === 'cancelled' || status === 'canceled') writer.end('canceled', {}, frame)
  else writer.end('failed', { error: errorInfoOf(status, error, writer.stream.taskId) }, frame)
}

/** Whether the tool did what it was to do, and if not, why, for people. */
function endOf({ status, exit_code, error }: ToolTaskStatusFrame): { success: boolean; error?: string } {
  const outcome = outcomeOf(exit_code ?? 0)
  if (status === 'exited' && outcome.success) return outcome
  return { success: false, error: error ?? (status === 'exited' ? outcome.error : undefined) ?? `${status}.` }
}

function errorInfoOf(status: string, message = status, toolCallId: string): ErrorInfo {
  const code = status === 'timeout' ? 'timeout' : 'tool_failed'
  return { code, message, retry: 'terminal', scope: 'tool', toolCallId }
}
