/** Abort signals of tasks, from the state of a ledger. */

import { boundedGet } from '../core/bounded-map/bounded-map.ts'
import { requireObject, requireText } from '../core/require.ts'
import type { TaskName } from '../events/event.ts'
import { isTerminalStatus } from '../events/task-status.ts'
import { contextKey } from '../streams/context-key.ts'
import type { CommandLedgerState } from './ledger/ledger.ts'
import type { LedgerState } from './ledger/state.ts'

/** The signals of the tasks that run in this process. */
export interface TaskSignals {
  /** The signal of a task. Aborted at once if the task is to stop. */
  signalOf(task: TaskName): AbortSignal
  /** Aborts the signals of tasks that are to stop, and forgets those of tasks that have ended. */
  update(state: CommandLedgerState): void
}

/**
 * Creates the abort signals of tasks. A signal is aborted by an accepted `task.cancel` and by nothing else: whether a
 * client is connected does not matter.
 *
 * @example
 * ```ts
 * const signals = taskSignals()
 * const response = await fetch(model, { signal: signals.signalOf({ contextId, taskId }) })
 * // after each input of the ledger
 * signals.update(ledger.state)
 * ```
 */
export function taskSignals(): TaskSignals {
  const controllers = new Map<string, AbortController>()
  let latest: LedgerState | undefined
  const isStopped = (key: string): boolean => {
    return latest !== undefined && boundedGet(latest.tasks, key)?.isCanceled === true
  }
  return {
    signalOf(task) {
      requireObject('task', task)
      requireText('contextId', task.contextId)
      requireText('taskId', task.taskId)
      const key = contextKey(task.contextId, task.taskId)
      const known = controllers.get(key)
      if (known !== undefined) return known.signal
      const controller = new AbortController()
      if (isStopped(key)) controller.abort()
      else controllers.set(key, controller)
      return controller.signal
    },
    update(state) {
      requireObject('state', state)
      const ledger = state as unknown as LedgerState
      latest = ledger
      for (const [key, controller] of controllers) {
        const task = boundedGet(ledger.tasks, key)
        if (task === undefined || !(task.isCanceled || isTerminalStatus(task.status))) continue
        controllers.delete(key)
        if (task.isCanceled) controller.abort()
      }
    },
  }
}
