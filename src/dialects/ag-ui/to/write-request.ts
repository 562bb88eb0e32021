/** Writes requests, as interrupts: AG-UI asks at the end of a run. */

import type { AuthRequiredEvent } from '../../../events/auth.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { InputRequiredEvent, ToolCall } from '../../../events/input.ts'
import { dropAskedAgain } from '../../engine/asked.ts'
import { ALL_DELTAS, endedItem, openItem } from '../../engine/item.ts'
import { writeDelta, writeWhole } from '../../engine/write-item.ts'
import { clientCallOf } from '../../shared/client-call.ts'
import { MAX_REQUESTS } from '../../shared/limits.ts'
import { toResponseSchema } from '../wire/approval-schema.ts'
import { AUTH_REASON, reasonOf } from '../wire/extension.ts'
import type { AgUiInterrupt } from '../wire/types/index.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { formats } from './item-formats.ts'
import { endRun, forgetRequests, mustWait, openTask, rootOf } from './runs.ts'
import type { TargetRequest, TargetTask } from './state.ts'

export function writeInputRequired(
  writer: AgUiWriter,
  task: TargetTask,
  event: ContextEvent<InputRequiredEvent>,
): void {
  if (dropAskedAgain(writer, event)) return
  const { inputId: id, requireUser, inputType, prompt, schema, options, metadata } = event
  const { toolCall, reason, timeout, ...rest } = metadata ?? {}
  const isKnownCall = toolCall !== undefined && isShown(writer, task, event, toolCall)
  addRequest(writer, task, event, {
    type: 'input',
    id,
    taskId: task.taskId,
    interrupt: {
      ...owner(task),
      id,
      reason: reasonOf(event),
      message: prompt,
      ...(isKnownCall && { toolCallId: toolCall.id }),
      ...(schema !== undefined && {
        responseSchema: toolCall === undefined ? schema : toResponseSchema(schema),
      }),
      ...expiry(writer, timeout),
      metadata: {
        ...rest,
        inputType,
        ...(toolCall !== undefined && { toolCall }),
        ...(timeout !== undefined && { timeout }),
        ...(requireUser !== undefined && { requireUser }),
        ...(options !== undefined && { options }),
      },
    },
    executes: inputType === 'tool-execution' && toolCall !== undefined ? toolCall.id : null,
    isAnnounced: false,
  })
}

/** Shows the call that a request is about, unless it was shown: pages ask about calls that they have. Returns whether they have it. */
function isShown(
  writer: AgUiWriter,
  task: TargetTask,
  event: ContextEvent<InputRequiredEvent>,
  { id: toolCallId, function: { name: toolName, arguments: delta } }: ToolCall,
): boolean {
  if (openItem(writer, task, 'call', toolCallId) !== undefined) return true
  if (endedItem(writer, task, 'call', toolCallId) !== undefined) return false
  if (mustWait(writer, task) || rootOf(writer, task).phase === 'ended') return false
  if (openTask(writer, task, event) === undefined) return false
  const start = clientCallOf(event)
  if (start !== undefined) return writeWhole(writer, formats, start)
  const { contextId, taskId, timestamp } = event
  const place = { contextId, taskId, timestamp }
  writeDelta(writer, formats, {
    kind: 'tool-arguments-delta',
    ...place,
    toolCallId,
    toolName,
    delta,
    index: 0,
    // The question has all of the arguments: deltas that follow repeat them.
    indexEnd: ALL_DELTAS - 1,
  })
  return true
}

export function writeAuthRequired(
  writer: AgUiWriter,
  task: TargetTask,
  event: ContextEvent<AuthRequiredEvent>,
): void {
  if (dropAskedAgain(writer, event)) return
  const { authId: id, authType, provider, scopes, prompt, authUrl, metadata } = event
  const { expiresIn, ...rest } = metadata ?? {}
  addRequest(writer, task, event, {
    type: 'auth',
    id,
    taskId: task.taskId,
    interrupt: {
      ...owner(task),
      id,
      reason: AUTH_REASON,
      message: prompt,
      ...expiry(writer, expiresIn),
      metadata: {
        ...rest,
        authType,
        ...(expiresIn !== undefined && { expiresIn }),
        ...(provider !== undefined && { provider }),
        ...(scopes !== undefined && { scopes }),
        ...(authUrl !== undefined && { authUrl }),
      },
    },
    executes: null,
    isAnnounced: false,
  })
}

function owner({ taskId, parentTaskId }: TargetTask): { subagentRunId?: string } {
  return parentTaskId === null ? {} : { subagentRunId: taskId }
}

function expiry(writer: AgUiWriter, seconds: number | undefined): { expiresAt?: string } {
  const date = seconds === undefined ? undefined : new Date(writer.timestamp + seconds * 1000)
  return date === undefined || Number.isNaN(date.getTime()) ? {} : { expiresAt: date.toISOString() }
}

function addRequest(
  writer: AgUiWriter,
  task: TargetTask,
  event: ContextAnyEvent,
  request: TargetRequest,
): void {
  const { requests } = writer.state
  if (requests.length >= MAX_REQUESTS) {
    writer.dropped(event.kind, 'too-many', `More than ${MAX_REQUESTS} requests are open.`)
    return
  }
  writer.state.requests = [...requests, request]
  interruptIfWaiting(writer, task, event)
}

/** Forgets a request that was answered or canceled. */
export function closeRequest(writer: AgUiWriter, type: 'input' | 'auth', id: string): void {
  forgetRequests(writer, (each) => each.type === type && each.id === id)
}

/** Asks what had to wait while the run of another task was active, once that has ended. */
export function interruptNext(writer: AgUiWriter, event: ContextAnyEvent): void {
  if (writer.state.run?.phase !== 'ended') return
  for (const { taskId, isAnnounced } of writer.state.requests) {
    const task = isAnnounced ? undefined : writer.task(taskId)
    if (task !== undefined && rootOf(writer, task).phase !== 'ended') interruptIfWaiting(writer, task, event)
  }
}

/** Ends the run with its requests if the task waits for one that the client does not know. */
export function interruptIfWaiting(writer: AgUiWriter, task: TargetTask, event: ContextAnyEvent): void {
  const { requests, run } = writer.state
  const isActive = run !== null && run.phase !== 'ended'
  const asks = requests.some(
    ({ type, taskId, isAnnounced }) =>
      type === task.waitsFor && taskId === task.taskId && (isActive || !isAnnounced),
  )
  if (!asks || mustWait(writer, task)) return
  if (openTask(writer, task, event) === undefined) return
  interrupt(writer, task)
}

/**
 * Ends the run. Calls that only wait for the client to execute them are pending, everything else is an interrupt. What the
 * client knows stays open; what it does not know and another task asks waits for the run of that one.
 */
function interrupt(writer: AgUiWriter, task: TargetTask): void {
  const root = rootOf(writer, task).taskId
  const isAsked = ({ isAnnounced, taskId }: TargetRequest): boolean =>
    isAnnounced || rootOf(writer, writer.task(taskId) ?? task).taskId === root
  const requests = writer.state.requests.filter(isAsked)
  writer.state.requests = writer.state.requests.map((request) =>
    isAsked(request) ? { ...request, isAnnounced: true } : request,
  )
  for (const { taskId } of requests)
    if (writer.task(taskId)) writer.updateTask({ taskId }, { hasAsked: true })
  const pending = requests.map(({ executes }) => executes)
  const isPending = requests.every(
    (request) =>
      request.executes !== null && openItem(writer, request, 'call', request.executes)?.phase === 'running',
  )
  const interrupts = requests.map(({ interrupt }): AgUiInterrupt => interrupt)
  const outcome = isPending
    ? ({ type: 'success', pendingToolCallIds: pending as string[] } as const)
    : ({ type: 'interrupt', interrupts } as const)
  endRun(writer, { type: 'RUN_FINISHED', outcome }, true)
}
