/** Input that is stored and that no agent has taken yet: a process that stops in between leaves it to the next one. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import { onlyContext } from '../commands/ledger/read.ts'
import type { LedgerOutput } from '../commands/ledger/types.ts'
import type { TaskName } from '../events/event.ts'
import { StoreError } from './store-error.ts'

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

/** What changes with the form of what is stored: of another one, nothing can be read. */
const FORMAT = 2

/** The state as it is stored. */
type Stored = CommandLedgerState & { readonly format: number; readonly untaken?: readonly StoredSend[] }

/** The inputs among outputs. */
export function sendsIn(outputs: readonly LedgerOutput[]): Send[] {
  return outputs.flatMap((output) => (output.type === 'send' ? [output] : []))
}

/** A stored state, and the input that is stored with it. Throws a StoreError for one of another version. */
export function withoutUntaken(
  stream: string,
  stored: object,
): {
  state: CommandLedgerState
  untaken: readonly StoredSend[]
} {
  const { format, untaken = [], ...state } = { ...stored } as Stored
  if (format === FORMAT) return { state, untaken }
  const found = format === undefined ? 'one without a format' : `format ${String(format)}`
  const message = `Expected the state of stream "${stream}" in format ${FORMAT}, got ${found}: another version of this library has stored it.`
  throw new StoreError('refused', message)
}

/** A state to store with the input that is not taken. */
export function withUntaken(state: CommandLedgerState, untaken: readonly StoredSend[]): object {
  return { ...state, format: FORMAT, ...(untaken.length > 0 && { untaken }) }
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
