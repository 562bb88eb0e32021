/** The events of one task of a stream: those by now, and those to come. */

import type { ContextAnyEvent } from '../../events/event.ts'
import { cursorAfter } from '../../streams/log/batch.ts'
import type { Cursor } from '../../streams/log/cursor.ts'
import type { EventLog } from '../../streams/log/event-log.ts'
import { follow } from '../../streams/log/follow/index.ts'
import { readToEnd } from '../../streams/log/read-to-end.ts'
import { StoreError } from '../store-error.ts'
import { Sent } from './missed.ts'
import { answeredId } from './open-requests.ts'
import { Turn } from './turn.ts'

/** Names a request that was closed, or a call that a client has run. */
export interface ClosedName {
  /** The `inputId`, the `authId` or the `toolCallId`. */
  readonly id: string
  /** The task that asked. Omitted: the latest one that asked with the id. */
  readonly taskId?: string | undefined
}

/** Where a response begins: with a task, or behind the answers to what a task has asked. */
export type TaskStart = { readonly taskId: string } | { readonly closed: readonly ClosedName[] }

/** The events of a task and its subtasks, unprojected. */
export interface TaskEvents {
  readonly taskId: string
  /** The events by now. */
  readonly past: readonly ContextAnyEvent[]
  /** How many of them come before the beginning of the response. */
  readonly skipped: number
  /** Whether it waits for its turn behind a task that waits for an answer. Looked at only if it was asked for. */
  readonly isBlocked: boolean
  /** The events to come. Ends with the stream, when the signal is aborted, or as `blocked` when the task is. */
  readonly future: FutureEvents
}

/** The events to come, in parts. */
export type FutureEvents = AsyncGenerator<readonly ContextAnyEvent[], 'blocked' | undefined, undefined>

/**
 * Reads a task from a log. A task that is not there yet is waited for.
 *
 * @param signal - Ends what is to come.
 * @param endsBlocked - Whether what is to come ends when the task is blocked.
 * @returns `undefined` if what is named was not closed.
 */
export async function readTask(
  log: EventLog,
  start: TaskStart,
  signal: AbortSignal,
  endsBlocked = false,
): Promise<TaskEvents | undefined> {
  const taskId = 'taskId' in start ? start.taskId : await rootOf(log, start.closed)
  if (taskId === undefined) return undefined
  const isOf = family(taskId)
  let turn = new Turn(taskId)
  let past: ContextAnyEvent[] = []
  let at: Cursor | undefined
  for await (const part of readToEnd(log)) {
    if (part.type === 'reset') {
      past = []
      turn = new Turn(taskId)
    }
    for (const event of part.events ?? []) {
      turn.follow(event)
      if (isOf(event)) past.push(event)
    }
    at = cursorAfter(part)
  }
  const skipped = 'closed' in start ? startOf(past, start.closed) : 0
  const waits = endsBlocked ? turn : undefined
  return {
    ...{ taskId, past, skipped },
    isBlocked: waits?.isBlocked === true,
    future: futureOf(log, at, { taskId, past, isOf, turn: waits }, signal),
  }
}

/** What a reader of a task knows. */
interface Reader {
  readonly taskId: string
  readonly past: readonly ContextAnyEvent[]
  /** Whether an event is of the task or of its subtasks. */
  readonly isOf: (event: ContextAnyEvent) => boolean
  /** Omitted: what is to come does not end while the task is blocked. */
  readonly turn: Turn | undefined
}

async function* futureOf(
  log: EventLog,
  at: Cursor | undefined,
  { taskId, past, isOf, turn }: Reader,
  signal: AbortSignal,
): FutureEvents {
  if (turn?.isBlocked) return 'blocked'
  const sent = new Sent()
  for (const event of past) sent.follow(event)
  for await (const part of follow(log, at, { signal })) {
    const own = (part.events ?? []).filter(isOf)
    const events = part.type === 'reset' ? sent.missed(own) : own
    // Without the task, nobody knows how it ends.
    if (events === undefined || (part.type === 'reset' && !own.some((event) => event.taskId === taskId)))
      throw new StoreError('unavailable', 'The client was too slow: the log has forgotten what comes next.')
    if (events.length > 0) yield events
    for (const event of events) sent.follow(event)
    for (const event of part.events ?? []) turn?.follow(event)
    if (turn?.isBlocked) return 'blocked'
  }
  return undefined
}

/** Whether an event is of a task or of its subtasks, for the events of a log in their order. */
function family(taskId: string): (event: ContextAnyEvent) => boolean {
  const known = new Set([taskId])
  return (event) => {
    if (event.parentTaskId !== undefined && known.has(event.parentTaskId)) known.add(event.taskId)
    return known.has(event.taskId)
  }
}

/** The task without a parent that has asked for what was closed; `undefined` if something was not closed. */
async function rootOf(log: EventLog, closed: readonly ClosedName[]): Promise<string | undefined> {
  const parents = new Map<string, string>()
  const found = new Map<ClosedName, string>()
  for await (const { events = [] } of readToEnd(log)) {
    for (const event of events) {
      const { taskId, parentTaskId = taskId } = event
      if (parentTaskId !== taskId && !parents.has(taskId)) parents.set(taskId, parentTaskId)
      for (const name of closed) if (closes(event)(name)) found.set(name, taskId)
    }
  }
  const [first] = found.values()
  if (first === undefined || found.size < closed.length) return undefined
  // Parents may form a cycle.
  const path = new Set<string>()
  let root = first
  for (let at: string | undefined = first; at !== undefined && !path.has(at); at = parents.get(at)) {
    path.add(at)
    root = at
  }
  return root
}

/** Where what follows the answers begins. A call that only its request has stated starts with its result. */
function startOf(past: readonly ContextAnyEvent[], closed: readonly ClosedName[]): number {
  const last = past.findLastIndex((event) => closed.some(closes(event)))
  const [before, event] = [past[last - 1], past[last]]
  const isStart = before?.kind === 'tool-start' && event?.kind === 'tool-complete'
  return isStart && before.toolCallId === event.toolCallId ? last - 1 : last
}

/** Whether an event closes what has a name. */
function closes(event: ContextAnyEvent): (name: ClosedName) => boolean {
  const id = event.kind === 'tool-complete' ? event.toolCallId : answeredId(event)
  return (name) => name.id === id && (name.taskId === undefined || name.taskId === event.taskId)
}
