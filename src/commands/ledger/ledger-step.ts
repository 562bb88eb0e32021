/** The workspace of one input of a ledger: reads and changes the records, and emits events, answers and receipts. */

import { type BoundedMap, boundedGet, boundedSet, boundedValues } from '../../core/bounded-map/bounded-map.ts'
import { StepBuilder } from '../../core/step-builder.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { contextKey } from '../../streams/context-key.ts'
import type { CallRecord, LedgerState, RequestRecord, TaskRecord } from './state.ts'
import type { Answer, LedgerOutput } from './types.ts'

/** An event without context and timestamp. */
export type Bare = { readonly kind: ContextAnyEvent['kind']; readonly [field: string]: unknown }

/** Limits of the state. */
export interface LedgerLimits {
  readonly maxEntries: number
  readonly maxAnswerChars: number
}

type Maps = Pick<LedgerState, 'requests' | 'calls' | 'tasks' | 'sent'>

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

  set<Name extends keyof Maps>(name: Name, key: string, entry: EntryOf<Name>): void {
    const entries = this.state[name] as BoundedMap<EntryOf<Name>>
    const { map, hasEvicted } = boundedSet(entries, key, entry, this.limits.maxEntries)
    this.update({ [name]: map })
    if (!hasEvicted) return
    this.diagnostic(
      'state-evicted',
      `The ledger forgot old ${name}: it holds the latest ${this.limits.maxEntries}.`,
    )
  }

  /** The context that a command means. `undefined` if it names none and the stream has several. */
  contextOf(contextId: string | undefined): string | undefined {
    if (contextId !== undefined) return contextId
    return this.state.hasSeveralContexts ? undefined : (this.state.contextId ?? undefined)
  }

  /** The task that asked. */
  taskOf({ contextId, taskId }: { readonly contextId: string; readonly taskId: string }): TaskRecord {
    const task = this.get('tasks', contextKey(contextId, taskId))
    return task ?? { contextId, taskId, status: null, isCanceled: false }
  }

  tasks(): Iterable<TaskRecord> {
    return boundedValues(this.state.tasks)
  }

  setTask(task: TaskRecord): void {
    this.set('tasks', contextKey(task.contextId, task.taskId), task)
  }

  call(contextId: string, toolCallId: string): CallRecord | undefined {
    return this.get('calls', contextKey(contextId, toolCallId))
  }

  setCall(toolCallId: string, call: CallRecord): void {
    this.set('calls', contextKey(call.contextId, toolCallId), call)
  }

  request(type: RequestRecord['type'], contextId: string, id: string): RequestRecord | undefined {
    return this.get('requests', requestKey(type, contextId, id))
  }

  /** The open requests of a task, or of all. */
  *openRequests(task?: { readonly contextId: string; readonly taskId: string }): Generator<RequestRecord> {
    for (const key of this.state.open) {
      const request = this.get('requests', key)
      if (request?.status !== 'open') continue
      if (task === undefined || (request.contextId === task.contextId && request.taskId === task.taskId))
        yield request
    }
  }

  open(request: RequestRecord): void {
    const key = requestKey(request.type, request.contextId, request.id)
    this.set('requests', key, request)
    const { open } = this.state
    this.update({ open: [...open, key].slice(-this.limits.maxEntries) })
  }

  /** Closes a request, and forgets what only open ones need. */
  close(request: RequestRecord, status: RequestRecord['status'], answer?: Answer): void {
    const { schema: _, options: __, ...rest } = request
    const key = requestKey(request.type, request.contextId, request.id)
    this.set('requests', key, answer === undefined ? { ...rest, status } : { ...rest, status, answer })
    this.update({ open: this.state.open.filter((each) => each !== key) })
  }

  /** Emits an event of a task, for those who see what it belongs to. */
  event(
    of: {
      readonly contextId: string
      readonly taskId: string
      readonly audience?: RequestRecord['audience']
    },
    { kind, ...bare }: Bare,
  ): void {
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
  resume(of: { readonly contextId: string; readonly taskId: string }): void {
    const task = this.taskOf(of)
    if (task.status !== 'waiting-input' && task.status !== 'waiting-auth') return
    const types = new Set([...this.openRequests(of)].map(({ type }) => type))
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

type EntryOf<Name extends keyof Maps> = Maps[Name] extends BoundedMap<infer Entry> ? Entry : never

/** The key of a request. */
export function requestKey(type: RequestRecord['type'], contextId: string, id: string): string {
  return `${type} ${contextKey(contextId, id)}`
}

/** Whether a task takes no more commands. */
export function isOver({ status, isCanceled }: TaskRecord): boolean {
  return isCanceled || isTerminalStatus(status)
}
