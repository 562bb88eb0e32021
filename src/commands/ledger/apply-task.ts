/** Applies `task.send` and `task.cancel`. */

import { digestOf } from '../../encoding/sha256.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { contextKey } from '../../streams/context-key.ts'
import type { TaskCancelCommand, TaskSendCommand } from '../task.ts'
import { isOver, type LedgerStep } from './ledger-step.ts'
import type { TaskRecord } from './state.ts'
import type { CommandResult, Sender } from './types.ts'
import { withdraw } from './withdraw.ts'

/** Hands new input over, once for each command of a sender. */
export function applySend(step: LedgerStep, command: TaskSendCommand, sender: Sender): CommandResult {
  const { taskId, commandId } = command
  const shown = taskId === undefined ? {} : { taskId }
  if (sender.role === 'observer') return forbidden(sender, shown)
  const key = contextKey(`${sender.role} ${sender.id}`, commandId)
  const text = canonicalJson([
    command.contextId ?? null,
    taskId ?? null,
    command.input,
    command.metadata ?? null,
  ])
  if (text === undefined) {
    return {
      status: 'invalid',
      message: 'Expected an input of at most 1000 levels, got a deeper one.',
      ...shown,
    }
  }
  const digest = digestOf(new TextEncoder().encode(text))
  const known = step.get('sent', key)
  if (known === digest)
    return { status: 'repeated', message: 'The same command was accepted before.', ...shown }
  if (known !== undefined) {
    return {
      status: 'conflict',
      message: `Another command with commandId "${commandId}" was accepted before.`,
      ...shown,
    }
  }
  if (taskId !== undefined) {
    const contextId = step.contextOf(command.contextId)
    const task = contextId === undefined ? undefined : step.get('tasks', contextKey(contextId, taskId))
    if (task === undefined) return { status: 'unknown-task', message: `Unknown taskId "${taskId}".`, taskId }
    if (isOver(task)) return ended(task)
  }
  step.set('sent', key, digest)
  step.emit({
    type: 'send',
    command: structuredClone(command),
    sender: { role: sender.role, id: sender.id },
  })
  return { status: 'accepted', message: 'Accepted the input.', ...shown }
}

/** Stops tasks: subtasks first. */
export function applyCancel(
  step: LedgerStep,
  { contextId: context, taskId, reason }: TaskCancelCommand,
  sender: Sender,
): CommandResult {
  const shown = taskId === undefined ? {} : { taskId }
  if (sender.role === 'observer') return forbidden(sender, shown)
  const contextId = step.contextOf(context)
  const named =
    contextId === undefined || taskId === undefined
      ? undefined
      : step.get('tasks', contextKey(contextId, taskId))
  if (taskId !== undefined && named === undefined) {
    return { status: 'unknown-task', message: `Unknown taskId "${taskId}".`, taskId }
  }
  if (named !== undefined && isTerminalStatus(named.status) && !named.isCanceled) return ended(named)
  const targets = contextId === undefined ? [] : targetsOf(step, contextId, taskId)
  for (const task of targets) withdraw(step, task, reason)
  return targets.length > 0
    ? { status: 'accepted', message: `Canceled ${targets.length} tasks.`, ...shown }
    : { status: 'repeated', message: 'No task is left to cancel.', ...shown }
}

/** The tasks to stop, subtasks before their parents. */
function targetsOf(step: LedgerStep, contextId: string, taskId: string | undefined): TaskRecord[] {
  const tasks = new Map<string, TaskRecord>()
  for (const task of step.tasks()) if (task.contextId === contextId) tasks.set(task.taskId, task)
  const found: { task: TaskRecord; depth: number }[] = []
  for (const task of tasks.values()) {
    const depth = depthBelow(tasks, task, taskId)
    if (depth !== undefined && !isOver(task)) found.push({ task, depth })
  }
  return found.sort((a, b) => b.depth - a.depth).map(({ task }) => task)
}

/** How deep a task is below another, or below its root. `undefined` if it is not below the other. */
function depthBelow(
  tasks: ReadonlyMap<string, TaskRecord>,
  task: TaskRecord,
  ancestorId: string | undefined,
): number | undefined {
  // Parents that form a cycle have no root.
  for (let depth = 0, at: TaskRecord | undefined = task; depth <= tasks.size; depth++) {
    if (at?.taskId === ancestorId) return depth
    const parent: TaskRecord | undefined =
      at?.parentTaskId === undefined ? undefined : tasks.get(at.parentTaskId)
    if (parent === undefined) return ancestorId === undefined ? depth : undefined
    at = parent
  }
  return ancestorId === undefined ? 0 : undefined
}

function ended({ taskId, status }: TaskRecord): CommandResult {
  const message = `Task "${taskId}" ${status === null || !isTerminalStatus(status) ? 'is being canceled' : `has ended with status ${status}`}.`
  return { status: 'ended', message, taskId }
}

function forbidden({ role }: Sender, shown: { taskId?: string }): CommandResult {
  return { status: 'forbidden', message: `Expected a sender other than an observer, got ${role}.`, ...shown }
}
