/** The requests of AI SDK clients: what `DefaultChatTransport` posts. */

import {
  CommandReader,
  derivedId,
  type ReadCommands,
  type ReadCommandsOptions,
} from '../../../commands/wires/command-reader.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { objectsIn, textIn } from '../../../validation/read-fields.ts'
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
  if (!isFields(body) || contextId === undefined || !Array.isArray(body.messages)) {
    reader.invalid('', 'Expected a body with id and messages, got another value.')
    return reader.done()
  }
  const messages = objectsIn(body, 'messages')
  const last = messages.at(-1)
  const asked = messages.findLast(({ role }) => role === 'user')
  if (body.trigger === 'regenerate-message' && asked !== undefined) {
    const metadata = { trigger: body.trigger, messageId: textIn(body, 'messageId') ?? asked.id }
    const commandId = derivedId('regenerate', body)
    reader.add({ kind: 'task.send', commandId, contextId, input: inputOf(asked), metadata })
  } else if (last?.role === 'user') {
    const metadata = { trigger: 'submit-message', messageId: last.id }
    const [id, input] = [textIn(last, 'id'), inputOf(last)]
    // An edited message keeps its id, and the body names it.
    const isEdited = id !== undefined && body.messageId === id
    const commandId = isEdited ? derivedId(id, input) : id
    const before = messages.findLast(({ role }) => role === 'assistant')
    // What the page has answered without sending it: what is open is known then.
    if (before !== undefined && reader.requests !== undefined)
      readAnswers(reader, before, contextId, options.before, true)
    reader.add({ kind: 'task.send', commandId, contextId, input, metadata })
  } else if (last?.role === 'assistant') readAnswers(reader, last, contextId, options.before)
  if (reader.commands.length === 0 && reader.diagnostics.length === 0) {
    const message = 'Expected a new message of the user or an answered tool part, got none.'
    reader.dropped('messages', 'no-equivalent', '/messages', message)
  }
  return reader.done()
}

/** The text of a message, or its parts if it has others. */
function inputOf(message: Fields): unknown {
  const parts = objectsIn(message, 'parts')
  const isText =
    parts.length > 0 && parts.every((part) => part.type === 'text' && typeof part.text === 'string')
  return isText ? parts.map(({ text }) => text as string).join('') : (message.parts ?? null)
}
