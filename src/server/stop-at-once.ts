/** Cancels that are not stored yet: agents that run here need not wait for the log. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import { ancestorsOf } from '../commands/ledger/read.ts'
import type { LedgerInput, LedgerOutput, Receipt } from '../commands/ledger/types.ts'
import type { Machine } from '../core/machine.ts'
import type { TaskName } from '../events/event.ts'
import { isFields } from '../validation/predicates.ts'
import { receiptIn } from './receipt-in.ts'

/** What a cancel stops by the state that is known here. */
export interface Stopped {
  /** The state with the cancel. */
  readonly state: CommandLedgerState
  /** For the sender, if the cancel cannot be stored in time. Omitted: some of the tasks run elsewhere, or nowhere. */
  readonly receipt?: Receipt
}

/**
 * What a command stops; `undefined` if it is no cancel, or nothing is to stop.
 *
 * @param running - The tasks that this process runs: it ends them once their signal is aborted.
 */
export function stoppedBy(
  machine: Machine<CommandLedgerState, LedgerInput, LedgerOutput>,
  known: CommandLedgerState,
  input: Extract<LedgerInput, { type: 'command' }>,
  running: readonly TaskName[],
): Stopped | undefined {
  if (!isFields(input.command) || input.command.kind !== 'task.cancel') return undefined
  const { state, out } = machine.step(known, input)
  const stopped = out.filter((each) => each.type === 'cancel')
  if (stopped.length === 0) return undefined
  const isHere = (task: TaskName): boolean => {
    const names = [task.taskId, ...ancestorsOf(known, task)]
    return running.some(({ contextId, taskId }) => contextId === task.contextId && names.includes(taskId))
  }
  if (!stopped.every(isHere)) return { state }
  const receipt = receiptIn(out)
  const message = 'Stopped the agent. The cancel is not stored yet: the task ends once its log answers.'
  return { state, receipt: { ...receipt, results: receipt.results.map((each) => ({ ...each, message })) } }
}
