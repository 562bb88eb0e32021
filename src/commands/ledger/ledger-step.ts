/** The workspace of one input of a ledger: reads and changes the records, and emits events, answers and receipts. */

import {
  type BoundedMap,
  boundedGet,
  boundedSet,
  boundedValues,
  keepingSome,
} from '../../core/bounded-map/bounded-map.ts'
import { StepBuilder } from '../../core/step-builder.ts'
import type { NeedsApproval } from '../../events/approval.ts'
import type { ContextAnyEvent, TaskName } from '../../events/event.ts'
import type { ItemType } from '../../events/item-ids.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { contextKey, itemKey } from '../../streams/context-key.ts'
import { forgottenRequest, withRequest } from './decisions.ts'
import { charsOf, isKept, withAnswer, withoutAnswer } from './kept-answers.ts'
import { tasksNamed, withName } from './named.ts'
import type { CallRecord, LedgerState, RequestRecord, TaskRecord } from './state.ts'
import type { EditCheck, LedgerOutput } from './types.ts'
import type { AccessRules } from './who.ts'

/** An event without context and timestamp. */
export type Bare = { readonly kind: ContextAnyEvent['kind']; readonly [field: string]: unknown }

/** What was decided about a request. */
export type Decision = Pick<RequestRecord, 'answer' | 'approved' | 'isDeclined' | 'reason'>

/** Limits of the state. */
export interface LedgerLimits {
  readonly maxEntries: number
  readonly maxAnswerChars: number
  /** The longest command. */
  readonly maxCommandChars: number
  /** Whether somebody takes input: for a new task, or for one that runs. */
  readonly takesInput: (task: TaskRecord | undefined) => boolean
  /** Which calls need an approval, besides those that were asked about. */
  readonly needsApproval: NeedsApproval | undefined
  readonly access: AccessRules
  /** What checks the edits of a request; `undefined`: the agent that does is not here. */
  readonly checkEditOf: (request: TaskName & { readonly id: string }) => EditCheck | undefined
  /** Whether answers that their agents have not taken are kept beyond the other limits. */
  readonly keepsAnswers: boolean
  /** The conversation that the name of the stream states: that of commands that name none. `undefined`: it states none. */
  readonly contextOfStream: () => string | undefined
}

/** How many characters of answers, as JSON, are remembered at least. */
export const MAX_ANSWERS_CHARS: number = 2 ** 20

type Maps = Pick<LedgerState, 'requests' | 'calls' | 'tasks' | 'owners'>

/** How many tasks that have not ended are kept at least: so many messages may wait for their turn. */
const MIN_RUNNING = 128

export class LedgerStep extends StepBuilder<LedgerState, LedgerOutput> {
  readonly limits: LedgerLimits
  /** The time of this step by the clock of the server. */
  readonly at: string

  constructor(state: LedgerState, at: string, limits: LedgerLimits) {
    super(state)
    this.at = at
    this.limits = limits
  }

  get<Name extends keyof Maps>(name: Name, key: string): EntryOf<Name> | undefined {
    return boundedGet(this.state[name] as BoundedMap<EntryOf<Name>>, key)
  }

  /** @param max - How many of the latest entries are kept at least, besides this one. Omitted: as many as the limit. */
  set<Name extends keyof Maps>(name: Name, key: string, entry: EntryOf<Name>, max?: number): void {
    const entries = this.state[name] as BoundedMap<EntryOf<Name>>
    const { map, hasEvicted } = boundedSet(entries, key, entry, max ?? this.limits.maxEntries)
    this.update({ [name]: map })
    if (!hasEvicted) return
    const held = max === 0 ? `${MAX_ANSWERS_CHARS} characters of answers` : this.limits.maxEntries
    this.diagnostic('state-evicted', `The ledger forgot old ${name}: it holds the latest ${held}.`)
  }

  /** The context that a command means. `undefined` if it names none and the stream has several. */
  contextOf(contextId: string | undefined): string | undefined {
    if (contextId !== undefined) return contextId
    return this.state.hasSeveralContexts ? undefined : (this.state.contextId ?? this.limits.contextOfStream())
  }

  /** The task that asked. */
  taskOf({ contextId, taskId }: TaskName): TaskRecord {
    const task = this.get('tasks', contextKey(contextId, taskId))
    const isLost = this.state.hasLostTasks === true
    return task ?? { contextId, taskId, status: null, isCanceled: false, ...(isLost && { owner: '' }) }
  }

  tasks(): Iterable<TaskRecord> {
    return boundedValues(this.state.tasks)
  }

  setTask(task: TaskRecord): void {
    const before = this.state.tasks
    this.set('tasks', contextKey(task.contextId, task.taskId), task)
    // What has not ended is kept rather than what has: whose it is, and whether it is to stop.
    const isRunning = ({ status }: TaskRecord): boolean => !isTerminalStatus(status)
    const max = Math.max(this.limits.maxEntries, MIN_RUNNING)
    const { map, hasLost } = keepingSome(before, this.state.tasks, isRunning, max)
    if (map !== this.state.tasks) this.update({ tasks: map })
    if (hasLost === true) this.update({ hasLostTasks: true })
  }

  /** Stores that a task uses an id. */
  name(type: ItemType, of: TaskName, id: string): void {
    const names = withName(this.state, type, of, id, this.limits.maxEntries)
    if (names !== this.state.names) this.update({ names })
  }

  call(of: TaskName, toolCallId: string): CallRecord | undefined {
    return this.get('calls', itemKey(of, toolCallId))
  }

  /** The calls with an id: of the task, or else of all tasks of the context, oldest first. */
  calls(contextId: string, taskId: string | undefined, toolCallId: string): CallRecord[] {
    const tasks = taskId === undefined ? tasksNamed(this.state, 'call', contextId, toolCallId) : [taskId]
    return tasks.flatMap((each) => this.call({ contextId, taskId: each }, toolCallId) ?? [])
  }

  setCall(call: CallRecord): void {
    this.set('calls', itemKey(call, call.toolCallId), call)
  }

  request(type: RequestRecord['type'], of: TaskName, id: string): RequestRecord | undefined {
    return requestIn(this.state, type, of, id)
  }

  /** The open requests of a task, or of all. */
  openRequests(task?: TaskName): readonly RequestRecord[] {
    const { open } = this.state
    if (task === undefined) return open
    return open.filter(({ contextId, taskId }) => contextId === task.contextId && taskId === task.taskId)
  }

  open(request: RequestRecord): void {
    this.update({ open: [...this.state.open, request], decisions: withRequest(this.state, request) })
  }

  /** Closes a request, and forgets what only open ones need. */
  close(request: RequestRecord, status: RequestRecord['status'], decision: Decision = {}): void {
    const { schema: _, options: __, ...rest } = request
    const { answer } = decision
    const chars = answer === undefined ? 0 : charsOf(answer)
    const total = this.state.answerChars + chars
    const task = this.taskOf(request)
    const record = { ...rest, status, ...decision }
    this.#setRequest(record, total > MAX_ANSWERS_CHARS ? 0 : undefined)
    this.update({ answerChars: this.state.requests.recentSize === 1 ? chars : total })
    this.update({ open: this.state.open.filter((each) => each !== request) })
    this.setTask({ ...withAnswer(task, answer), isAnswered: true })
    const isRunning =
      !isTerminalStatus(task.status) && forgottenRequest(this.state, request.type, request, request.id)
    if (isRunning) this.update({ decisions: withRequest(this.state, record) })
  }

  /** Closes a request that nobody is to answer any more. */
  withdraw(request: RequestRecord, message: string): void {
    this.close(request, 'closed')
    this.eventOfWithdrawn(request, message)
  }

  /** Puts a request that is never open in the place of an earlier one with its id: nobody gets the earlier answer for it. */
  supersede({ schema: _, options: __, ...request }: RequestRecord): void {
    this.#setRequest({ ...request, status: 'closed' })
    this.setTask({ ...this.taskOf(request), isAnswered: true })
  }

  /** Stores that the answer to a request need not be kept any more. */
  taken(request: RequestRecord | undefined): void {
    if (request?.answer === undefined || !isKept(this.state, request)) return
    this.setTask(withoutAnswer(this.taskOf(request), request.answer))
    const { recentSize } = this.state.requests
    const key = requestKey(request.type, request, request.id)
    this.set('requests', key, { ...request, isTaken: true }, Number.POSITIVE_INFINITY)
    const isMoved = this.state.requests.recentSize > recentSize
    if (isMoved) this.update({ answerChars: this.state.answerChars + charsOf(request.answer) })
  }

  /** Stores a request that is not open. What is forgotten for it has no answer that its agent has not taken. */
  #setRequest(request: RequestRecord, max?: number): void {
    const before = this.state.requests
    const size = max ?? Math.max(this.limits.maxEntries, this.state.keptSize)
    this.set('requests', requestKey(request.type, request, request.id), request, size)
    const stays = (each: RequestRecord): boolean => this.limits.keepsAnswers && isKept(this.state, each)
    const { map, kept } = keepingSome(before, this.state.requests, stays, Number.POSITIVE_INFINITY)
    // Looking for them takes as long as setting as many others.
    if (kept !== undefined) this.update({ requests: map, keptSize: kept })
  }

  eventOfWithdrawn(request: RequestRecord, message: string): void {
    if (request.type === 'input') {
      this.event(request, { kind: 'input-canceled', inputId: request.id, reason: 'withdrawn' })
    } else this.event(request, { kind: 'auth-failed', authId: request.id, reason: 'failed', message })
  }

  /** Emits an event of a task, for those who see what it belongs to. */
  event(of: TaskName & { readonly audience?: RequestRecord['audience'] }, { kind, ...bare }: Bare): void {
    const { contextId, taskId, audience } = of
    const { parentTaskId, path } = this.taskOf(of)
    const latest = this.state.latest
    const timestamp = latest !== null && Date.parse(latest) > Date.parse(this.at) ? latest : this.at
    const metadata = { ...(bare.metadata as object), ...(audience && { audience: [...audience] }) }
    this.emit({
      type: 'event',
      event: {
        ...{ kind, contextId, taskId },
        ...(parentTaskId !== undefined && { parentTaskId }),
        ...(path !== undefined && { path: [...path] }),
        ...bare,
        timestamp,
        ...(Object.keys(metadata).length > 0 && { metadata }),
      } as unknown as ContextAnyEvent,
    })
    this.update({ latest: timestamp })
  }

  /** Changes the status of a task that waits, once it has nothing or something else to wait for. */
  resume(of: TaskName): void {
    const task = this.taskOf(of)
    if (!isWaiting(task)) return
    const types = new Set(this.openRequests(of).map(({ type }) => type))
    if (types.has(task.status === 'waiting-input' ? 'input' : 'auth')) return
    this.setStatus(
      task,
      types.has('input') ? 'waiting-input' : types.has('auth') ? 'waiting-auth' : 'working',
    )
  }

  /** Emits a status. */
  setStatus(task: TaskRecord, status: 'working' | 'waiting-input' | 'waiting-auth'): void {
    this.setTask({ ...task, status })
    this.event(task, { kind: 'task-status', status })
  }
}

/** A request that is or was open. */
export function requestIn(
  state: LedgerState,
  type: RequestRecord['type'],
  of: TaskName,
  id: string,
): RequestRecord | undefined {
  const { open, requests } = state
  const isNamed = (each: RequestRecord): boolean =>
    each.type === type && each.id === id && each.contextId === of.contextId && each.taskId === of.taskId
  const known = open.find(isNamed) ?? boundedGet(requests, requestKey(type, of, id))
  return known ?? forgottenRequest(state, type, of, id)
}

/** The requests that are or were open with an id: of the task, or else of all tasks of the context, oldest first. */
export function requestsIn(
  state: LedgerState,
  type: RequestRecord['type'],
  contextId: string,
  taskId: string | undefined,
  id: string,
): RequestRecord[] {
  const isNamed = (each: RequestRecord): boolean =>
    each.type === type && each.id === id && each.contextId === contextId
  const tasks =
    taskId !== undefined
      ? [taskId]
      : new Set([
          ...tasksNamed(state, type, contextId, id),
          ...state.open.filter(isNamed).map((each) => each.taskId),
        ])
  return [...tasks].flatMap((each) => requestIn(state, type, { contextId, taskId: each }, id) ?? [])
}

type EntryOf<Name extends keyof Maps> = Maps[Name] extends BoundedMap<infer Entry> ? Entry : never

/** The key of a request. */
function requestKey(type: RequestRecord['type'], of: TaskName, id: string): string {
  return `${type} ${itemKey(of, id)}`
}

/** Whether a task waits for an input or an authentication. */
export function isWaiting({ status }: Pick<TaskRecord, 'status'>): boolean {
  return status === 'waiting-input' || status === 'waiting-auth'
}

/** Whether a task takes no more commands. */
export function isOver({ status, isCanceled }: TaskRecord): boolean {
  return isCanceled || isTerminalStatus(status)
}
