/** Running a task of a ledger so that it ends, however its agent does. */

import { readEach } from '../../core/read-items.ts'
import {
  mismatch,
  requireAsyncIterable,
  requireFunction,
  requireObject,
  requireOnly,
} from '../../core/require.ts'
import { pause, startTimer, stopTimer } from '../../core/timer.ts'
import { decodeEvent } from '../../events/decode.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isTaskEnd } from '../../events/task-end.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { contextKey } from '../../streams/context-key.ts'
import { foldEvents } from '../../streams/view/fold/index.ts'
import { emptyView, taskOf, type View } from '../../streams/view/index.ts'
import { closeDangling } from '../../streams/view/snapshot/index.ts'
import { readClock } from '../../validation/callbacks.ts'
import { isObsolete, mayBeLate } from '../ledger/obsolete.ts'
import { hasEnded, isRunning, latestTime, stoppedTasks } from '../ledger/read.ts'
import type { Ledger } from './ledger.ts'
import { queueOf } from './queue.ts'

/** Options of {@link runTask}. */
export interface RunTaskOptions {
  /**
   * Appends an event. If it throws or rejects, the event is not in the stream. Defaults to `append` of the ledger; one in
   * Redis has none: pass that of the log. What may come too late is appended by `appendUnlessLate` of such a ledger.
   */
  readonly append?: (event: ContextAnyEvent) => unknown
  /** The time of the events that end the task. Defaults to the platform's clock. */
  readonly now?: () => Date | number | string
  /** Resolves after milliseconds: between two attempts to end the task. Defaults to a timer of the platform. */
  readonly sleep?: (ms: number) => Promise<unknown>
}

/** How long it waits between the attempts to append the events that end a task, all together. */
const PAUSES_MS = [100, 200, 400, 800, 1600, 3200, 6400, 12_800]

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
 * If an event that ends the task cannot be appended, it is tried again for about 25 seconds; then the promise is rejected,
 * and the task is left open. What comes too late is left out: the end of a request or a call that has another one, and a
 * status that waits for requests which were answered before.
 *
 * @param agent - Runs the agent, and returns its events. Pass the signal on, so that a canceled task costs no more.
 * @throws TypeError if an option is invalid. Also if `agent` returns no async iterable, or yields what is no event: its
 * task has failed then.
 *
 * @example
 * ```ts
 * await runTask(ledger, { contextId, taskId }, (signal) => agent(input, signal))
 * ```
 */
export async function runTask(
  ledger: Pick<Ledger, 'signalOf' | 'state'> &
    Partial<Pick<Ledger, 'requests'>> &
    Pick<RunTaskOptions, 'append'> & {
      readonly appendUnlessLate?: (event: ContextAnyEvent) => Promise<unknown>
    },
  task: { readonly contextId: string; readonly taskId: string },
  agent: (signal: AbortSignal) => AsyncIterable<ContextAnyEvent>,
  options: RunTaskOptions = {},
): Promise<void> {
  requireObject('ledger', ledger)
  requireFunction('agent', agent)
  requireOnly('options', options, ['append', 'now', 'sleep'])
  const { now = () => new Date(), sleep = pause } = options
  const append = options.append === undefined ? ledger.append : options.append
  requireFunction('now', now)
  requireFunction('sleep', sleep)
  if (append === undefined) throw mismatch('append', 'a function that appends to the log', append)
  requireFunction('append', append)
  const signal = ledger.signalOf(task)
  // Runs of the same task take turns: only one of them ends it.
  const inOrder = queueOf(ledger, contextKey(task.contextId, task.taskId))
  const pauses = [...PAUSES_MS]
  let view = emptyView
  let events: AsyncGenerator<ContextAnyEvent> | undefined
  let failure: { readonly error: unknown } | undefined

  /** Reads what other processes have stored. */
  async function refresh(): Promise<void> {
    await ledger.requests?.().catch(() => undefined)
  }

  async function write(event: ContextAnyEvent): Promise<void> {
    if (ledger.appendUnlessLate !== undefined && mayBeLate(event)) await ledger.appendUnlessLate(event)
    else await append?.(event)
  }

  /** Tries again as long as there is hope: misuse is not mended by time. */
  async function writeEnd(event: ContextAnyEvent, isSecond = false): Promise<void> {
    for (;;) {
      try {
        return await write(event)
      } catch (error) {
        const ms = pauses.shift()
        if (ms === undefined || error instanceof TypeError) throw error
        await sleep(ms)
        // What seems to have failed may have been stored.
        await refresh()
        if (isTaskEnd(event) && !isSecond && hasEnded(ledger.state, event)) return
      }
    }
  }

  /** Writes an event unless the task has ended; `false` if it has. */
  function writeUnlessEnded(
    event: ContextAnyEvent,
    writeIt: (event: ContextAnyEvent) => Promise<void>,
  ): Promise<boolean> {
    return inOrder(async () => {
      const isOwnEnd = isEndOf(task, event)
      if (isOwnEnd) await refresh()
      if (hasEnded(ledger.state, task)) return false
      await writeIt(event)
      view = foldEvents(view, [event])
      if (isOwnEnd) await refresh()
      return true
    })
  }

  /** Appends what the agent yields, and returns the event that ends the task; `undefined` if it was not the agent. */
  async function writeAll(): Promise<ContextAnyEvent | undefined> {
    for (;;) {
      const { done, value: event } = (await events?.next()) ?? { done: true }
      if (done || signal.aborted) return undefined
      if (decodeEvent(event).status === 'invalid') throw mismatch('event', 'an event with context', event)
      if (!(await writeUnlessEnded(event, isTaskEnd(event) ? writeEnd : write))) return undefined
      if (isEndOf(task, event)) return event
    }
  }

  try {
    await refresh()
    if (hasEnded(ledger.state, task)) return
    const yielded = agent(signal)
    requireAsyncIterable('agent()', yielded)
    events = readEach(yielded, signal)
    const end = await writeAll()
    if (end !== undefined && isSuccess(end)) {
      const next = await eventAfter(events)
      if (next !== undefined && isOf(task, next) && isSuccess(next) && next.kind !== end.kind)
        await writeEnd(next, true)
      else if (end.kind === 'task-complete')
        await writeEnd(statusAfter(end, ledger.state, readClock(now)), true)
    }
  } catch (error) {
    if (!signal.aborted) failure = { error }
  } finally {
    // What it throws from now on is of no interest.
    events?.return(undefined).catch(() => undefined)
  }
  try {
    for (const event of closing(view, ledger, task, signal.aborted, readClock(now))) {
      if (isObsolete(ledger.state, event) === undefined) await writeUnlessEnded(event, writeEnd)
    }
  } catch (error) {
    failure ??= { error }
  }
  if (failure !== undefined) throw failure.error
}

/** The event that follows the end of a task; `undefined` if none comes soon, or what comes is invalid. */
async function eventAfter(events: AsyncGenerator<ContextAnyEvent>): Promise<ContextAnyEvent | undefined> {
  let timer: unknown
  const late = new Promise<undefined>((resolve) => {
    timer = startTimer(() => resolve(undefined), SECOND_MS)
  })
  const next = events.next().catch(() => undefined)
  const event = (await Promise.race([next, late]))?.value
  stopTimer(timer)
  return decodeEvent(event).status === 'known' ? event : undefined
}

type TaskName = Parameters<Ledger['signalOf']>[0]

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
function statusAfter(end: ContextAnyEvent, state: Ledger['state'], now: string): ContextAnyEvent {
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
  { state }: Pick<Ledger, 'state'>,
  { contextId, taskId }: TaskName,
  isCanceled: boolean,
  now: string,
): ContextAnyEvent[] {
  const at = latestTime(state, now)
  const status = isCanceled ? 'canceled' : 'failed'
  const stopped = stoppedTasks(state).find((each) => each.contextId === contextId && each.taskId === taskId)
  const reason =
    stopped?.reason ?? (isCanceled ? 'The task was canceled.' : 'The agent ended before its task.')
  if (isTerminalStatus(taskOf(view, taskId, contextId)?.status ?? null)) return []
  const events = closeDangling(view, { reason, status, at })
  if (taskOf(view, taskId, contextId) !== undefined || !isRunning(state, { contextId, taskId })) return events
  // It began before, and the agent has added nothing.
  return [...events, { kind: 'task-status', contextId, taskId, status, timestamp: at, metadata: { reason } }]
}
