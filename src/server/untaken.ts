/** Input that is stored and that no agent has taken yet: a process that stops in between leaves it to the next one. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import { onlyContext } from '../commands/ledger/read.ts'
import type { LedgerOutput } from '../commands/ledger/types.ts'
import type { TaskName } from '../events/event.ts'

/** Input for an agent. */
export type Send = Extract<LedgerOutput, { type: 'send' }>

/** Input, and the ledger that is to hand it over, or has. */
export interface StoredSend extends Send {
  readonly by: string
  /** `taken`: it was handed over. `parked`: its process has stopped while the task waited. Omitted: it is to be handed over. */
  readonly phase?: 'taken' | 'parked'
  /** Whether the task has begun before. */
  readonly isResumed?: boolean
  /** How often it was handed over although no agent has begun: whoever took it has stopped, or runs none. Omitted: never. */
  readonly repeats?: number
  /** Whether the application is done with input that it has taken, and has run no task for it: it is not handed over again. */
  readonly isDone?: boolean
}

/** The state as it is stored. */
type Stored = CommandLedgerState & { readonly untaken?: readonly Send[] }

/** The inputs among outputs. */
export function sendsIn(outputs: readonly LedgerOutput[]): Send[] {
  return outputs.flatMap((output) => (output.type === 'send' ? [output] : []))
}

/** A stored state, and the input that is stored with it. */
export function withoutUntaken(stored: CommandLedgerState): {
  state: CommandLedgerState
  untaken: readonly Send[]
} {
  const { untaken = [], ...state } = stored as Stored
  return { state: untaken.length === 0 ? stored : (state as CommandLedgerState), untaken }
}

/** A state to store with the input that is not taken. */
export function withUntaken(state: CommandLedgerState, untaken: readonly Send[]): CommandLedgerState {
  return untaken.length === 0 ? state : ({ ...state, untaken } as CommandLedgerState)
}

/** Whether input is that of a task. */
export function isOf({ taskId, command }: Send, task: TaskName): boolean {
  return taskId === task.taskId && (command.contextId ?? task.contextId) === task.contextId
}

/** The task of input, if it is known to which context it belongs. */
export function taskOf({ taskId, command }: Send, state: CommandLedgerState): TaskName | undefined {
  const contextId = command.contextId ?? onlyContext(state)
  return contextId === undefined ? undefined : { contextId, taskId }
}

/** Names input: a sender uses the id of a command once. */
export function keyOf({ sender, command }: { sender: Send['sender']; command: unknown }): string {
  const { commandId } = (command ?? {}) as { commandId?: unknown }
  // Not all that is submitted is a command.
  return JSON.stringify([sender.role, sender.id, typeof commandId === 'string' ? commandId : ''])
}
