/** Runs and subagents: which task belongs to which run, and how they start and end. */

import { describeValue } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { dropAfterEnd, dropOfOtherTask } from '../../engine/drop.ts'
import { CARRIED } from '../wire/extension.ts'
import type { AgUiEventOf } from '../wire/types/index.ts'
import type { AgUiWriter, Without } from './ag-ui-writer.ts'
import { closeTask } from './item-formats.ts'
import type { TargetRequest, TargetTask } from './state.ts'

/** The maximum depth of subagents. */
const MAX_DEPTH = 64

/** The task of an event; a new one if it is not known. */
export function taskOf(writer: AgUiWriter, { taskId, parentTaskId }: ContextAnyEvent): TargetTask {
  const known = writer.task(taskId)
  if (known !== undefined) return known
  if (parentTaskId !== undefined && writer.task(parentTaskId) === undefined) {
    addTask(writer, parentTaskId, null)
  }
  return addTask(writer, taskId, parentTaskId ?? null)
}

export function addTask(
  writer: AgUiWriter,
  taskId: string,
  parentTaskId: string | null,
  name: string = taskId,
  description = '',
): TargetTask {
  const task: TargetTask = {
    taskId,
    parentTaskId: parentTaskId === taskId ? null : openAncestor(writer, parentTaskId),
    startedIn: 0,
    phase: 'open',
    name,
    description,
    waitsFor: null,
    hasAsked: false,
    segments: 0,
    iteration: null,
    earlier: { segments: 0 },
    step: null,
  }
  writer.setTask(task)
  return task
}

/** The parent itself; if it is a subtask that has ended, the next one above it that has not. */
function openAncestor(writer: AgUiWriter, parentTaskId: string | null): string | null {
  let id = parentTaskId
  for (let depth = 0; id !== null && depth < MAX_DEPTH; depth++) {
    const { phase, parentTaskId: above } = writer.task(id) ?? {}
    if (phase !== 'ended' || above === undefined || above === null) break
    id = above
  }
  return id
}

/**
 * Lets events of a task follow: starts its run, and the subagents it is nested in. Returns the task; `undefined` if
 * another run is active, or the task of the run has ended.
 *
 * @param metadata - Of the start of the task. Omitted: it did not start with this event.
 */
export function openTask(
  writer: AgUiWriter,
  task: TargetTask,
  event: ContextAnyEvent,
  metadata?: Metadata,
): TargetTask | undefined {
  const { run } = writer.state
  if (run?.phase === 'active' && task.startedIn === run.seq && task.phase === 'open') return task
  const lineage = lineageOf(writer, task)
  const root = lineage.at(-1) ?? task
  if (!openRun(writer, root, event, root === task ? metadata : undefined)) return undefined
  for (const each of lineage.slice(0, -1).reverse()) {
    if (each.startedIn !== writer.state.run?.seq)
      startSubagent(writer, each, root.taskId, each === task ? metadata : undefined)
  }
  return writer.task(task.taskId)
}

/** A task and the tasks that it is nested in, as they are now, the root last. */
function lineageOf(writer: AgUiWriter, { taskId }: TargetTask): TargetTask[] {
  const lineage: TargetTask[] = []
  for (let id: string | null = taskId; id !== null && lineage.length < MAX_DEPTH; ) {
    const task = writer.task(id)
    if (task === undefined) break
    lineage.push(task)
    id = task.parentTaskId
  }
  return lineage
}

/** The task of the run that a task is part of. */
export function rootOf(writer: AgUiWriter, task: TargetTask): TargetTask {
  return lineageOf(writer, task).at(-1) ?? task
}

/** Whether a task has to wait, as the run of another one is active. */
export function mustWait(writer: AgUiWriter, task: TargetTask): boolean {
  const { run } = writer.state
  return run?.phase === 'active' && run.taskId !== rootOf(writer, task).taskId
}

function openRun(
  writer: AgUiWriter,
  root: TargetTask,
  event: ContextAnyEvent,
  metadata: Metadata | undefined,
): boolean {
  const { run } = writer.state
  if (run !== null && run.phase !== 'ended') {
    if (run.taskId === root.taskId) return true
    if (run.phase === 'active') {
      dropOfOtherTask(writer, run.taskId, event)
      return false
    }
    endRun(writer)
  }
  if (root.phase === 'ended') {
    dropAfterEnd(writer, event)
    return false
  }
  startRun(writer, root, event, metadata)
  return true
}

function startRun(
  writer: AgUiWriter,
  root: TargetTask,
  event: ContextAnyEvent,
  metadata: Metadata | undefined,
): void {
  const { run } = writer.state
  const { threadId = event.contextId, runId: givenId, extension } = writer.options
  const seq = (run?.seq ?? 0) + 1
  const isFirst = root.startedIn === 0
  const isGiven = givenId !== undefined && givenId !== run?.givenId
  const runId = isGiven ? givenId : isFirst ? root.taskId : `${root.taskId}:run:${seq}`
  if (isFirst && event.kind !== 'task-created') {
    writer.inferred('RUN_STARTED', `Expected task-created first, got ${event.kind}.`)
  }
  const more = extension === true ? { ...metadata, turnstream: '1.0' } : metadata
  writer.emitRun({
    type: 'RUN_STARTED',
    threadId,
    runId,
    protocolVersion: '1.0',
    ...(!isFirst && run !== null && { parentRunId: run.runId }),
    ...(more !== undefined && { metadata: more }),
  })
  const given = isGiven ? givenId : (run?.givenId ?? null)
  writer.state.run = { threadId, runId, givenId: given, taskId: root.taskId, seq, phase: 'active' }
  writer.updateTask(root, { startedIn: seq })
}

/** Emits what carries an event whole: in the active run, whichever task the event is of, or in a run of its own. */
export function emitCarrier(writer: AgUiWriter, task: TargetTask, event: ContextAnyEvent): void {
  const carrier = { type: 'CUSTOM', name: `${CARRIED}${event.kind}`, value: event } as const
  const isActive = (): boolean => writer.state.run !== null && writer.state.run.phase !== 'ended'
  if (!isActive() && task.phase !== 'ended') openTask(writer, task, event)
  const { startedIn, phase } = writer.task(task.taskId) ?? task
  if (isActive()) {
    if (phase !== 'ended' && startedIn === writer.state.run?.seq) writer.emitOwned(task, carrier)
    else writer.emitRun(carrier)
    return
  }
  startRun(writer, task, event, undefined)
  writer.emitRun(carrier)
  endRun(writer)
}

function startSubagent(
  writer: AgUiWriter,
  task: TargetTask,
  rootId: string,
  metadata: Metadata | undefined,
): void {
  const { taskId, parentTaskId, name, description } = task
  const agentId = metadata?.agentId
  writer.emitRun({
    type: 'SUBAGENT_STARTED',
    subagentRunId: taskId,
    // What subtask-created named, as the metadata holds the other one.
    name: name === taskId && typeof agentId === 'string' ? agentId : name,
    ...(description !== '' && { description }),
    ...(parentTaskId !== null && parentTaskId !== rootId && { parentSubagentRunId: parentTaskId }),
    ...(metadata !== undefined && { metadata }),
  })
  writer.updateTask(task, { startedIn: writer.state.run?.seq ?? 0 })
}

/** The end of a run without its ids. */
export type RunEnd =
  | Without<AgUiEventOf<'RUN_FINISHED'>, 'threadId' | 'runId' | 'timestamp'>
  | Without<AgUiEventOf<'RUN_ERROR'>, 'timestamp'>

/** The end of a subagent without its id. */
export type SubagentEnd = Without<
  AgUiEventOf<'SUBAGENT_FINISHED' | 'SUBAGENT_ERROR'>,
  'subagentRunId' | 'timestamp'
>

/**
 * Closes what is open, and emits the end of the run.
 *
 * @param reopens - Whether its task continues in the next run.
 */
export function endRun(
  writer: AgUiWriter,
  end: RunEnd = { type: 'RUN_FINISHED', outcome: { type: 'success' } },
  reopens = false,
): void {
  const { run } = writer.state
  if (run === null || run.phase === 'ended') return
  const root = writer.task(run.taskId)
  for (const task of root === undefined ? [] : startedTasks(writer, root)) {
    // What has completed only waits for its result.
    const continues = reopens && task.phase === 'open'
    closeTask(writer, task, continues ? 'pause' : 'failure')
    if (task === root) continue
    const requests = writer.state.requests.filter(({ taskId }) => taskId === task.taskId)
    const interruptIds = requests.map(({ id }) => id)
    writer.emitRun({
      type: 'SUBAGENT_FINISHED',
      subagentRunId: task.taskId,
      ...(continues && {
        outcome: interruptIds.length > 0 ? { type: 'suspended', interruptIds } : { type: 'suspended' },
      }),
    })
    if (continues) continue
    reportUnstarted(writer, task)
    endTarget(writer, task)
  }
  const { threadId, runId } = run
  writer.emitRun(end.type === 'RUN_ERROR' ? { ...end } : { ...end, threadId, runId })
  writer.state.run = { ...run, phase: 'ended' }
  if (root === undefined || reopens) return
  reportUnstarted(writer, root)
  endTarget(writer, root)
}

/** Reports the subtasks of a task that were created and never started. */
function reportUnstarted(writer: AgUiWriter, parent: TargetTask): void {
  for (const { startedIn, taskId, name, description } of writer.subtasksOf(parent)) {
    if (startedIn > 0) continue
    const message = `Subtask ${describeValue(taskId)} has not started.`
    writer.diagnostic('dropped:subtask-created', message, {
      detail: { reason: 'not-started', id: taskId, name, prompt: description },
    })
  }
}

/**
 * Ends a subagent: closes what it leaves open, and emits its end. Its own subagents end before it if they have completed.
 * Others continue, as those of its parent.
 */
export function endSubagent(writer: AgUiWriter, task: TargetTask, end: SubagentEnd): void {
  for (const subtask of writer.subtasksOf(task)) {
    if (subtask.phase === 'completed')
      endSubagent(writer, subtask, { type: 'SUBAGENT_FINISHED', outcome: { type: 'success' } })
  }
  const { parentTaskId } = task
  for (const subtask of writer.subtasksOf(task)) writer.updateTask(subtask, { parentTaskId })
  closeTask(writer, task, 'failure')
  writer.emitRun({ ...end, subagentRunId: task.taskId })
  endTarget(writer, task)
}

/** The open tasks that have started in the run, those of subagents before the ones that started them. */
export function startedTasks(writer: AgUiWriter, root: TargetTask): TargetTask[] {
  const found = new Map([[root.taskId, root]])
  // The iteration includes what is added on the way.
  for (const task of found.values()) {
    for (const subtask of writer.subtasksOf(task)) {
      if (subtask.startedIn === root.startedIn) found.set(subtask.taskId, subtask)
    }
  }
  return [...found.values()].reverse()
}

/** Stores that a task has ended, and forgets its requests. */
export function endTarget(writer: AgUiWriter, task: TargetTask): void {
  writer.updateTask(setWait(writer, task, null), { phase: 'ended' })
  forgetRequests(writer, ({ taskId }) => taskId === task.taskId)
}

/** Stores what a task waits for. Reports what it waited for before, if nothing has asked the client for it: AG-UI has no status. */
export function setWait(
  writer: AgUiWriter,
  { taskId }: TargetTask,
  waitsFor: TargetTask['waitsFor'],
): TargetTask {
  const { waitsFor: before, hasAsked } = writer.task(taskId) as TargetTask
  const own = writer.state.requests.filter((request) => request.taskId === taskId)
  const isLost = before !== waitsFor && !hasAsked && (before === 'input' || before === 'auth')
  if (isLost && writer.options.extension !== true && !own.some(({ type }) => type === before)) {
    const message = `Expected ${before}-required while the task was waiting-${before}, got none.`
    const detail = { reason: 'no-equivalent', id: taskId, status: `waiting-${before}` }
    writer.diagnostic('dropped:task-status', message, { detail })
  }
  const isKnown = own.some(({ type, isAnnounced }) => isAnnounced && type === waitsFor)
  return writer.updateTask({ taskId }, { waitsFor, hasAsked: isKnown || (before === waitsFor && hasAsked) })
}

/** Forgets requests. Reports those that no run has ended with, so that clients never had them. */
export function forgetRequests(writer: AgUiWriter, isGone: (request: TargetRequest) => boolean): void {
  const { requests } = writer.state
  const left = requests.filter((request) => !isGone(request))
  if (left.length === requests.length) return
  writer.state.requests = left
  if (writer.options.extension === true) return
  for (const request of requests) {
    if (request.isAnnounced || !isGone(request)) continue
    const { type, id } = request
    const message = `Expected waiting-${type} while request ${describeValue(id)} is open, got none.`
    writer.diagnostic(`dropped:${type}-required`, message, { detail: { reason: 'no-equivalent', id } })
  }
}
