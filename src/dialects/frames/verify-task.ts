/** The rules of task streams. */
import { isTaskEnd } from './outcome.ts'
import type { ToolTaskOutputDeltaFrame, ToolTaskSpawnedFrame, ToolTaskStatusFrame } from './tool-types.ts'
import type { FrameV2Body } from './types.ts'
import type { Findings, VerifiedStream, VerifiedTask } from './verifier-state.ts'

/** The stream after a `tool_task_…` frame, and what is wrong with the frame. */
export function verifyTask(
  stream: VerifiedStream,
  frame: Extract<FrameV2Body, { task_id: string }>,
  id: string,
  found: Findings,
): VerifiedStream {
  if (frame.task_id !== id) {
    const more = { path: '/task_id', expected: id, actual: frame.task_id }
    found.error('task-id', 'The task of another stream.', more)
  }
  const { task } = stream.more
  if (frame.type === 'tool_task_spawned') return verifySpawn(stream, frame, found)
  if (task === undefined) return stream
  if (isOver(task)) verifyAfterEnd(task, frame, found)
  switch (frame.type) {
    case 'tool_task_status':
      return verifyStatus(stream, task, frame, found)
    case 'tool_task_cancel_requested':
      return withTask(stream, { ...task, isCancelRequested: true })
    case 'tool_task_cancelled':
      if (!task.isCancelRequested && !stream.isHoled) warnUnasked(found)
      return task.status === 'ended' ? stream : withTask(stream, { ...task, status: 'cancelled' })
    case 'tool_task_output_delta':
      verifyOutput(task, frame, found)
      return stream
    case 'tool_task_stdin_written':
    case 'tool_task_resized':
      if (task.mode !== 'pty')
        found.error('execution-mode', 'The task has no terminal.', { actual: task.mode })
      return stream
    default:
      return stream
  }
}

function isOver({ status }: VerifiedTask): boolean {
  return status === 'ended' || status === 'cancelled'
}

function withTask(stream: VerifiedStream, task: VerifiedTask): VerifiedStream {
  return { ...stream, more: { ...stream.more, task } }
}

function warnUnasked(found: Findings): void {
  found.warn('task-lifecycle', 'Cancelled although nobody asked for it.')
}

function verifySpawn(stream: VerifiedStream, frame: ToolTaskSpawnedFrame, found: Findings): VerifiedStream {
  if (stream.more.task !== undefined) {
    found.error('task-lifecycle', 'The task was spawned before.')
    return stream
  }
  return withTask(stream, { mode: frame.execution_mode, status: 'queued', isCancelRequested: false })
}

/** After the end only what was still under way may come: output, and the status that says so. */
function verifyAfterEnd(task: VerifiedTask, frame: FrameV2Body, found: Findings): void {
  if (frame.type === 'tool_task_output_delta') {
    found.warn('task-lifecycle', 'Output after the end of the task.')
  } else if (task.status === 'ended' || frame.type !== 'tool_task_status') {
    found.error('task-lifecycle', 'The task is over.', { path: '/type', actual: frame.type })
  }
}

function verifyStatus(
  stream: VerifiedStream,
  task: VerifiedTask,
  frame: ToolTaskStatusFrame,
  found: Findings,
): VerifiedStream {
  const { status, exit_code = null, started_at_ms: start = null, ended_at_ms: end = null } = frame
  const rule = 'task-lifecycle'
  if (start !== null && end !== null && end < start) {
    found.error(rule, 'It ended before it started.', { path: '/ended_at_ms', expected: start, actual: end })
  }
  const isEnd = isTaskEnd(status)
  if (exit_code !== null && (status === 'queued' || status === 'running')) {
    found.warn(rule, 'An exit code of a task that goes on.', { path: '/exit_code', actual: exit_code })
  }
  if (task.status === 'ended') return stream
  const isCancelled = status === 'cancelled' || status === 'canceled'
  if (task.status === 'cancelled') {
    if (!isCancelled)
      found.error(rule, 'The task was cancelled.', { path: '/status', expected: 'cancelled', actual: status })
  } else {
    if (task.status === 'running' && status === 'queued') {
      const more = { path: '/status', expected: 'running', actual: status }
      found.error(rule, 'The task is running already.', more)
    }
    if (isCancelled && !task.isCancelRequested && !stream.isHoled) warnUnasked(found)
  }
  if (isEnd) return { ...withTask(stream, { ...task, status: 'ended' }), phase: 'ended' }
  return status === 'running' && task.status === 'queued'
    ? withTask(stream, { ...task, status: 'running' })
    : stream
}

function verifyOutput(task: VerifiedTask, frame: ToolTaskOutputDeltaFrame, found: Findings): void {
  if ((frame.stream === 'pty') === (task.mode === 'pty')) return
  const more = { path: '/stream', expected: task.mode, actual: frame.stream }
  found.error('execution-mode', 'A stream the task does not have.', more)
}
