/** Creates commands: fills in the id and the timestamp of a draft. */

import { randomId } from '../core/random-id.ts'
import { listOf, mismatch, requireFunction, requireObject, requireOnly } from '../core/require.ts'
import { readClock, readNewId } from '../validation/callbacks.ts'
import { requireValid } from '../validation/read.ts'
import { type CommandKind, type CommandOf, commandKinds } from './command.ts'
import { commandVocabulary } from './decode.ts'

/** The input of {@link createCommand}: any command. `commandId` and `timestamp` are optional. */
export type CommandDraft<K extends CommandKind = CommandKind> = { [Kind in K]: DraftOf<CommandOf<Kind>> }[K]

type DraftOf<C> = { [Field in keyof DraftFields<C>]: DraftFields<C>[Field] }
type Filled = 'commandId' | 'timestamp'
type DraftFields<C> = Omit<C, Filled> & Partial<Pick<C, Filled & keyof C>>

/** Options of {@link createCommand}. */
export interface CreateCommandOptions {
  /**
   * The clock. Returns the current time as a `Date`, as milliseconds since 1970, or as an RFC 3339 date-time with
   * time zone. Defaults to the platform's clock.
   */
  readonly now?: () => Date | number | string
  /** Creates a unique id. Defaults to a random UUID, or 32 random hexadecimal digits. */
  readonly newId?: () => string
}

/**
 * Creates a command from a draft. To deliver it again after a failure, send the same command again: the receiver
 * recognizes it by its `commandId`.
 *
 * @throws TypeError if the draft is not a valid command of its kind, or if `now` returns no valid time or `newId` no
 * id.
 *
 * @example
 * ```ts
 * const command = createCommand({ kind: 'input.respond', responses: [{ inputId: 'input-1', outcome: 'answered' }] })
 * await fetch('/commands', { method: 'POST', body: JSON.stringify(command) })
 * ```
 */
export function createCommand<K extends CommandKind>(
  draft: CommandDraft & { kind: K },
  options: CreateCommandOptions = {},
): CommandOf<K> {
  requireObject('draft', draft)
  requireOnly('options', options, ['now', 'newId'])
  const { now = () => new Date(), newId = randomId } = options
  requireFunction('now', now)
  requireFunction('newId', newId)
  const { kind, commandId = readNewId(newId), timestamp = readClock(now), ...rest } = draft
  const command = { kind, commandId, ...rest, timestamp }
  const check = typeof kind === 'string' ? commandVocabulary.checkOf(kind) : undefined
  if (check === undefined) throw mismatch('kind', listOf(commandKinds, 'or'), kind)
  requireValid(`${kind} command`, check, command)
  return command as unknown as CommandOf<K>
}
