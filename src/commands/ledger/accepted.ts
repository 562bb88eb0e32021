/** Which commands were accepted: none of them has an effect again, whatever comes with its id. */

import { boundedDelete } from '../../core/bounded-map/bounded-map.ts'
import { textDigest } from '../../encoding/sha256.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { contextKey } from '../../streams/context-key.ts'
import type { Command } from '../command.ts'
import { applyResponses, conflictOf } from './apply-answers.ts'
import type { LedgerStep } from './ledger-step.ts'
import type { CommandResult, Sender } from './types.ts'

/** The results of a command whose id was accepted before; `undefined` if it was not. */
export function resultsAgain(
  step: LedgerStep,
  command: Command,
  sender: Sender,
): CommandResult[] | undefined {
  const known = step.get('accepted', keyOf(command.commandId, sender))
  if (known === undefined) return undefined
  const [digest, accepted = ''] = known.split(' ')
  const { commandId, kind } = command
  const isSame = digest === digestOf(command)
  // What was accepted with this id may have been the same answers, read from a request in another way.
  if (!isSame && kind === 'input.respond') return applyResponses(step, command, sender)
  return subjectsOf(command).map((subject, i) => {
    if (!isSame) return { ...conflictOf(commandId), ...subject }
    return accepted[i] === '1'
      ? { status: 'repeated', message: 'The same command was accepted before.', ...subject }
      : { status: 'conflict', message: refusedBefore(commandId), ...subject }
  })
}

/** Remembers a command if it had an effect. */
export function remember(
  step: LedgerStep,
  command: Command,
  sender: Sender,
  results: readonly CommandResult[],
): void {
  if (results.every(({ status }) => status !== 'accepted')) return
  const flags = results.map(({ status }) => (status === 'accepted' || status === 'repeated' ? '1' : '0'))
  step.set('accepted', keyOf(command.commandId, sender), `${digestOf(command)} ${flags.join('')}`)
}

/** Forgets a command that nobody took: it may be sent again. */
export function forget(step: LedgerStep, commandId: string, sender: Sender): void {
  step.update({ accepted: boundedDelete(step.state.accepted, keyOf(commandId, sender)) })
}

function refusedBefore(commandId: string): string {
  return `Expected a new commandId for an answer that was refused, got "${commandId}" again.`
}

/** Of any length in, of one length out. */
function keyOf(commandId: string, { role, id }: Sender): string {
  return textDigest(contextKey(`${role} ${id}`, commandId))
}

/** What a retry has in common with the command: all but the time. */
function digestOf(command: Command): string {
  const { commandId: _, timestamp: __, ...content } = command
  return textDigest(canonicalJson(content) ?? '')
}

/** What the results of a command name. */
function subjectsOf(command: Command): Partial<CommandResult>[] {
  switch (command.kind) {
    case 'input.respond':
      return command.responses.map(({ inputId }) => ({ inputId }))
    case 'auth.respond':
      return [{ authId: command.authId }]
    case 'tool.result':
      return [{ toolCallId: command.toolCallId }]
    case 'task.send':
    case 'task.cancel':
      return [command.taskId === undefined ? {} : { taskId: command.taskId }]
    case 'stream.resume':
      return [{}]
    default:
      return command satisfies never
  }
}
