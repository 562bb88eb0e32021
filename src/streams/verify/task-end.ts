/** Rules of what a task may leave open when it ends, and of what it waits for. */

import { describeValue } from '../../core/require.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { without } from '../collections/generational-map.ts'
import type { CheckContext } from './context.ts'
import { defineRule, ERROR_WARN_OFF, ERROR_WARN_WARN, type Rules } from './rule.ts'
import type { TaskEndRuleName } from './rule-names.ts'
import { isJoinOf } from './segments.ts'
import type { SegmentState } from './state.ts'
import { emptyHash, hashAppend } from './text-hash.ts'

export const taskEndRules: Rules<TaskEndRuleName> = {
  'task-ends': defineRule('K14', 'inferred', ERROR_WARN_WARN, 'Every task has ended when the stream ends.'),
  'waiting-for-something': defineRule(
    'K15',
    'inferred',
    ERROR_WARN_OFF,
    'While a task waits there is, at some point, an open input, an open authentication or a running subtask to wait for.',
  ),
  'children-end-first': defineRule(
    'K45',
    'inferred',
    ERROR_WARN_OFF,
    'A task completes after all its subtasks have ended.',
  ),
}

/** Reports a wait that is over, or a stream that ends, without anything to wait for in between. */
export function checkWaitReason(context: CheckContext, isTerminal: boolean): void {
  const { status, hadWaitReason } = context.task.lifecycle
  if (!status.startsWith('waiting-') || hadWaitReason || isTerminal || context.isTaskPartial) return
  const message = `Expected an open input, open authentication or running subtask with status ${status}, got none.`
  context.report('waiting-for-something', message, { actual: status })
}

/** Whether the task has an open item of the type that a status waits for. */
export function hasWaitReason({ task }: CheckContext, status: string): boolean {
  if (status === 'waiting-input') return task.open.inputs.length > 0
  if (status === 'waiting-auth') return task.open.auths.length > 0
  return status === 'waiting-subtask' && task.lineage.children.length > 0
}

/**
 * Reports and closes the open items of a task that ends.
 *
 * @param content - The text of the `task-complete` that ends it. Omitted if it ends otherwise, or without text.
 */
export function endTask(context: CheckContext, isSuccess: boolean, content?: string): void {
  const { open, lineage, taskId } = context.task
  endSegments(context, isSuccess, content)
  for (const key of open.tools) {
    const call = context.get('calls', key)
    if (call === undefined) continue
    if (call.state === 'running') {
      const rule = isSuccess ? 'tool-open-at-success' : 'tool-open-at-failure'
      const name = describeValue(call.toolName ?? 'unknown')
      context.report(rule, `The task ended without a tool-complete for a call of tool ${name}.`)
    }
    context.set('calls', key, { ...call, state: 'ended', argumentsText: null })
  }
  for (const key of [...open.inputs, ...open.auths]) {
    const request = context.get('requests', key)
    if (request !== undefined) context.set('requests', key, { ...request, state: 'ended' })
  }
  for (const key of open.writes) {
    const artifact = context.get('artifacts', key)
    if (artifact?.pending?.taskId !== taskId) continue
    if (isSuccess) {
      const message = 'The task completed without the last chunk of a file or dataset.'
      context.report('write-open-at-success', message)
    }
    context.set('artifacts', key, { ...artifact, pending: null })
  }
  context.changeTask('open', { tools: [], inputs: [], auths: [], writes: [] })
  reportUnpaired(context)
  if (isSuccess && lineage.children.length > 0) {
    const count = lineage.children.length
    const message = `Expected 0 running subtasks when the task completes, got ${count}.`
    context.report('children-end-first', message, { expected: 0, actual: count })
  }
  context.changeTask('lineage', { children: [], unpaired: [] })
  const key = context.contextKey(taskId)
  if (lineage.parent !== null) {
    context.changeTaskByKey(lineage.parent, (task) => ({
      ...task,
      lineage: { ...task.lineage, children: without(task.lineage.children, key) },
    }))
  }
}

/** Ends the open text segments. A `task-complete` with their text ends them as `content-complete`s do. */
function endSegments(context: CheckContext, isSuccess: boolean, content: string | undefined): void {
  const { segments, hasEvicted } = context.task.text
  const open = segments.filter(({ series }) => series !== null)
  if (open.length === 0) return
  const ended = segments.map(endOf)
  // A text with missing deltas may be what the result repeats.
  const isUnknown = hasEvicted || ended.some((segment) => segment.content === null)
  if (
    content !== undefined &&
    (isUnknown || isJoinOf(open.map(endOf), content) || isJoinOf(ended, content))
  ) {
    const lastContent = hashAppend(emptyHash, content)
    context.changeTask('text', { segments: ended, hasEarlierSegment: true, lastContent })
    return
  }
  for (const { contentId } of open) {
    const rule = isSuccess ? 'segment-open-at-success' : 'segment-open-at-failure'
    const name = contentId === null ? '' : ` of contentId ${describeValue(contentId)}`
    context.report(rule, `The task ended without a content-complete for its open text segment${name}.`)
  }
  // Whether a result repeats the open texts is part of what was reported.
  context.changeTask('text', {
    segments: segments.filter(({ series }) => series === null),
    lastContent: null,
  })
}

/** A segment, complete with what its deltas joined. */
function endOf(segment: SegmentState): SegmentState {
  const { contentId, series, content } = segment
  return series === null ? segment : { contentId, series: null, content: series.hash ?? content }
}

/** Reports the subtasks that have a `subtask-created` or a `task-created`, but not both. */
function reportUnpaired(context: CheckContext): void {
  for (const id of context.task.lineage.unpaired) {
    const message = `Subtask ${describeValue(id)} needs both a subtask-created and a task-created, got only one.`
    context.report('subtask-pair', message, { actual: id })
  }
}

/** Reports what is wrong with a task that has not ended when the stream ends. */
export function checkStreamEnd(context: CheckContext): void {
  const { taskId, lifecycle } = context.task
  const { status } = lifecycle
  if (status === 'announced' || isTerminalStatus(status)) return
  const message = `Expected task ${describeValue(taskId)} to end before the stream, got status ${status}.`
  context.report('task-ends', message, { actual: status })
  checkWaitReason(context, false)
  reportUnpaired(context)
}
