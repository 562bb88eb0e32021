/** Running a task of a ledger so that it ends, however its agent does. */

import { onAbort } from '../../core/on-abort.ts'
import { mismatch, requireAsyncIterable, requireFunction, requireObject } from '../../core/require.ts'
import { pause } from '../../core/timer.ts'
import { decodeEvent } from '../../events/decode.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { foldEvents } from '../../streams/view/fold/index.ts'
import { emptyView, taskOf, type View } from '../../streams/view/index.ts'
import { closeDangling } from '../../streams/view/snapshot/index.ts'
import { readClock } from '../../validation/callbacks.ts'
import { isObsolete, mayBeLate } from '../ledger/obsolete.ts'
import { hasEnded, isRunning, latestTime, stoppedTasks } from '../ledger/read.ts'
import type { Ledger } from './ledger.ts'

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

/**
 * Appends the events of a task until it ends. What the agent leaves open is closed, and what it wrote is kept:
 *
 * - canceled: at once, with the status `canceled`; what the agent yields or throws from then on is ignored
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
  requireObject('options', options)
  const { now = () => new Date(), sleep = pause } = options
  const append = options.append === undefined ? ledger.append : options.append
  requireFunction('now', now)
  requireFunction('sleep', sleep)
  if (append === undefined) throw mismatch('append', 'a function that appends to the log', append)
  requireFunction('append', append)
  const signal = ledger.signalOf(task)
  const pauses = [...PAUSES_MS]
  let view = emptyView
  let failure: { readonly error: unknown } | undefined

  async function write(event: ContextAnyEvent): Promise<void> {
    if (ledger.appendUnlessLate !== undefined && mayBeLate(event)) await ledger.appendUnlessLate(event)
    else await append?.(event)
  }

  /** Tries again as long as there is hope: misuse is not mended by time. */
  async function writeEnd(event: ContextAnyEvent): Promise<void> {
    for (;;) {
      try {
        return await write(event)
      } catch (error) {
        const ms = pauses.shift()
        if (ms === undefined || error instanceof TypeError) throw error
        await sleep(ms)
        // What seems to have failed may have been stored.
        await ledger.requests?.().catch(() => undefined)
        if (isEnd(event) && hasEnded(ledger.state, event)) return
      }
    }
  }

  try {
    const events = agent(signal)
    requireAsyncIterable('agent()', events)
    for await (const event of untilAborted(events, signal)) {
      if (decodeEvent(event).status === 'invalid') throw mismatch('event', 'an event with context', event)
      await (isEnd(event) ? writeEnd(event) : write(event))
      view = foldEvents(view, [event])
    }
  } catch (error) {
    if (!signal.aborted) failure = { error }
  }
  try {
    for (const event of closing(view, ledger, task, signal.aborted, readClock(now))) {
      if (isObsolete(ledger.state, event) === undefined) await writeEnd(event)
    }
  } catch (error) {
    failure ??= { error }
  }
  if (failure !== undefined) throw failure.error
}

function isEnd(event: ContextAnyEvent): boolean {
  return event.kind === 'task-status' && isTerminalStatus(event.status)
}

/** The events that end a task, and its subtasks. */
function closing(
  view: View,
  { state }: Pick<Ledger, 'state'>,
  { contextId, taskId }: { readonly contextId: string; readonly taskId: string },
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

/** The items of an iterable until a signal is aborted, without waiting for the next one. */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  let cancel = (): void => {}
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    else cancel = onAbort(signal, () => resolve(undefined))
  })
  try {
    for (;;) {
      const next = iterator.next()
      // What it throws after the end is of no interest.
      next.catch(() => undefined)
      const result = await Promise.race([aborted, next])
      if (result === undefined || result.done || signal.aborted) return
      yield result.value
    }
  } finally {
    cancel()
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}
