/** Rules of task streams. */

import { describeValue } from '../../../../core/require.ts'
import { expectBound, expectEqual, reportUnexpected } from '../../../../rules/expect.ts'
import { defineRule, ERROR_LENIENT_WARN, type Rules } from '../../../../rules/rule.ts'
import { isTerminalToolStatus } from '../../wire/exit-status.ts'
import type { ToolTaskStatusFrame } from '../../wire/types.generated.ts'
import type { FrameV2Body } from '../../wire/types.ts'
import { AS_WARNING, type FrameContext } from '../context.ts'
import type { TaskRuleName } from '../rule-names.ts'

export const taskRules: Rules<TaskRuleName> = {
  'task-lifecycle': defineRule(
    'F13',
    'inferred',
    ERROR_LENIENT_WARN,
    'A task is spawned once and goes from queued to running to a final status (missing at the end of the log: warn). Output after that, an early exit code and a cancellation without request are warnings.',
  ),
  'execution-mode': defineRule(
    'F14',
    'stated',
    ERROR_LENIENT_WARN,
    'Only a pty has stdin frames, resize frames and the stream pty; only pipes have stdout and stderr.',
  ),
  'task-id': defineRule('F15', 'stated', ERROR_LENIENT_WARN, 'task_id equals the id of the stream.'),
}

export interface WithTask {
  readonly task: TaskState
}

interface TaskState {
  /** The execution mode of the task. `null` before `tool_task_spawned`. */
  readonly mode: 'pipes' | 'pty' | null
  readonly isRunning: boolean
  readonly isCancelRequested: boolean
}

export const newTask: TaskState = { mode: null, isRunning: false, isCancelRequested: false }

const RULE = 'task-lifecycle'

/** Checks a `tool_task_…` frame of the stream with an id. */
export function checkTaskFrame(
  context: FrameContext<WithTask>,
  frame: Extract<FrameV2Body, { task_id: string }>,
  id: string,
): void {
  const { stream } = context
  const { task, phase } = stream
  const { type } = frame
  expectEqual(context, 'task-id', '/task_id', id, frame.task_id)
  if (type === 'tool_task_spawned') {
    if (task.mode !== null) {
      context.report(RULE, 'Expected one tool_task_spawned, got another.', { path: '/type' })
    }
    stream.task = { ...task, mode: frame.execution_mode }
    return
  }
  checkNotEnded(context, type)
  switch (type) {
    case 'tool_task_status':
      checkStatus(context, frame)
      break
    case 'tool_task_cancel_requested':
      stream.task = { ...task, isCancelRequested: true }
      break
    case 'tool_task_cancelled':
      if (!isCancelExpected(context)) {
        const message = 'Expected tool_task_cancel_requested before tool_task_cancelled, got none.'
        context.report(RULE, message, { path: '/type', ...AS_WARNING })
      }
      if (phase === 'open') stream.phase = 'cancelled'
      break
    case 'tool_task_output_delta':
      if (task.mode !== null && (frame.stream === 'pty') !== (task.mode === 'pty')) {
        const expected = `a stream of execution_mode ${describeValue(task.mode)}`
        reportUnexpected(context, 'execution-mode', '/stream', expected, frame.stream)
      }
      break
    case 'tool_task_stdin_written':
    case 'tool_task_resized':
      if (task.mode === 'pipes') {
        context.report('execution-mode', `Expected execution_mode "pty" for ${type}, got "pipes".`, {
          path: '/type',
        })
      }
      break
    default:
  }
}

/** Output may still be in flight when a task is cancelled or ends. A cancelled task gets a final status. */
function checkNotEnded(context: FrameContext<WithTask>, type: string): void {
  const { phase } = context.stream
  if (phase === 'open' || (phase === 'cancelled' && type === 'tool_task_status')) return
  const end = phase === 'ended' ? 'its final status' : 'tool_task_cancelled'
  const isOutput = type === 'tool_task_output_delta'
  context.report(RULE, `Expected no ${type} after ${end} of the task, got one.`, {
    path: '/type',
    ...(isOutput && AS_WARNING),
  })
}

function isCancelExpected(context: FrameContext<WithTask>): boolean {
  return context.stream.task.isCancelRequested || context.stream.hasGap
}

function checkStatus(context: FrameContext<WithTask>, frame: ToolTaskStatusFrame): void {
  const { status, exit_code, started_at_ms: start, ended_at_ms: end } = frame
  const { stream } = context
  const { phase, task } = stream
  const shown = describeValue(status)
  const path = '/status'
  expectBound(context, RULE, '/ended_at_ms', '>=', start ?? 0, end ?? Infinity)
  if ((status === 'queued' || status === 'running') && typeof exit_code === 'number') {
    const message = `Expected no exit_code with status ${shown}, got ${exit_code}.`
    context.report(RULE, message, { path: '/exit_code', ...AS_WARNING })
  }
  if (status === 'queued' && task.isRunning) {
    context.report(RULE, 'Expected a status after "running", got "queued".', { path })
  }
  const isCancel = status === 'cancelled' || status === 'canceled'
  if (phase === 'cancelled' && !isCancel) expectEqual(context, RULE, path, 'cancelled', status)
  if (phase === 'open' && isCancel && !isCancelExpected(context)) {
    const message = `Expected tool_task_cancel_requested before status ${shown}, got none.`
    context.report(RULE, message, { path, ...AS_WARNING })
  }
  if (isTerminalToolStatus(status)) stream.phase = 'ended'
  else if (status === 'running') stream.task = { ...task, isRunning: true }
}
