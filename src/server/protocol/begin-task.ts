/** The requests of other protocols: their commands are applied, and the response is that of the task. */

import type { Command } from '../../commands/command.ts'
import type { CommandResult, ReceiptStatus } from '../../commands/ledger/types.ts'
import type { ReadCommands, ReadCommandsOptions } from '../../commands/wires/command-reader.ts'
import { issuesOf } from '../../validation/read.ts'
import type { ShapeFields } from '../../validation/shape.ts'
import type { ProtocolRequest } from '../handler/options.ts'
import type { Stream } from '../stream.ts'
import { isContextId, MAX_ID } from '../stream-name.ts'
import { type ClosedName, readTask, type TaskEvents, type TaskStart } from './read-task.ts'

/** Why a request is refused, which each protocol writes in its own way. */
export interface Problem {
  /** Of HTTP. */
  readonly status: number
  /** A code for programs: that of a receipt, or `invalid`, `not-found`, `too-many`, `waiting`. */
  readonly code: string
  readonly message: string
}

/**
 * Applies what a request asks for in a conversation, which begins with its first message, and reads the task that it is about.
 *
 * @param read - Reads the request as commands.
 * @param prepare - Called with a conversation that begins, before its first message is applied.
 */
export async function beginTask(
  request: ProtocolRequest,
  contextId: string,
  read: (options: ReadCommandsOptions) => ReadCommands,
  prepare?: (stream: Stream) => Promise<void>,
): Promise<TaskEvents | Problem> {
  const { open, sender, signal } = request
  const known = await open(contextId, { create: false })
  const requests = (await known?.requests()) ?? []
  const { commands, diagnostics } = read({ requests, role: sender.role })
  if (commands.length === 0)
    return invalid(diagnostics[0] ?? { message: 'Expected a message or an answer, got none.' })
  if (!isContextId(contextId)) return wrongName
  const create = commands.some(({ kind }) => kind === 'task.send')
  const stream = known ?? (create ? await open(contextId, { create }) : undefined)
  if (stream === undefined)
    return create ? tooMany : problem(404, 'not-found', 'There is no such conversation.')
  if (known === undefined) await prepare?.(stream)
  const start = await submitAll(request, stream, commands)
  if (!('start' in start)) return start
  const task = await readTask(stream.log, start.start, signal, true)
  return task ?? start.problem
}

/** Why a body cannot be read, by the shape of what is read of it; `undefined` if it can. */
export function faultIn(fields: ShapeFields, body: unknown): Problem | undefined {
  const [issue] = issuesOf(['fields', fields], body)
  return issue && invalid(issue)
}

function invalid({ message, path = '' }: { readonly message: string; readonly path?: string }): Problem {
  return problem(400, 'invalid', path === '' ? message : `${path}: ${message}`)
}

/** Why the response of a message ends before its task begins. */
export const blocked: Problem = problem(
  409,
  'waiting',
  'The message is queued behind a task that waits for an answer: answer or cancel that one.',
)

const wrongName: Problem = problem(
  400,
  'invalid',
  `Expected the name of the conversation as well-formed text of 1 to ${MAX_ID} characters, got another.`,
)

/** Beyond the limits of the handler, no conversation begins. */
const tooMany: Problem = problem(429, 'too-many', 'No conversation can begin.')

/** Where the response begins; the problem, in case that what the commands answer is not closed. */
type Submitted = { readonly start: TaskStart; readonly problem: Problem }

async function submitAll(
  { submit }: ProtocolRequest,
  stream: Stream,
  commands: readonly Command[],
): Promise<Submitted | Problem> {
  const closed: ClosedName[] = []
  let taskId: string | undefined
  let refused: CommandResult | undefined
  for (const command of commands) {
    const { receipt, refusal } = await submit(stream, command)
    if (refusal !== undefined) return problem(refusal.status, 'too-many', refusal.message)
    for (const result of receipt.results) {
      const isTaken = taken.includes(result.status)
      if (isTaken && command.kind === 'task.send') taskId = result.taskId
      else if (isTaken || overtaken.includes(result.status)) closed.push(...closedBy(command, result))
      if (!isTaken) refused ??= result
      if (!isTaken && command.kind === 'task.send') return refusalOf(result)
    }
  }
  const why = refusalOf(refused ?? { status: 'unknown-request', message: 'There is no such request.' })
  if (taskId !== undefined) return { start: { taskId }, problem: why }
  return closed.length > 0 ? { start: { closed }, problem: why } : why
}

const taken: readonly ReceiptStatus[] = ['accepted', 'repeated']

/** Somebody else was faster: the response is what follows the answer that counts. */
const overtaken: readonly ReceiptStatus[] = ['conflict', 'expired', 'ended', 'unknown-request']

function closedBy(command: Command, { inputId, authId, toolCallId, taskId }: CommandResult): ClosedName[] {
  const id = inputId ?? authId ?? toolCallId
  const isAnswer = command.kind !== 'task.send' && command.kind !== 'task.cancel'
  return isAnswer && id !== undefined ? [{ id, taskId }] : []
}

function refusalOf({ status, message }: Pick<CommandResult, 'status' | 'message'>): Problem {
  return problem(statusOf(status), status, message)
}

function statusOf(status: ReceiptStatus): number {
  if (status === 'forbidden') return 403
  if (status === 'unknown-request' || status === 'unknown-task') return 404
  return status === 'invalid' || status === 'unknown-command' ? 400 : 409
}

function problem(status: number, code: string, message: string): Problem {
  return { status, code, message }
}
