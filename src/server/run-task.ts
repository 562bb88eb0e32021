/** Running a task of a stream so that it ends, however its agent does. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import { isObsolete } from '../commands/ledger/obsolete.ts'
import { hasEnded, isRunning, latestTime, stoppedTasks } from '../commands/ledger/read.ts'
import { inTime } from '../core/deadline.ts'
import { readEach } from '../core/read-items.ts'
import { mismatch, requireAsyncIterable } from '../core/require.ts'
import { pause } from '../core/timer.ts'
import { decodeEvent } from '../events/decode.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import { isTaskEnd } from '../events/task-end.ts'
import { isTerminalStatus } from '../events/task-status.ts'
import { contextKey } from '../streams/context-key.ts'
import { isLeaseLost } from '../streams/log/lease-log.ts'
import { foldEvents } from '../streams/view/fold/index.ts'
import { emptyView, taskOf, type View } from '../streams/view/index.ts'
import { closeDangling } from '../streams/view/snapshot/index.ts'
import { ApprovalError } from './approval-error.ts'
import { queueOf } from './queue.ts'
import type { Stream } from './stream.ts'

/** What running a task needs of its stream. */
export interface TaskHost extends Pick<Stream, 'signalOf'> {
  /** Appends an event of a task, or of one below it. That of another task is reported, and not appended. */
  append(event: ContextAnyEvent, task: TaskName): Promise<unknown>
  /** The state that is known here. */
  readonly state: CommandLedgerState
  /** Reads what other processes have stored. */
  refresh(): Promise<unknown>
  /** Whether the stream is left to other processes. */
  readonly isReleased: boolean
  /** The current time: RFC 3339 with time zone. */
  time(): string
}

/** How long it waits between the attempts to append the events that end a task, all together. */
const PAUSES_MS = [100, 200, 400, 800, 1600, 3200, 6400, 12_800]

/** How often it tries to end a task that was canceled, after these. */
const CANCEL_MS = 5000

/** Why a task has failed whose agent started a call that may not start. */
const NOT_APPROVED = 'The agent started a call that was not approved.'

/** How long it waits for the second event of a success: the `task-complete` with the result, or the status `completed`. */
const SECOND_MS = 1000

/**
 * Appends the events of a task until it ends, once, and stops the agent then: what it yields or throws after the end is
 * ignored, except the second event of a success within a second: the `task-complete` after the status `completed`, or the
 * status after the `task-complete`, which is added if it does not come. A task that has ended gets no further
 * events, also when it is run again. What the agent leaves open is closed, and what it wrote is kept:
 *
 * - canceled: at once, with the status `canceled`
 * - the agent throws: with the status `failed`, and the promise is rejected with the error
 * - the agent returns before it has ended the task: with the status `failed`
 * - an event cannot be appended: with the status `failed`, without that event, and the promise is rejected with the error.
 *   The agent gets no further
 *
 * A task that another process has taken over is left to it: nothing is appended, and the promise is rejected.
 *
 * @param agent - Returns the events of the task.
 * @param stopped - Aborting it leaves the task as it is, and rejects the promise with its reason.
 * @throws TypeError if `agent` returns no async iterable, or yields what is no event: its task has failed then.
 */
export async function runTask(
  host: TaskHost,
  task: TaskName,
  agent: (signal: AbortSignal) => AsyncIterable<ContextAnyEvent>,
  stopped: AbortSignal,
): Promise<void> {
  const signal = host.signalOf(task)
  /** Aborted when the agent is to stop, for whatever reason. */
  const either = AbortSignal.any([signal, stopped])
  // Runs of the same task take turns: only one of them ends it.
  const inOrder = queueOf(host, contextKey(task.contextId, task.taskId))
  const pauses = [...PAUSES_MS]
  let view = emptyView
  let events: AsyncGenerator<ContextAnyEvent> | undefined
  let failure: { readonly error: unknown } | undefined

  /** Reads what other processes have stored. */
  async function refresh(): Promise<void> {
    await host.refresh().catch(() => undefined)
  }

  /** Tries again as long as there is hope: misuse is not mended by time. */
  async function writeEnd(event: ContextAnyEvent, isSecond = false): Promise<void> {
    for (;;) {
      try {
        await host.append(event, task)
        return
      } catch (error) {
        const ms = pauses.shift()
        if (ms === undefined || error instanceof TypeError || isLeaseLost(error)) throw error
        await pause(ms)
        // What seems to have failed may have been stored.
        await refresh()
        if (isTaskEnd(event) && !isSecond && hasEnded(host.state, event)) return
      }
    }
  }

  /** Writes an event unless the task has ended; `false` if it has. */
  function writeUnlessEnded(
    event: ContextAnyEvent,
    writeIt: (event: ContextAnyEvent) => Promise<unknown>,
  ): Promise<boolean> {
    return inOrder(async () => {
      stopped.throwIfAborted()
      const isOwnEnd = isEndOf(task, event)
      if (isOwnEnd) await refresh()
      if (hasEnded(host.state, task)) return false
      await writeIt(event)
      view = foldEvents(view, [event])
      if (isOwnEnd) await refresh()
      return true
    })
  }

  /** Closes what the task leaves open, before the event that ends it. */
  async function closeOpen(end: ContextAnyEvent): Promise<void> {
    const status = end.kind === 'task-status' && end.status === 'canceled' ? 'canceled' : 'failed'
    for (const event of closing(view, host.state, task, status === 'canceled', end.timestamp)) {
      if (!isEndOf(task, event) && isObsolete(host.state, event) === undefined)
        await writeUnlessEnded(event, writeEnd)
    }
  }

  /** Appends what the agent yields, and returns the event that ends the task; `undefined` if it was not the agent. */
  async function writeAll(): Promise<ContextAnyEvent | undefined> {
    for (;;) {
      const { done, value: event } = (await events?.next()) ?? { done: true }
      if (done || signal.aborted) return undefined
      if (decodeEvent(event).status === 'invalid') throw mismatch('event', 'an event with context', event)
      if (isEndOf(task, event) && !isSuccess(event)) await closeOpen(event)
      const append = isTaskEnd(event) ? writeEnd : (own: ContextAnyEvent) => host.append(own, task)
      if (!(await writeUnlessEnded(event, append))) return undefined
      if (isEndOf(task, event)) return event
    }
  }

  try {
    await refresh()
    if (hasEnded(host.state, task)) return
    const yielded = agent(either)
    requireAsyncIterable('agent()', yielded)
    events = readEach(yielded, either)
    const end = await writeAll()
    if (end !== undefined && isSuccess(end)) {
      const next = await eventAfter(events)
      if (next !== undefined && isOf(task, next) && isSuccess(next) && next.kind !== end.kind)
        await writeEnd(next, true)
      else if (end.kind === 'task-complete') await writeEnd(statusAfter(end, host.state, host.time()), true)
    }
  } catch (error) {
    if (!signal.aborted) failure = { error }
  } finally {
    // What it throws from now on is of no interest.
    events?.return(undefined).catch(() => undefined)
  }
  if (stopped.aborted || isLeaseLost(failure?.error)) throw stopped.aborted ? stopped.reason : failure?.error
  // A cancel that was not stored when it stopped the agent states its reason by now.
  if (signal.aborted) await refresh()
  const why = failure?.error instanceof ApprovalError ? NOT_APPROVED : undefined
  for (;;) {
    try {
      for (const event of closing(view, host.state, task, signal.aborted, host.time(), why)) {
        if (isObsolete(host.state, event) === undefined) await writeUnlessEnded(event, writeEnd)
      }
      break
    } catch (error) {
      const isLost = error instanceof TypeError || isLeaseLost(error) || stopped.aborted || host.isReleased
      if (!signal.aborted || isLost) {
        failure ??= { error }
        break
      }
      // The receipt of its cancel states that the task ends once its log answers. A process with nothing else to do need not wait for that.
      await pause(CANCEL_MS, false)
      await refresh()
    }
  }
  if (failure !== undefined) throw failure.error
}

/** The event that follows the end of a task; `undefined` if none comes soon, or what comes is invalid. */
async function eventAfter(events: AsyncGenerator<ContextAnyEvent>): Promise<ContextAnyEvent | undefined> {
  const next = events.next().catch(() => undefined)
  const event = (await inTime(next, SECOND_MS))?.value
  return decodeEvent(event).status === 'known' ? event : undefined
}

/** Whether an event ends a task itself, not a subtask of it. */
function isEndOf(task: TaskName, event: ContextAnyEvent): boolean {
  return isTaskEnd(event) && isOf(task, event)
}

function isOf({ contextId, taskId }: TaskName, event: ContextAnyEvent): boolean {
  return event.contextId === contextId && event.taskId === taskId
}

/** Whether an event ends its task as completed. */
function isSuccess(event: ContextAnyEvent): boolean {
  return isTaskEnd(event) && (event.kind === 'task-complete' || event.status === 'completed')
}

/** The terminal status of a task that has a `task-complete` alone. */
function statusAfter(end: ContextAnyEvent, state: CommandLedgerState, now: string): ContextAnyEvent {
  const { contextId, taskId, parentTaskId, path } = end
  return {
    ...{ kind: 'task-status', contextId, taskId, status: 'completed', timestamp: latestTime(state, now) },
    ...(parentTaskId !== undefined && { parentTaskId }),
    ...(path !== undefined && { path }),
  }
}

/** The events that end a task, and its subtasks. */
function closing(
  view: View,
  state: CommandLedgerState,
  { contextId, taskId }: TaskName,
  isCanceled: boolean,
  now: string,
  why = 'The agent ended before its task.',
): ContextAnyEvent[] {
  const at = latestTime(state, now)
  const status = isCanceled ? 'canceled' : 'failed'
  const stopped = stoppedTasks(state).find((each) => each.contextId === contextId && each.taskId === taskId)
  const reason = stopped?.reason ?? (isCanceled ? 'The task was canceled.' : why)
  if (isTerminalStatus(taskOf(view, taskId, contextId)?.status ?? null)) return []
  const events = closeDangling(view, { reason, status, at })
  if (taskOf(view, taskId, contextId) !== undefined || !isRunning(state, { contextId, taskId })) return events
  // It began before, and the agent has added nothing.
  return [...events, { kind: 'task-status', contextId, taskId, status, timestamp: at, metadata: { reason } }]
}
