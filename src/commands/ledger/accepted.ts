/**
 * Which commands were accepted: none of them has an effect again, whatever comes with its id. And which commands of
 * readers were refused: none of them takes effect on something else.
 */

import { boundedDelete } from '../../core/bounded-map/bounded-map.ts'
import { digitsOf, textDigest } from '../../encoding/sha256.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { contextKey } from '../../streams/context-key.ts'
import type { Command } from '../command.ts'
import type { TaskSendCommand } from '../task.ts'
import { applyResponses, conflictOf } from './apply-answers.ts'
import type { LedgerStep } from './ledger-step.ts'
import type { CommandResult, ReceiptStatus, Sender } from './types.ts'

/** The results of a command whose id was accepted before; `undefined` if it was not. */
export function resultsAgain(
  step: LedgerStep,
  command: Command,
  sender: Sender,
): CommandResult[] | undefined {
  const known = step.get('accepted', keyOf(command.commandId, sender))
  if (known === undefined) return undefined
  const [digest, accepted = '', source] = known.split(' ')
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
export function refusedAgain(
  step: LedgerStep,
  command: Command,
  sender: Sender,
): CommandResult[] | undefined {
  const [status, targets] = step.get('refused', keyOf(command.commandId, sender))?.split(' ') ?? []
  if (status === undefined || targets === targetsOf(command, status)) return undefined
  const message = `Expected commandId "${command.commandId}" for what it was refused for before, got it for something else.`
  return subjectsOf(command).map((subject) => ({ status: status as ReceiptStatus, message, ...subject }))
}

/** Remembers a command if it had an effect, or if it may be read as another one when it is sent again. */
export function remember(
  step: LedgerStep,
  command: Command,
  sender: Sender,
  results: readonly CommandResult[],
): void {
  const key = keyOf(command.commandId, sender)
  if (results.every(({ status }) => status !== 'accepted')) {
    const [{ status } = { status: 'invalid' }] = results
    if (sourceOf(command) === '' || step.get('refused', key) !== undefined) return
    step.set('refused', key, `${status} ${targetsOf(command, status)}`)
    return
  }
  const flags = results.map(({ status }) => (status === 'accepted' || status === 'repeated' ? '1' : '0'))
  step.set('accepted', key, `${digestOf(command)} ${flags.join('')} ${sourceOf(command)}`)
}

/** Forgets a command that nobody took: it may be sent again. */
export function forget(step: LedgerStep, commandId: string, sender: Sender): void {
  step.update({ accepted: boundedDelete(step.state.accepted, keyOf(commandId, sender)) })
}

function refusedBefore(commandId: string): string {
  return `Expected a new commandId for an answer that was refused, got "${commandId}" again.`
}

/**
 * The task that input is for. That of a new task follows from the sender and the command, so that a repeated command names it
 * too, in any process.
 */
export function taskOfSend({ taskId, commandId }: TaskSendCommand, sender: Sender): string {
  return taskId ?? `task-${digitsOf(keyOf(commandId, sender), 32)}`
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

/** A digest of what a reader has read the command from; empty if none has. */
function sourceOf(command: Command): string {
  const source = 'sourceDigest' in command ? command.sourceDigest : undefined
  return source === undefined ? '' : textDigest(source)
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
  return textDigest(JSON.stringify(targets))
}

function taskOf({ taskId }: { readonly taskId?: string }): Pick<CommandResult, 'taskId'> {
  return taskId === undefined ? {} : { taskId }
}

/** What the results of a command name. */
function subjectsOf(command: Command): Partial<CommandResult>[] {
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
