/** Rules of the beginning and the end of streams. */

import { defineRule, ERROR_LENIENT_WARN, type Rules } from '../../../../rules/rule.ts'
import { AS_WARNING, type FrameContext } from '../context.ts'
import type { LifecycleRuleName } from '../rule-names.ts'
import { checkLeftOpen, type ToolContext } from './tool.ts'

export const lifecycleRules: Rules<LifecycleRuleName> = {
  'session-lifecycle': defineRule(
    'F06',
    'stated',
    ERROR_LENIENT_WARN,
    'A session starts with session_started and ends with session_ended (missing at the end of the log: warn).',
  ),
  'task-without-session': defineRule(
    'F07',
    'stated',
    ERROR_LENIENT_WARN,
    'A task starts with tool_task_spawned and has no session frames.',
  ),
}

/** Checks which frame starts a stream, and which frames may not follow. */
export function checkLifecycle(context: FrameContext, type: string, runtimeGenerated: boolean): void {
  const { kind, phase, nextSeq, hasGap } = context.stream
  const isFirst = nextSeq === 1 && !hasGap
  const isStart = type === 'session_started'
  const path = '/type'
  if (kind === 'session') {
    const rule = 'session-lifecycle'
    if (phase === 'ended')
      context.report(rule, `Expected no frame after session_ended, got ${type}.`, { path })
    else if (isStart && nextSeq > 1) {
      context.report(rule, `Expected session_started at seq 0, got it at ${nextSeq - 1}.`, { path })
    } else if (!isStart && isFirst && runtimeGenerated) {
      context.report(rule, `Expected session_started as the first frame, got ${type}.`, { path })
    }
    return
  }
  const isTask = kind === 'task'
  if (isStart || type === 'session_ended') {
    const rule = isTask ? 'task-without-session' : 'session-lifecycle'
    context.report(rule, `Expected no ${type} in a stream that is not a session, got one.`, { path })
  } else if (isTask && isFirst && type !== 'tool_task_spawned') {
    const message = `Expected tool_task_spawned as the first frame, got ${type}.`
    context.report('task-without-session', message, { path })
  }
}

/** Ends a session: nothing of it is checked any more. */
export function endSession(context: ToolContext): void {
  checkLeftOpen(context)
  context.stream.phase = 'ended'
}

/** Reports what is missing at the end of the log. */
export function checkLogEnd(context: ToolContext, runtimeGenerated: boolean): void {
  const { kind, phase } = context.stream
  if (phase !== 'open') return
  if (kind === 'task') {
    const message = 'Expected a final status of the task before the end of the log, got none.'
    context.report('task-lifecycle', message, AS_WARNING)
  }
  if (kind !== 'session') return
  if (runtimeGenerated) {
    const message = 'Expected session_ended before the end of the log, got none.'
    context.report('session-lifecycle', message, AS_WARNING)
  }
  checkLeftOpen(context)
}
