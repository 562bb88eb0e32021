/** Reading the state of a ledger: what is open, what was answered, what is to stop. */

import { boundedGet, boundedValues } from '../../core/bounded-map/bounded-map.ts'
import { requireArray, requireObject } from '../../core/require.ts'
import type { TaskName } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { contextKey } from '../../streams/context-key.ts'
import type { OpenRequest } from '../../streams/open-request.ts'
import { isStartedBy } from './decisions.ts'
import { isKept } from './kept-answers.ts'
import type { CommandLedgerState } from './ledger.ts'
import { isOver, requestsIn } from './ledger-step.ts'
import type { CallRecord, LedgerState, RequestRecord, TaskRecord } from './state.ts'
import type { Answer, Sender } from './types.ts'
import { type AccessRules, mayAccess, ownerIn } from './who.ts'

export type { OpenRequest }

/** The requests that wait for an answer, oldest first, and then the running calls that wait for their result. */
export function openRequests(state: CommandLedgerState): OpenRequest[] {
  const ledger = asLedger(state)
  const { open, calls } = ledger
  const running = [...boundedValues(calls)].filter((call) => {
    const task = taskIn(ledger, call)
    if (!call.isClient || call.status !== 'running' || (task !== undefined && isOver(task))) return false
    return !open.some(
      ({ type, contextId, taskId, id }) =>
        type === 'input' &&
        contextId === call.contextId &&
        taskId === call.taskId &&
        (id === call.run || id === call.approval),
    )
  })
  return [
    ...open.map((request) => shown(ledger, request)),
    ...running.map((call) => runningCall(ledger, call)),
  ]
}

function runningCall(ledger: LedgerState, call: CallRecord): OpenRequest {
  const { contextId, taskId, toolCallId: id, toolName, audience } = call
  return {
    ...{ type: 'tool', contextId, taskId, ...ancestors(ledger, call) },
    ...{
      id,
      prompt: `Run ${toolName}.`,
      requireUser: false,
      isExecution: true,
      ...(audience !== undefined && { audience }),
    },
  }
}

function shown(ledger: LedgerState, request: RequestRecord): OpenRequest {
  const { type, contextId, taskId, id, prompt, requireUser, inputType, call, isExecution } = request
  const { audience, expiresAt, owner } = request
  return {
    ...{ type, contextId, taskId, ...ancestors(ledger, request) },
    ...{ id, prompt, requireUser },
    ...(owner !== undefined && { owner }),
    ...(isExecution && { isExecution }),
    ...(inputType !== undefined && { inputType }),
    ...(call !== undefined && { call }),
    ...(audience !== undefined && { audience }),
    ...(expiresAt !== null && { expiresAt: instant(expiresAt) }),
  }
}

function ancestors(
  ledger: LedgerState,
  { contextId, taskId }: TaskName,
): Pick<OpenRequest, 'ancestorTaskIds'> {
  const found: string[] = []
  // Parents may form a cycle.
  for (let at = taskIn(ledger, { contextId, taskId }); ; ) {
    const parent = at?.parentTaskId
    if (parent === undefined || parent === taskId || found.includes(parent)) break
    found.push(parent)
    at = taskIn(ledger, { contextId, taskId: parent })
  }
  return found.length === 0 ? {} : { ancestorTaskIds: found }
}

/** Names a request. */
export interface RequestName {
  /** The `inputId` of a request for input, or else the `authId`. */
  readonly inputId?: string
  /** The `authId` of a request for authentication. */
  readonly authId?: string
  /** The conversation. Omitted: the only one of the stream. */
  readonly contextId?: string
  /**
   * The task that asks: state it, as tasks may use the same ids. Omitted: the only task with such a request that has not
   * ended, or else the latest.
   */
  readonly taskId?: string
}

/**
 * Where a request stands: `open`, `answered`, or `closed` without an answer. `ambiguous`: several tasks have asked with the
 * id, and the name has no `taskId`.
 */
export type RequestStatus =
  | { readonly status: 'open' | 'closed' | 'unknown' | 'ambiguous' }
  | { readonly status: 'answered'; readonly answer: Answer }

/**
 * Where a request stands, with its answer if the ledger has accepted one. For an agent that waits for an answer, also in
 * another process than the one that received it.
 */
export function answerTo(state: CommandLedgerState, name: RequestName): RequestStatus {
  const request = requestNamed(state, name)
  if (request === undefined) return { status: 'unknown' }
  if (request === 'ambiguous') return { status: 'ambiguous' }
  if (request.status === 'answered' && request.answer !== undefined) {
    return { status: 'answered', answer: structuredClone(request.answer) }
  }
  return { status: request.status === 'open' ? 'open' : 'closed' }
}

/** The request with a name; `ambiguous` if several tasks that have not ended asked with its id, and it has no `taskId`. */
export function requestNamed(
  state: CommandLedgerState,
  name: RequestName,
): RequestRecord | 'ambiguous' | undefined {
  const ledger = asLedger(state)
  requireObject('name', name)
  const { contextId: only, hasSeveralContexts } = ledger
  const contextId = name.contextId ?? (hasSeveralContexts ? undefined : only)
  const [type, id] =
    name.inputId === undefined ? (['auth', name.authId] as const) : (['input', name.inputId] as const)
  if (contextId === undefined || contextId === null || id === undefined) return undefined
  const all = requestsIn(ledger, type, contextId, name.taskId, id)
  const [asking, second] = all.filter((each) => !hasEnded(state, each))
  return second === undefined ? (asking ?? all.at(-1)) : 'ambiguous'
}

/** Whether an answer is kept, as its agent has not taken it. */
export function keepsAnswer(state: CommandLedgerState, answer: Answer): boolean {
  const request = requestNamed(state, answer)
  return typeof request === 'object' && isKept(asLedger(state), request)
}

/** Whether a call has started with the approval that a request asked for. */
export function hasStartedWith(
  state: CommandLedgerState,
  task: TaskName,
  toolCallId: string,
  inputId: string,
): boolean {
  return isStartedBy(asLedger(state), task, toolCallId, inputId) === true
}

/** When the next request expires, in milliseconds since 1970: the time to give the ledger the time. `undefined`: none. */
export function nextExpiry(state: CommandLedgerState): number | undefined {
  const times = asLedger(state).open.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]))
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b))
}

/** The tasks that are to stop or have ended: whoever runs them has to. */
export function stoppedTasks(state: CommandLedgerState): (TaskName & { reason?: string })[] {
  return [...boundedValues(asLedger(state).tasks)].flatMap(({ contextId, taskId, isCanceled, reason }) =>
    isCanceled ? [{ contextId, taskId, ...(reason !== undefined && { reason }) }] : [],
  )
}

/** Whether a task has begun, or waits for its turn, or has ended. */
export function isKnown(state: CommandLedgerState, task: TaskName): boolean {
  return taskIn(asLedger(state), task) !== undefined
}

/** Whether a task has a status. */
export function hasStatus(state: CommandLedgerState, task: TaskName): boolean {
  return taskIn(asLedger(state), task)?.status != null
}

/** Whether a task runs, or has: one that waits for its turn is known, and `submitted`. */
export function hasBegun(state: CommandLedgerState, task: TaskName): boolean {
  const known = taskIn(asLedger(state), task)
  return known !== undefined && known.status !== 'submitted'
}

/** The tasks that have begun, and that are neither ended nor to stop, without subtasks. */
export function runningTasks(state: CommandLedgerState): TaskName[] {
  return [...boundedValues(asLedger(state).tasks)].filter(
    (task) => task.parentTaskId === undefined && !isOver(task),
  )
}

/** Whether a task has ended, or is to stop. Of one that is not known: `false`. */
export function isStopping(state: CommandLedgerState, task: TaskName): boolean {
  const known = taskIn(asLedger(state), task)
  return known !== undefined && isOver(known)
}

/** Whether a task has begun and not ended. */
export function isRunning(state: CommandLedgerState, task: TaskName): boolean {
  return taskIn(asLedger(state), task) !== undefined && !hasEnded(state, task)
}

/** Whether a task has ended. */
export function hasEnded(state: CommandLedgerState, task: TaskName): boolean {
  return isTerminalStatus(taskIn(asLedger(state), task)?.status ?? null)
}

/** The open requests of a task and of those below it. */
export function requestsBelow(state: CommandLedgerState, { contextId, taskId }: TaskName): OpenRequest[] {
  return openRequests(state).filter(
    (each) =>
      each.contextId === contextId &&
      (each.taskId === taskId || each.ancestorTaskIds?.includes(taskId) === true),
  )
}

/** A task and those below it that have not ended. */
export function tasksBelow(state: CommandLedgerState, { contextId, taskId }: TaskName): TaskName[] {
  const ledger = asLedger(state)
  return [...boundedValues(ledger.tasks)].filter((each) => {
    if (each.contextId !== contextId || isTerminalStatus(each.status)) return false
    return each.taskId === taskId || ancestors(ledger, each).ancestorTaskIds?.includes(taskId) === true
  })
}

/** Whether the requests of a task are closed, and it has done nothing since. */
export function isAnswered(state: CommandLedgerState, task: TaskName): boolean {
  const ledger = asLedger(state)
  return taskIn(ledger, task)?.isAnswered === true && !hasEnded(state, task)
}

/** The context of commands that name none. `undefined`: there is none, or several. */
export function onlyContext(state: CommandLedgerState): string | undefined {
  const { contextId, hasSeveralContexts } = asLedger(state)
  return hasSeveralContexts ? undefined : (contextId ?? undefined)
}

/** The tasks of which a task is a subtask, nearest first. */
export function ancestorsOf(state: CommandLedgerState, task: TaskName): readonly string[] {
  return ancestors(asLedger(state), task).ancestorTaskIds ?? []
}

/** Whether an event makes a task that has an owner a subtask of a task of somebody else. */
export function adoptsTask(
  state: CommandLedgerState,
  { contextId, taskId, parentTaskId }: TaskName & { readonly parentTaskId?: string },
): boolean {
  if (parentTaskId === undefined || parentTaskId === taskId) return false
  const ledger = asLedger(state)
  const task = taskIn(ledger, { contextId, taskId })
  if (task?.owner === undefined || task.parentTaskId !== undefined) return false
  return task.owner !== ownerIn(ledger, { contextId, taskId: parentTaskId })
}

/** A time, or that of the latest event if it is later. */
export function latestTime(state: CommandLedgerState, at: string): string {
  const { latest } = asLedger(state)
  return latest !== null && Date.parse(latest) > Date.parse(at) ? latest : at
}

function taskIn({ tasks }: LedgerState, { contextId, taskId }: TaskName): TaskRecord | undefined {
  return boundedGet(tasks, contextKey(contextId, taskId))
}

function asLedger(state: CommandLedgerState): LedgerState {
  requireObject('state', state)
  const ledger = state as unknown as LedgerState
  requireArray('state.open', ledger.open)
  return ledger
}

/** An expiry may be beyond what dates can hold. */
function instant(milliseconds: number): string {
  return new Date(Math.min(milliseconds, 253_402_300_799_999)).toISOString()
}

/** Whether a sender may read a stream and send it commands. */
export function senderMayAccess(state: CommandLedgerState, rules: AccessRules, sender: Sender): boolean {
  return mayAccess(asLedger(state), rules, sender)
}
