/** The commands as one type. */
import type { AuthRespondCommand } from './auth.ts'
import type { InputRespondCommand } from './input.ts'
import type { StreamResumeCommand } from './stream.ts'
import type { TaskCancelCommand, TaskSendCommand } from './task.ts'
import type { ToolResultCommand } from './tool.ts'

/**
 * Any command of this version: what a client sends to an agent. Narrow it by `kind`.
 *
 * Who sent it is not part of a command, because a client can claim anything: the server adds the {@link Sender} that it
 * has authenticated.
 */
export type Command =
  | TaskSendCommand
  | TaskCancelCommand
  | InputRespondCommand
  | AuthRespondCommand
  | ToolResultCommand
  | StreamResumeCommand

/** The kind of a command. */
export type CommandKind = Command['kind']

/** The command of a kind. An intersection, so that declaration files of applications name it by this alias. */
export type CommandOf<K extends CommandKind> = Extract<Command, { kind: K }> & { kind: K }

/** A command of a kind that this version does not know. Its fields are as received. */
export type UnknownCommand = {
  kind: string
  commandId: string
  timestamp: string
  [field: string]: unknown
}

/** All kinds of commands, in the order of the documentation. */
export const commandKinds: readonly CommandKind[] = [
  'task.send',
  'task.cancel',
  'input.respond',
  'auth.respond',
  'tool.result',
  'stream.resume',
]
