/** Who may access a stream, and who may answer what its tasks ask. */

import { boundedGet } from '../../core/bounded-map/bounded-map.ts'
import type { TaskName } from '../../events/event.ts'
import { contextKey } from '../../streams/context-key.ts'
import { readDecision } from '../../validation/callbacks.ts'
import type { LedgerState, TaskRecord } from './state.ts'
import type { Sender } from './types.ts'

/** A stream, as {@link MayAccess} is asked about it. */
export interface AccessedStream {
  /** The name of the stream as a text. Empty for a `commandLedger` of its own. */
  readonly name: string
  /** The user whose stream it is: of its name, or else who sent its first `task.send`. Omitted if it has none. */
  readonly owner?: string
}

/** A request, as {@link MayAnswer} is asked about it. */
export interface AnsweredRequest {
  readonly contextId: string
  /** The task that asks. */
  readonly taskId: string
  /** The user who sent the task, or a task that it is a subtask of; or else the owner of the stream. Omitted if there is none. */
  readonly owner?: string
  /** Whether only a user may answer. */
  readonly requireUser: boolean
}

/** Whether a sender may read a stream and send it commands. Depend on nothing else. If it throws, or returns anything but `true`, the sender may not. */
export type MayAccess = (sender: Sender, stream: AccessedStream) => boolean

/** Whether a sender whose role may answer may do so. Depend on nothing else. If it throws, or returns anything but `true`, the sender may not. */
export type MayAnswer = (sender: Sender, request: AnsweredRequest) => boolean

/** The rules of a ledger. */
export interface AccessRules {
  /** The name of the stream, and its owner if the name states one. */
  readonly stream: AccessedStream
  readonly mayAccess: MayAccess
  readonly mayAnswer: MayAnswer
  /** Whether a request that has no owner is one that no user may answer. */
  readonly needsOwner: boolean
}

/** The rules of a ledger, by its options. */
export function accessRules(
  options: { readonly mayAccess?: MayAccess; readonly mayAnswer?: MayAnswer },
  stream: AccessedStream,
): AccessRules {
  const { mayAccess = ownerMayAccess, mayAnswer = ownerMayAnswer } = options
  return { stream, mayAccess, mayAnswer, needsOwner: options.mayAnswer === undefined }
}

/** Other roles are those of the application. */
const ownerMayAccess: MayAccess = (sender, { owner }) =>
  sender.role !== 'user' || owner === undefined || sender.id === owner

const ownerMayAnswer: MayAnswer = (sender, { owner }) => sender.role !== 'user' || sender.id === owner

/** Whether a sender may access the stream of a ledger. */
export function mayAccess(state: LedgerState, { stream, mayAccess }: AccessRules, sender: Sender): boolean {
  const owner = stream.owner ?? state.owner
  return readDecision(
    () => mayAccess(sender, { name: stream.name, ...(owner !== undefined && { owner }) }),
    false,
  )
}

/** Whether a sender may answer what a task asks. */
export function mayAnswer({ mayAnswer }: AccessRules, sender: Sender, request: AnsweredRequest): boolean {
  return readDecision(() => mayAnswer(sender, request), false)
}

/** The owner of a task; empty if an agent sent it, or it is forgotten who did; `undefined` if nobody did and the stream has none. */
export function ownerOf(state: LedgerState, { stream }: AccessRules, task: TaskName): string | undefined {
  return ownerIn(state, task) ?? stream.owner ?? state.owner
}

/** The same by what is known of the task and those above it. */
export function ownerIn(
  { tasks, owners, hasLostTasks }: LedgerState,
  { contextId, taskId }: TaskName,
): string | undefined {
  // Parents may form a cycle.
  const seen = new Set<string>()
  for (let at: string | undefined = taskId; at !== undefined && !seen.has(at); ) {
    seen.add(at)
    const task: TaskRecord | undefined = boundedGet(tasks, contextKey(contextId, at))
    const own = task?.owner ?? boundedGet(owners, at)
    if (own !== undefined) return own
    if (task === undefined && hasLostTasks === true) return ''
    at = task?.parentTaskId
  }
  return undefined
}
