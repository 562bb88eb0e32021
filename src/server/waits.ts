/** Who waits for what in one process: for answers, for signals, and for requests to expire. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import { answerTo, nextExpiry, type RequestName, requestNamed } from '../commands/ledger/read.ts'
import type { Answer } from '../commands/ledger/types.ts'
import { taskSignals } from '../commands/task-signals.ts'
import { mismatch, optional, requireOnly, requireSignal, requireText } from '../core/require.ts'
import { startTimer, stopTimer } from '../core/timer.ts'
import { changeOf, type Waiting, wakeAll } from '../core/waiting.ts'
import { StoreError } from './store-error.ts'
import type { Stream } from './stream.ts'

/** How long after a failure the same is tried again. */
const RETRY_MS = 1000

const requestNames = ['inputId', 'authId', 'contextId', 'taskId'] as const

/** The waits of a ledger. */
export interface Waits extends Pick<Stream, 'answer' | 'signalOf'> {
  /** Stops timers, and ends the waits. */
  close(): void
  /** Wakes whoever the new state concerns. */
  update(state: CommandLedgerState): void
  /** Aborts the signals of the tasks that are to stop by a state that is not stored yet. */
  stop(state: CommandLedgerState): void
  /** Calls `onExpiry` after a while. */
  retry(): void
}

/**
 * @param options.onExpiry - Called when the next request has expired, and again after a while if it rejects.
 * @param options.now - The current time in milliseconds.
 * @param options.onWait - Called when somebody begins to wait.
 * @param options.onAnswer - Called with each answer that somebody gets.
 */
export function ledgerWaits(options: {
  readonly initial: CommandLedgerState
  readonly now: () => number
  readonly onExpiry: () => Promise<unknown>
  readonly onWait?: () => void
  readonly onAnswer?: (answer: Answer) => void
}): Waits {
  const signals = taskSignals()
  const waiting: Waiting = new Set()
  let state = options.initial
  let timer: unknown
  let isClosed = false

  function schedule(): void {
    const expiry = nextExpiry(state)
    // A request is still open in the millisecond of its deadline.
    startAfter(expiry === undefined ? undefined : Math.max(0, expiry - options.now()) + 1)
  }

  function startAfter(ms: number | undefined): void {
    stopTimer(timer)
    if (ms !== undefined && !isClosed) timer = startTimer(() => options.onExpiry().catch(retry), ms)
  }

  const retry = (): void => startAfter(RETRY_MS)

  return {
    retry,
    stop: signals.update,
    update(next) {
      state = next
      signals.update(next)
      wakeAll(waiting)
      schedule()
    },
    signalOf(task) {
      options.onWait?.()
      return signals.signalOf(task)
    },
    async answer(
      name: RequestName,
      more: { readonly signal?: AbortSignal } = {},
    ): Promise<Answer | undefined> {
      requireOnly('request', name, requestNames)
      for (const each of requestNames) optional(requireText, `request.${each}`, name[each])
      if (name.inputId === undefined) requireText('request.inputId', name.authId)
      requireOnly('options', more, ['signal'])
      const { signal } = more
      if (signal !== undefined) requireSignal('signal', signal)
      options.onWait?.()
      let named = name
      for (;;) {
        signal?.throwIfAborted()
        const request = requestNamed(state, named)
        // Who waits for this request does not wait for one that another task asks later.
        if (typeof request === 'object') {
          named = { ...name, contextId: request.contextId, taskId: request.taskId }
        }
        const found = answerTo(state, named)
        if (found.status === 'ambiguous') {
          const expected = 'the id of a task, because several have asked with the id of the request'
          throw mismatch('request.taskId', expected, undefined)
        }
        if (found.status === 'answered') {
          options.onAnswer?.(found.answer)
          return found.answer
        }
        if (found.status === 'closed') return undefined
        if (isClosed) throw new StoreError('released', 'The stream was released before the answer came.')
        await changeOf(waiting, Number.POSITIVE_INFINITY, signal)
      }
    },
    close() {
      isClosed = true
      stopTimer(timer)
      wakeAll(waiting)
    },
  }
}
