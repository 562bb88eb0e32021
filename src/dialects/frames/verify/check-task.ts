/** Rules of task streams. */
import { describeValue } from '../../../core/require.ts'
import { isTerminalToolStatus } from '../wire/exit-status.ts'
import type { ToolTaskStatusFrame } from '../wire/tool-types.ts'
import type { FrameV2Body } from '../wire/types.ts'
import { type Report, WARN } from './report.ts'
import { type VerifiedStream, withDetails } from './state.ts'

const RULE = 'task-lifecycle'

/** Checks a `tool_task_…` frame. Returns the stream after it. */
export function checkTaskFrame(
  stream: VerifiedStream,
  frame: Extract<FrameV2Body, { task_id: string }>,
  id: string,
  report: Report,
): VerifiedStream {
  const { details, phase } = stream
  const { type } = frame
  if (frame.task_id !== id) {
    const message = `Expected task_id ${describeValue(id)}, got ${describeValue(frame.task_id)}.`
    report('task-id', message, '/task_id', { expected: id })
  }
  if (type === 'tool_task_spawned') {
    if (details.executionMode !== undefined) report(RULE, 'Duplicate tool_task_spawned.', '/type')
    return withDetails(stream, { executionMode: frame.execution_mode })
  }
  const isStatus = type === 'tool_task_status'
  // Output may still be in flight when a task is cancelled or ends. A cancelled task gets a final status.
  if (type === 'tool_task_output_delta') {
    if (phase !== 'open')
      report(RULE, `${type} after the task ${phase === 'ended' ? 'ended' : 'was cancelled'}.`, '/type', WARN)
  } else if (phase === 'ended' || (phase === 'cancelled' && !isStatus)) {
    report(RULE, `${type} after the task ${phase === 'ended' ? 'ended' : 'was cancelled'}.`, '/type')
  }
  if (isStatus) return checkStatus(stream, frame, report)

  const { executionMode } = details
  switch (type) {
    case 'tool_task_cancel_requested':
      return withDetails(stream, { isCancelRequested: true })
    case 'tool_task_cancelled':
      if (!isCancelExpected(stream)) {
        report(RULE, `${type} without tool_task_cancel_requested.`, '/type', WARN)
      }
      return phase === 'open' ? { ...stream, phase: 'cancelled' } : stream
    case 'tool_task_output_delta':
      if (executionMode !== undefined && (frame.stream === 'pty') !== (executionMode === 'pty')) {
        const message = `Stream ${describeValue(frame.stream)} of a task with execution_mode ${describeValue(executionMode)}.`
        report('execution-mode', message, '/stream')
      }
      return stream
    case 'tool_task_stdin_written':
    case 'tool_task_resized':
      if (executionMode === 'pipes') {
        report('execution-mode', `${type} of a task with execution_mode "pipes".`, '/type')
      }
      return stream
    default:
      return stream
  }
}

function isCancelExpected({ details, hasGap }: VerifiedStream): boolean {
  return details.isCancelRequested === true || hasGap
}

function checkStatus(stream: VerifiedStream, frame: ToolTaskStatusFrame, report: Report): VerifiedStream {
  const { status, exit_code, started_at_ms: start, ended_at_ms: end } = frame
  const { phase, details } = stream
  const shown = describeValue(status)
  if ((end ?? Infinity) < (start ?? 0)) {
    const message = `Expected ended_at_ms >= started_at_ms ${start}, got ${end}.`
    report(RULE, message, '/ended_at_ms', { expected: start })
  }
  const isUnfinished = status === 'queued' || status === 'running'
  if (isUnfinished && typeof exit_code === 'number') {
    report(RULE, `Unexpected exit_code ${exit_code} with status ${shown}.`, '/exit_code', WARN)
  }
  if (status === 'queued' && details.isRunning === true) {
    report(RULE, 'Status "queued" after "running".', '/status', { expected: 'running' })
  }
  const isCancel = status === 'cancelled' || status === 'canceled'
  if (phase === 'cancelled' && !isCancel) {
    const message = `Expected status "cancelled" after tool_task_cancelled, got ${shown}.`
    report(RULE, message, '/status', { expected: 'cancelled' })
  }
  if (phase === 'open' && isCancel && !isCancelExpected(stream)) {
    report(RULE, `Status ${shown} without tool_task_cancel_requested.`, '/status', WARN)
  }
  if (isTerminalToolStatus(status)) return { ...stream, phase: 'ended' }
  return status === 'running' ? withDetails(stream, { isRunning: true }) : stream
}
