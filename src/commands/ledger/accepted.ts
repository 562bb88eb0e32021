/**
 * Which commands were accepted: none of them has an effect again, whatever comes with its id. And which commands of
 * readers were refused: none of them takes effect on something else. What became of a command that is too old is not known.
 */

import { digitsOf, textDigest } from '../../encoding/sha256.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { contextKey } from '../../streams/context-key.ts'
import type { Command } from '../command.ts'
import type { TaskSendCommand } from '../task.ts'
import { applyResponses, conflictOf } from './apply-answers.ts'
import type { LedgerStep } from './ledger-step.ts'
import { isTooOld, outcomeOf, type SentCommand, withCommand, withoutCommand } from './retry-window.ts'
import type { CommandResult, ReceiptStatus, Sender } from './types.ts'

/** The results of a command that was accepted or refused before, or may have been; `undefined` if it is to be applied. */
export function resultsBefore(
  step: LedgerStep,
  command: Command,
  sender: Sender,
): CommandResult[] | undefined {
  const [what, ...rest] =
    outcomeOf(step.state.commands, sentCommand(command.commandId, sender))?.split(' ') ?? []
  if (what === undefined) return resultsTooOld(step, command, sender)
  return what === REFUSED ? refusedAgain(command, rest) : resultsAgain(step, command, sender, what, rest)
}

/** The results of a command whose id was accepted before. */
function resultsAgain(
  step: LedgerStep,
  command: Command,
  sender: Sender,
  accepted: string,
  [digest, source = '']: readonly string[],
): CommandResult[] {
  const { commandId, kind } = command
  // What a reader makes of a request that is sent again depends on what is open by then.
  const isSource = source !== '' && source === sourceOf(command)
  const isSame = isSource || digest === digestOf(command)
  // What was accepted with this id may have been the same answers, read from a request in another way.
  if (!isSame && kind === 'input.respond') return applyResponses(step, command, sender)
  return subjectsOf(command).map((subject, i) => {
    if (!isSame) return { ...conflictOf(commandId), ...subject }
    return (accepted[i] ?? accepted[0]) === '1'
      ? {
          ...{ status: 'repeated', message: 'The same command was accepted before.', ...subject },
          ...(kind === 'task.send' && { taskId: taskOfSend(command, sender) }),
        }
      : { status: 'conflict', message: refusedBefore(commandId), ...subject }
  })
}

/** The results of a command of a reader whose id was refused for something else before; `undefined` if it was not. */
function refusedAgain(
  command: Command,
  [targets, status = '']: readonly string[],
): CommandResult[] | undefined {
  if (targets === targetsOf(command, status)) return undefined
  const message = `Expected commandId "${command.commandId}" for what it was refused for before, got it for something else.`
  return subjectsOf(command).map((subject) => ({ status: status as ReceiptStatus, message, ...subject }))
}

/** The results of a command that may have been accepted before what is remembered; `undefined` if it is new. */
function resultsTooOld(step: LedgerStep, command: Command, sender: Sender): CommandResult[] | undefined {
  const { commandId, timestamp } = command
  const sent = sentCommand(commandId, sender)
  if (!isTooOld(step.state.commands, sent, Date.parse(timestamp))) return undefined
  const message = `Expected a command that is newer than those of its sender that are forgotten, got one of ${timestamp}: look at what it has led to, and send a new one.`
  return subjectsOf(command).map((subject) => ({ status: 'too-old', message, ...subject }))
}

/** Remembers a command if it had an effect, or if it may be read as another one when it is sent again. */
export function remember(
  step: LedgerStep,
  command: Command,
  sender: Sender,
  results: readonly CommandResult[],
): void {
  const isAccepted = results.some(({ status }) => status === 'accepted')
  const flags = results.map(({ status }) => (status === 'accepted' || status === 'repeated' ? '1' : '0'))
  const [{ status } = { status: 'invalid' }] = results
  const outcome = isAccepted
    ? [flags.join(''), digestOf(command), sourceOf(command)]
    : [REFUSED, targetsOf(command, status), status]
  const key = sentCommand(command.commandId, sender)
  const { commands } = step.state
  // It is still refused for what it was refused for first.
  if (!isAccepted && (sourceOf(command) === '' || outcomeOf(commands, key) !== undefined)) return
  const sent = {
    ...{ at: Date.parse(step.at), timestamp: Date.parse(command.timestamp) },
    outcome: outcome.join(' ').trimEnd(),
  }
  step.update({ commands: withCommand(commands, key, sent, step.limits.maxEntries) })
}

/** Forgets a command that nobody took: it may be sent again. */
export function forget(step: LedgerStep, commandId: string, sender: Sender): void {
  const key = sentCommand(commandId, sender)
  step.update({ commands: withoutCommand(step.state.commands, key, Date.parse(step.at)) })
}

/** Of a command that was refused: what it was for, and its status. Of an accepted one: `1` for each answer, its digest and source. */
const REFUSED = 'refused'

function sentCommand(commandId: string, sender: Sender): SentCommand {
  return { sender: senderKey(sender), id: shortDigest(commandId) }
}

function senderKey({ role, id }: Sender): string {
  return shortDigest(`${role} ${id}`)
}

/** Of any length in, of one length out. Written as JSON, lone surrogates differ. */
function shortDigest(text: string): string {
  return digitsOf(textDigest(JSON.stringify(text)), 32)
}

function refusedBefore(commandId: string): string {
  return `Expected a new commandId for an answer that was refused, got "${commandId}" again.`
}

/**
 * The task that input is for. That of a new task follows from the sender and the command, so that a repeated command names it
 * too, in any process.
 */
export function taskOfSend({ taskId, commandId }: TaskSendCommand, sender: Sender): string {
  const { role, id } = sender
  return taskId ?? `task-${digitsOf(textDigest(contextKey(`${role} ${id}`, commandId)), 32)}`
}

/** What a retry has in common with the command: all but the time. */
function digestOf(command: Command): string {
  const { commandId: _, timestamp: __, ...content } = command
  return shortDigest(canonicalJson(content) ?? '')
}

/** A digest of what a reader has read the command from; empty if none has. */
function sourceOf(command: Command): string {
  const source = 'sourceDigest' in command ? command.sourceDigest : undefined
  return source === undefined ? '' : shortDigest(source)
}

/**
 * A digest of what a command is for: requests, a call or a task. Of a request that was unknown, a reader does not know the
 * task: the same id is for the same.
 */
function targetsOf(command: Command, status: string): string {
  const targets = subjectsOf(command).map(({ inputId, authId, toolCallId, taskId }) => {
    const id = inputId ?? authId ?? toolCallId
    const hasTask = id === undefined || status !== 'unknown-request'
    return [inputId ?? authId ?? null, toolCallId ?? null, (hasTask && taskId) || null]
  })
  return shortDigest(JSON.stringify(targets))
}

function taskOf({ taskId }: { readonly taskId?: string }): Pick<CommandResult, 'taskId'> {
  return taskId === undefined ? {} : { taskId }
}

/** What the results of a command name. */
export function subjectsOf(command: Command): Partial<CommandResult>[] {
  switch (command.kind) {
    case 'input.respond':
      return command.responses.map(({ inputId, ...of }) => ({ inputId, ...taskOf(of) }))
    case 'auth.respond':
      return [{ authId: command.authId, ...taskOf(command) }]
    case 'tool.result':
      return [{ toolCallId: command.toolCallId, ...taskOf(command) }]
    case 'task.send':
    case 'task.cancel':
      return [taskOf(command)]
    case 'stream.resume':
      return [{}]
    default:
      return command satisfies never
  }
}
