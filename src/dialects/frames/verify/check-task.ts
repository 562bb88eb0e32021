/** The rules of task streams. */
import { isTaskEnd } from '../wire/outcome.ts'
import type { ToolTaskStatusFrame } from '../wire/tool-types.ts'
import type { FrameV2Body } from '../wire/types.ts'
import { withMore } from './check-body.ts'
import type { Report } from './rules.ts'
import type { VerifiedStream } from './state.ts'

const RULE = 'task-lifecycle'
const WARN = { severity: 'warn' } as const

/** The stream after a `tool_task_…` frame, and reports of what is wrong with the frame. */
export function verifyTask(
  stream: VerifiedStream,
  frame: Extract<FrameV2Body, { task_id: string }>,
  id: string,
  report: Report,
): VerifiedStream {
  const { more, phase } = stream
  if (frame.task_id !== id) report('task-id', '/task_id', { expected: id })
  if (frame.type === 'tool_task_spawned') {
    if (more.mode !== undefined) report(RULE, '/type')
    return withMore(stream, { mode: frame.execution_mode })
  }
  const isStatus = frame.type === 'tool_task_status'
  // What was still under way may come late, and so may the status that says how it ended.
  if (frame.type === 'tool_task_output_delta') {
    if (phase !== 'open') report(RULE, '/type', WARN)
  } else if (phase === 'ended' || (phase === 'cancelled' && !isStatus)) report(RULE, '/type')
  if (isStatus) return verifyStatus(stream, frame, report)

  const isPty = more.mode === 'pty'
  switch (frame.type) {
    case 'tool_task_cancel_requested':
      return withMore(stream, { isCancelRequested: true })
    case 'tool_task_cancelled':
      if (!isAsked(stream)) report(RULE, '/type', WARN)
      return phase === 'open' ? { ...stream, phase: 'cancelled' } : stream
    case 'tool_task_output_delta':
      if (more.mode !== undefined && (frame.stream === 'pty') !== isPty) report('execution-mode', '/stream')
      return stream
    case 'tool_task_stdin_written':
    case 'tool_task_resized':
      if (more.mode === 'pipes') report('execution-mode', '/type')
      return stream
    default:
      return stream
  }
}

function isAsked({ more, isHoled }: VerifiedStream): boolean {
  return more.isCancelRequested === true || isHoled
}

function verifyStatus(stream: VerifiedStream, frame: ToolTaskStatusFrame, report: Report): VerifiedStream {
  const { status, exit_code, started_at_ms: start, ended_at_ms: end } = frame
  const { phase, more } = stream
  const isBegun = status === 'queued' || status === 'running'
  if ((end ?? Infinity) < (start ?? 0)) report(RULE, '/ended_at_ms', { expected: start })
  if (isBegun && typeof exit_code === 'number') report(RULE, '/exit_code', WARN)
  if (status === 'queued' && more.isRunning === true) report(RULE, '/status', { expected: 'running' })
  const isCancel = status === 'cancelled' || status === 'canceled'
  if (phase === 'cancelled' && !isCancel) report(RULE, '/status', { expected: 'cancelled' })
  if (phase === 'open' && isCancel && !isAsked(stream)) report(RULE, '/status', WARN)
  if (isTaskEnd(status)) return { ...stream, phase: 'ended' }
  return status === 'running' ? withMore(stream, { isRunning: true }) : stream
}
