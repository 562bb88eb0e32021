/** The requests of A2A clients, of both versions. */

import type { OpenRequest } from '../../../commands/ledger/read.ts'
import {
  CommandReader,
  isApproval,
  type ReadCommands,
  type ReadCommandsOptions,
} from '../../../commands/wires/command-reader.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { objectsIn, textIn } from '../../../validation/read-fields.ts'

const sends = ['message/send', 'message/stream', 'SendMessage', 'SendStreamingMessage']
const cancels = ['tasks/cancel', 'CancelTask']
const resumes = ['tasks/resubscribe', 'SubscribeToTask']

/**
 * Reads a JSON-RPC request of an A2A client: `message/send`, `message/stream`, `tasks/cancel` and `tasks/resubscribe` of
 * 0.3, `SendMessage`, `SendStreamingMessage`, `CancelTask` and `SubscribeToTask` of 1.0. The `messageId` names the
 * command, so that a request that is sent again is recognized.
 *
 * A message to a task that has one open request, its subtasks included, is the answer to it; for this, `requests` is
 * needed. If it is about a call that the client is to run, it is the result. If there are several, the message is new input for the task, and `dropped:answer` is reported.
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
  const params = isFields(request) ? request.params : undefined
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

/** Whether a task or one of its subtasks asks: A2A clients know the root task only. */
function isOf({ taskId, ancestorTaskIds = [] }: OpenRequest, asked: string | undefined): boolean {
  return asked !== undefined && (taskId === asked || ancestorTaskIds.includes(asked))
}

function contextOf({ requests }: CommandReader, taskId: string): string | undefined {
  return requests?.find((request) => isOf(request, taskId))?.contextId
}

function readMessage(reader: CommandReader, params: Fields): void {
  const { message } = params
  if (!isFields(message) || !Array.isArray(message.parts)) {
    reader.invalid('/params/message', 'Expected a message with parts, got another value.')
    return
  }
  const [commandId, taskId] = [textIn(message, 'messageId'), textIn(message, 'taskId')]
  const contextId =
    textIn(message, 'contextId') ?? (taskId === undefined ? undefined : contextOf(reader, taskId))
  const content = contentOf(message)
  const open = (reader.requests ?? []).filter((each) => each.type === 'input' && isOf(each, taskId))
  const [request] = open
  if (request !== undefined && open.length === 1) {
    const { isExecution = false, call } = request
    if (isExecution && call !== undefined) {
      const { toolCallId } = call
      reader.add({ kind: 'tool.result', commandId, contextId, toolCallId, success: true, result: content })
      return
    }
    const response = reader.response(request.id, content, '/params/message/parts')
    if (response !== undefined)
      reader.add({ kind: 'input.respond', commandId, contextId, responses: [response] })
    return
  }
  if (open.length > 1) {
    const text = `Expected one open request of task "${taskId ?? ''}", got ${open.length}: the message answers none of them.`
    reader.dropped('answer', 'no-open-question', '/params/message', text)
  }
  if (taskId !== undefined && isApproval(content)) {
    if (open.length === 0) reader.unknownApproval('/params/message', `an approval for task "${taskId}"`)
    return
  }
  const { metadata } = message
  reader.add({
    ...{ kind: 'task.send', commandId, contextId, taskId, input: content ?? null },
    ...(isFields(metadata) && { metadata }),
  })
}

/** The text of a message, or the value of its only data part, or its parts. */
function contentOf(message: Fields): unknown {
  const parts = objectsIn(message, 'parts')
  if (parts.length > 0 && parts.every(({ text }) => typeof text === 'string')) {
    return parts.map(({ text }) => text as string).join('\n')
  }
  const [part] = parts
  return parts.length === 1 && part !== undefined && 'data' in part ? part.data : message.parts
}
