/** The requests of A2A clients, of both versions. */

import type { OpenRequest } from '../../../commands/ledger/read.ts'
import {
  CommandReader,
  type ReadCommands,
  type ReadCommandsOptions,
  sourceDigestOf,
} from '../../../commands/wires/command-reader.ts'
import { isApproval, responseTo } from '../../../commands/wires/response.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { fieldsOf, objectsIn, textIn } from '../../../validation/read-fields.ts'
import type { ShapeFields } from '../../../validation/shape.ts'

const sends = ['message/send', 'message/stream', 'SendMessage', 'SendStreamingMessage']
const cancels = ['tasks/cancel', 'CancelTask']
const resumes = ['tasks/resubscribe', 'SubscribeToTask']

/**
 * Reads a JSON-RPC request of an A2A client: `message/send`, `message/stream`, `tasks/cancel` and `tasks/resubscribe` of
 * 0.3, `SendMessage`, `SendStreamingMessage`, `CancelTask` and `SubscribeToTask` of 1.0. The `messageId` names the
 * command, so that a request that is sent again is recognized.
 *
 * A message to a task that has one open request, its subtasks included, is the answer to it, or the result if it is about
 * a call that the client is to run; for this, `requests` is needed. `metadata.inputId` of the message names the request:
 * then no other one is answered, whenever the message arrives. Without it, and if several are open, the message is new
 * input for the task, and `dropped:answer` is reported. An approval is never new input: if it is not known what it
 * approves, it answers a request with the id of the message, which the ledger refuses, and `inferred:inputId` is reported.
 * `metadata.authId` names a request for authentication: the message claims that it is completed, or declines with `{ approved: false }`.
 *
 * @param request - The parsed request: `method` and `params`. Any value.
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const { commands } = commandsFromA2a(await request.json(), { requests: await ledger.requests() })
 * for (const command of commands) await ledger.submit(command, { role: 'user', id: userId })
 * ```
 */
export function commandsFromA2a(request: unknown, options: ReadCommandsOptions = {}): ReadCommands {
  const reader = new CommandReader(options)
  const method = textIn(request, 'method')
  const params = fieldsOf(request).params
  if (method === undefined || !isFields(params)) {
    reader.invalid('', 'Expected a request with method and params, got another value.')
  } else if (sends.includes(method)) readMessage(reader, params)
  else if (cancels.includes(method) || resumes.includes(method)) {
    const taskId = textIn(params, 'id')
    if (taskId === undefined) reader.invalid('/params/id', 'Expected the id of a task, got another value.')
    else if (cancels.includes(method))
      reader.add({ kind: 'task.cancel', taskId, contextId: contextOf(reader, taskId) })
    else reader.add({ kind: 'stream.resume', taskId, contextId: contextOf(reader, taskId) })
  } else reader.dropped(method, 'no-equivalent', '/method', `The method ${method} is not a command.`)
  return reader.done()
}

/** What is read of a message. */
const messageShape: ShapeFields = {
  messageId: ['maybe', 'text'],
  taskId: ['maybe', 'text'],
  contextId: ['maybe', 'text'],
  parts: ['list', ['fields', {}]],
}

/** Whether a task or one of its subtasks asks: A2A clients know the root task only. */
function isOf({ taskId, ancestorTaskIds = [] }: OpenRequest, asked: string | undefined): boolean {
  return asked !== undefined && (taskId === asked || ancestorTaskIds.includes(asked))
}

function contextOf({ requests }: CommandReader, taskId: string): string | undefined {
  return requests?.find((request) => isOf(request, taskId))?.contextId
}

function readMessage(reader: CommandReader, params: Fields): void {
  const { message } = params
  if (!reader.fits(messageShape, message, '/params/message') || !isFields(message)) return
  const [commandId, taskId] = [textIn(message, 'messageId'), textIn(message, 'taskId')]
  const contextId =
    textIn(message, 'contextId') ?? (taskId === undefined ? undefined : contextOf(reader, taskId))
  const content = contentOf(message)
  // What it answers depends on what is open, and what it is does not.
  const sent = { commandId, contextId, sourceDigest: sourceDigestOf(message) }
  const open = (reader.requests ?? []).filter((each) => each.type === 'input' && isOf(each, taskId))
  const { inputId: name = null } = fieldsOf(message.metadata)
  if (name !== null && (typeof name !== 'string' || name === '')) {
    reader.invalid('/params/message/metadata/inputId', 'Expected an inputId, got another value.')
    return
  }
  if (isFields(message.metadata) && typeof message.metadata.authId === 'string') {
    readLogin(reader, message.metadata.authId, { ...sent, taskId }, content)
    return
  }
  const named = name ?? undefined
  const withName = (reader.requests ?? []).filter((each) => each.type === 'input' && each.id === named)
  const ofTask = taskId === undefined ? withName : withName.filter((each) => isOf(each, taskId))
  const candidates = named === undefined ? open : ofTask
  // Of several that are named alike, the ledger refuses the answer.
  const request = candidates.length === 1 ? candidates[0] : undefined
  const [other] = withName
  if (other !== undefined && ofTask.length === 0) {
    const text = `Expected a request of task "${taskId}", got inputId "${named}" of task "${other.taskId}".`
    reader.invalid('/params/message/metadata/inputId', text)
    return
  }
  if (request?.isExecution === true && request.call !== undefined) {
    const { toolCallId } = request.call
    reader.add({
      kind: 'tool.result',
      ...sent,
      taskId: request.taskId,
      toolCallId,
      success: true,
      result: content,
    })
    return
  }
  const isUnknown = named === undefined && request === undefined
  if (isUnknown && (taskId === undefined || !isApproval(content))) {
    if (open.length > 1) {
      const text = `Expected one open request of task "${taskId ?? ''}", got ${open.length}: the message answers none of them.`
      reader.dropped('answer', 'no-open-question', '/params/message', text)
    }
    const { metadata } = message
    reader.add({
      ...{ kind: 'task.send', ...sent, taskId, input: content ?? null },
      ...(isFields(metadata) && { metadata }),
    })
    return
  }
  const id = named ?? request?.id ?? commandId ?? taskId ?? ''
  const answered = request === undefined ? { id } : { id, taskId: request.taskId, request }
  const response = responseTo(reader, answered, content, '/params/message/parts')
  if (response === undefined) return
  if (isUnknown) {
    const text = `Expected one open request of task "${taskId}" for the approval, got ${open.length}: it approves none.`
    reader.inferred('inputId', '/params/message/metadata', text)
  }
  reader.add({ kind: 'input.respond', ...sent, responses: [response] })
}

/** Reads that a login is completed, or declined: a claim, about which the server decides. */
function readLogin(
  reader: CommandReader,
  authId: string,
  { taskId, ...sent }: { readonly taskId: string | undefined; readonly commandId?: string | undefined },
  content: unknown,
): void {
  const [request] = (reader.requests ?? []).filter(({ type, id }) => type === 'auth' && id === authId)
  const isDeclined = isApproval(content) && !content.approved
  const claim = isApproval(content) ? undefined : content
  const outcome = isDeclined ? 'denied' : 'completed'
  reader.add({ kind: 'auth.respond', ...sent, taskId: request?.taskId ?? taskId, authId, outcome, claim })
}

/** The text of a message, or the value of its only data part, or its parts. An approval may have a text beside it. */
function contentOf(message: Fields): unknown {
  const parts = objectsIn(message, 'parts')
  if (parts.length > 0 && parts.every(({ text }) => typeof text === 'string')) {
    return parts.map(({ text }) => text as string).join('\n')
  }
  const others = parts.filter(({ text }) => typeof text !== 'string')
  const [part] = others
  const hasData = others.length === 1 && part !== undefined && 'data' in part
  return hasData && (parts.length === 1 || isApproval(part.data)) ? part.data : message.parts
}
