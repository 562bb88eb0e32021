/** The requests of AI SDK clients: what `DefaultChatTransport` posts. */

import {
  CommandReader,
  derivedId,
  type ReadCommands,
  type ReadCommandsOptions,
} from '../../../commands/wires/command-reader.ts'
import { isFields } from '../../../validation/predicates.ts'
import { objectsIn, textIn } from '../../../validation/read-fields.ts'
import type { ShapeFields } from '../../../validation/shape.ts'
import { inputOf, inputShape, messagesShape } from '../wire/chat-request.ts'
import { readAnswers } from './tool-answers.ts'

/** Options of {@link commandsFromChatRequest}. */
export interface ReadChatOptions extends ReadCommandsOptions {
  /**
   * The last message of the assistant as the server has it: parts with the same state are no answers. Omitted: all
   * answers of the last step are read, and the ledger sorts out what it knows already.
   */
  readonly before?: unknown
}

/**
 * Reads what `useChat` posts: a new message of the user, a message to generate again, or answers in the tool parts of the
 * last message of the assistant: approvals, and results of tools that the page has run. The chat is the context. Answers to what is
 * open, as far as `requests` are known, come before a new message that follows them.
 *
 * The id of a new message names its command, and with its content that of an edited one, so that a request that is sent
 * again is recognized. `regenerate-message` has no id: its command is named by the whole body. To generate the same message
 * several times, name what is replaced, `regenerate({ messageId })`, or send a field of its own in the body.
 *
 * A page cannot cancel with `stop()`, which only disconnects: let it send `task.cancel`. Resuming is a GET without a
 * body.
 *
 * @param body - The parsed body. Any value.
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const { commands } = commandsFromChatRequest(await request.json(), { requests: await ledger.requests() })
 * for (const command of commands) await ledger.submit(command, { role: 'user', id: userId })
 * ```
 */
export function commandsFromChatRequest(body: unknown, options: ReadChatOptions = {}): ReadCommands {
  const reader = new CommandReader(options, ['before'])
  const contextId = textIn(body, 'id')
  if (!reader.fits(bodyShape, body) || !isFields(body) || contextId === undefined) return reader.done()
  const messages = objectsIn(body, 'messages')
  const end = messages.length - 1
  const [last, lastUser] = [messages.at(-1), messages.findLastIndex(({ role }) => role === 'user')]
  const asked = messages[lastUser]
  const isAgain = body.trigger === 'regenerate-message' && asked !== undefined
  const isNew = !isAgain && last?.role === 'user'
  if ((isAgain || isNew) && !reader.fits(inputShape, asked, `/messages/${lastUser}`)) return reader.done()
  if (isAgain) {
    const metadata = { trigger: body.trigger, messageId: textIn(body, 'messageId') ?? asked.id }
    const commandId = derivedId('regenerate', body)
    reader.add({ kind: 'task.send', commandId, contextId, input: inputOf(asked), metadata })
  } else if (isNew) {
    const metadata = { trigger: 'submit-message', messageId: last.id }
    const [id, input] = [textIn(last, 'id'), inputOf(last)]
    // An edited message keeps its id, and the body names it.
    const isEdited = id !== undefined && body.messageId === id
    const commandId = isEdited ? derivedId(id, input) : id
    const before = messages.findLastIndex(({ role }) => role === 'assistant')
    const answered = messages[before]
    // What the page has answered without sending it: what is open is known then.
    if (answered !== undefined && reader.requests !== undefined)
      readAnswers(reader, answered, `/messages/${before}`, contextId, options.before, true)
    reader.add({ kind: 'task.send', commandId, contextId, input, metadata })
  } else if (last?.role === 'assistant')
    readAnswers(reader, last, `/messages/${end}`, contextId, options.before)
  if (reader.commands.length === 0 && reader.diagnostics.length === 0) {
    const message = 'Expected a new message of the user or an answered tool part, got none.'
    reader.dropped('messages', 'no-equivalent', '/messages', message)
  }
  return reader.done()
}

/** What is read of a body: a message may have been written by any version of the SDK. */
const bodyShape: ShapeFields = {
  id: 'id',
  trigger: ['maybe', 'text'],
  messageId: ['maybe', 'text'],
  messages: messagesShape,
}
