/** Applies `task.send` and `task.cancel`. */

import { isTerminalStatus } from '../../events/task-status.ts'
import { contextKey } from '../../streams/context-key.ts'
import type { TaskCancelCommand, TaskSendCommand } from '../task.ts'
import { isOver, type LedgerStep } from './ledger-step.ts'
import type { TaskRecord } from './state.ts'
import type { CommandResult, Sender } from './types.ts'
import { withdraw } from './withdraw.ts'

/** Hands new input over. */
export function applySend(step: LedgerStep, command: TaskSendCommand, sender: Sender): CommandResult {
  const { taskId } = command
  const shown = taskId === undefined ? {} : { taskId }
  if (sender.role === 'observer') return forbidden(sender, shown)
  if (taskId !== undefined) {
    const contextId = step.contextOf(command.contextId)
    const task = contextId === undefined ? undefined : step.get('tasks', contextKey(contextId, taskId))
    if (task === undefined) return { status: 'unknown-task', message: `Unknown taskId "${taskId}".`, taskId }
    if (isOver(task)) return ended(task)
  }
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
  const tasks = [...step.tasks()].filter((task) => task.contextId === contextId)
  const named = tasks.find((task) => task.taskId === taskId)
  if (taskId === undefined ? tasks.length === 0 : named === undefined) {
    const task = taskId === undefined ? 'Unknown task.' : `Unknown taskId "${taskId}".`
    const where = contextId === undefined ? ' Expected a contextId of the stream, got none.' : ''
    return { status: 'unknown-task', message: `${task}${where}`, ...shown }
  }
  if (named !== undefined && isTerminalStatus(named.status) && !named.isCanceled) return ended(named)
  const targets = targetsOf(tasks, taskId)
  for (const task of targets) withdraw(step, task, reason)
  return targets.length > 0
    ? { status: 'accepted', message: `Canceled ${targets.length} tasks.`, ...shown }
    : { status: 'repeated', message: 'No task is left to cancel.', ...shown }
}

/** The tasks to stop, subtasks before their parents. */
function targetsOf(all: readonly TaskRecord[], taskId: string | undefined): TaskRecord[] {
  const tasks = new Map(all.map((task) => [task.taskId, task]))
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
