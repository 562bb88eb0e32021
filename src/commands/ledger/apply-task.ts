/** Applies `task.send` and `task.cancel`. */

import { boundedDelete, boundedValues } from '../../core/bounded-map/bounded-map.ts'
import type { TaskName } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { contextKey } from '../../streams/context-key.ts'
import type { TaskCancelCommand, TaskSendCommand } from '../task.ts'
import { forget, taskOfSend } from './accepted.ts'
import { withdraw } from './end-requests.ts'
import { isOver, type LedgerStep } from './ledger-step.ts'
import type { TaskRecord } from './state.ts'
import type { CommandResult, Sender } from './types.ts'
import { ownerOf } from './who.ts'

/** How many messages of a stream may wait for their turn: each is stored with its state. */
const MAX_WAITING = 100

/**
 * Hands new input over.
 *
 * @param isBusy - Whether the conversation takes none for a new task.
 */
export function applySend(
  step: LedgerStep,
  command: TaskSendCommand,
  sender: Sender,
  isBusy: boolean,
): CommandResult {
  const { taskId } = command
  const shown = taskId === undefined ? {} : { taskId }
  if (sender.role === 'observer') return forbidden(sender, shown)
  const ofStream = step.limits.contextOfStream()
  const contextId = step.contextOf(command.contextId) ?? (taskId === undefined ? ofStream : undefined)
  const isNamed = taskId !== undefined && contextId !== undefined
  const task = isNamed ? step.get('tasks', contextKey(contextId, taskId)) : undefined
  if (taskId !== undefined) {
    if (task === undefined || !isShown(task, sender))
      return { status: 'unknown-task', message: `Unknown taskId "${taskId}".`, taskId }
    if (isOver(task)) return ended(task)
  }
  const forTask = taskOfSend(command, sender)
  if (taskId === undefined && isKnown(step, contextId, forTask))
    return { status: 'repeated', message: 'The input was accepted before.', taskId: forTask }
  if (!step.limits.takesInput(task)) {
    const message =
      task === undefined
        ? 'Expected a stream that takes new input, got one without onInput.'
        : `Expected a task that takes input while it runs, got "${task.taskId}", whose agent reads no input.`
    return { status: 'unsupported', message, ...shown }
  }
  if (task === undefined && isBusy)
    return {
      status: 'busy',
      message: 'Expected no task that runs, got one: send the message when it has ended.',
    }
  if (task === undefined && waitingIn(step) >= MAX_WAITING) {
    const message = `Expected at most ${MAX_WAITING} messages that wait for their turn, got one more: send it when one has begun.`
    return { status: 'unsupported', message }
  }
  if (taskId === undefined) own(step, forTask, sender)
  step.emit({
    type: 'send',
    taskId: forTask,
    command: {
      ...structuredClone(command),
      ...(ofStream !== undefined && contextId !== undefined && { contextId }),
    },
    sender: { role: sender.role, id: sender.id },
    ...(task?.reader !== undefined && { reader: task.reader }),
  })
  return { status: 'accepted', message: 'Accepted the input.', taskId: forTask }
}

/** Forgets input that nobody took: it may be sent again. */
export function applyReturned(step: LedgerStep, command: TaskSendCommand, sender: Sender): void {
  forget(step, command.commandId, sender)
  if (command.taskId === undefined)
    step.update({ owners: boundedDelete(step.state.owners, taskOfSend(command, sender)) })
}

/** Whether a task was begun: its command may be forgotten as others of its sender came after it. */
function isKnown(step: LedgerStep, contextId: string | undefined, taskId: string): boolean {
  if (step.get('owners', taskId) !== undefined) return true
  return contextId !== undefined && step.get('tasks', contextKey(contextId, taskId)) !== undefined
}

/** How many tasks of the stream have not begun. */
function waitingIn({ state }: LedgerStep): number {
  let count = 0
  for (const { status } of boundedValues(state.tasks)) if (status === 'submitted') count++
  return count
}

/** Gives a new task its owner, and a stream without one, too. */
function own(step: LedgerStep, taskId: string, { role, id }: Sender): void {
  const { stream } = step.limits.access
  const isUser = role === 'user'
  if (isUser) ownStream(step, id)
  const owner = isUser ? id : (stream.owner ?? step.state.owner ?? '')
  step.set('owners', taskId, owner)
}

/** Gives a stream without an owner its owner: not what it has begun before, which nobody is to answer. */
function ownStream(step: LedgerStep, owner: string): void {
  const { state, limits } = step
  if (state.owner !== undefined) return
  const unowned = [...step.tasks()].filter(
    (task) => !isTerminalStatus(task.status) && ownerOf(state, limits.access, task) === undefined,
  )
  for (const task of unowned) step.setTask({ ...task, owner: '' })
  step.update({ owner })
}

/** Gives a task its owner, unless it has one. */
export function applyOwner(
  step: LedgerStep,
  { contextId, taskId, owner }: TaskName & { readonly owner: string },
): void {
  const task = step.get('tasks', contextKey(contextId, taskId))
  if ((task?.owner ?? step.get('owners', taskId)) !== undefined) return
  ownStream(step, owner)
  if (task === undefined) step.set('owners', taskId, owner)
  else step.setTask({ ...task, owner })
}

/** Notes who reads the input of a task, unless it has ended. */
export function applyReader(
  step: LedgerStep,
  { contextId, taskId, reader }: TaskName & { readonly reader?: string },
): void {
  const task = step.get('tasks', contextKey(contextId, taskId))
  if (task === undefined || task.reader === reader) return
  const { reader: _, ...rest } = task
  step.setTask({ ...rest, ...(reader !== undefined && { reader }) })
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
  const shownTasks = tasks.filter((task) => isShown(task, sender))
  const named = shownTasks.find((task) => task.taskId === taskId)
  if (taskId === undefined ? shownTasks.length === 0 : named === undefined) {
    const task = taskId === undefined ? 'Unknown task.' : `Unknown taskId "${taskId}".`
    const where = contextId === undefined ? ' Expected a contextId of the stream, got none.' : ''
    return { status: 'unknown-task', message: `${task}${where}`, ...shown }
  }
  if (named !== undefined && isTerminalStatus(named.status) && !named.isCanceled) return ended(named)
  const targets = targetsOf(tasks, named === undefined ? shownTasks : [named])
  for (const task of targets) withdraw(step, task, reason)
  return targets.length > 0
    ? { status: 'accepted', message: `Canceled ${targets.length} tasks.`, ...shown }
    : { status: 'repeated', message: 'No task is left to cancel.', ...shown }
}

/** Whether a sender sees a task: whoever does not, does not learn that there is one. */
function isShown({ audience }: TaskRecord, { role }: Sender): boolean {
  return audience?.includes(role) !== false
}

/** The tasks to stop: those given and all below them, subtasks before their parents. */
function targetsOf(all: readonly TaskRecord[], given: readonly TaskRecord[]): TaskRecord[] {
  const tasks = new Map(all.map((task) => [task.taskId, task]))
  const roots = new Set(given)
  const found: { task: TaskRecord; depth: number }[] = []
  for (const task of all) {
    // Parents may form a cycle.
    const path = new Set<TaskRecord>()
    for (let at: TaskRecord | undefined = task; at !== undefined && !path.has(at); ) {
      path.add(at)
      at = at.parentTaskId === undefined ? undefined : tasks.get(at.parentTaskId)
    }
    const isMeant = [...path].some((each) => roots.has(each))
    if (isMeant && !isOver(task)) found.push({ task, depth: path.size })
  }
  return found.sort((a, b) => b.depth - a.depth).map(({ task }) => task)
}

function ended({ taskId, status }: TaskRecord): CommandResult {
  const message = `Task "${taskId}" ${status === null || !isTerminalStatus(status) ? 'is being canceled' : `has ended with status ${status}`}.`
  return { status: 'ended', message, taskId }
}

function forbidden({ role }: Sender, shown: { taskId?: string }): CommandResult {
  return { status: 'forbidden', message: `Expected a sender other than an observer, got ${role}.`, ...shown }
}
