/** Which conversations are busy, so that new input waits for its turn, or is refused: those in which a task runs. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import { onlyContext } from '../commands/ledger/read.ts'
import type { TaskName } from '../events/event.ts'
import { keyOf, type StoredSend } from './untaken.ts'

export interface Turns {
  /** The keys of the input that waits. Input for a task that another input has begun does not: it is for an agent that runs. */
  readonly held: ReadonlySet<string>
  /** The contexts in which a task runs, or is about to. `undefined`: that of a stream without events. */
  readonly busy: ReadonlySet<string | undefined>
}

/**
 * @param stored - In the order in which it was accepted.
 * @param running - The tasks that run, in this process or in any.
 * @param isBeginning - Whether input was taken, and its task is about to begin.
 */
export function turnsIn(
  stored: readonly StoredSend[],
  state: CommandLedgerState,
  running: readonly TaskName[],
  isBeginning: (send: StoredSend) => boolean,
): Turns {
  const held = new Set<string>()
  const isNew = ({ command, phase }: StoredSend): boolean =>
    command.taskId === undefined && phase === undefined
  // Those that wait are shown as tasks, too.
  const waiting = new Set(stored.filter(isNew).map(({ taskId }) => taskId))
  const busy = new Set<string | undefined>(
    running.filter(({ taskId }) => !waiting.has(taskId)).map(({ contextId }) => contextId),
  )
  for (const each of stored) {
    const contextId = each.command.contextId ?? onlyContext(state)
    if (each.isResumed === true || !isNew(each)) {
      if (isBeginning(each)) busy.add(contextId)
      continue
    }
    if (busy.has(contextId)) held.add(keyOf(each))
    busy.add(contextId)
  }
  return { held, busy }
}
