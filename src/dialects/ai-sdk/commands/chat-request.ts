/** The requests of AI SDK clients: what `DefaultChatTransport` posts. */

import {
  CommandReader,
  type ReadCommands,
  type ReadCommandsOptions,
} from '../../../commands/wires/command-reader.ts'
import { textDigest } from '../../../encoding/sha256.ts'
import { callDigest } from '../../../json/call-digest.ts'
import { canonicalJson } from '../../../json/canonical.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { objectsIn, textIn } from '../../../validation/read-fields.ts'

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
 * last message of the assistant: approvals, and results of tools that the page has run. The chat is the context.
 *
 * The id of a new message names its command, and with its content that of an edited one, so that a request that is sent
 * again is recognized. Each
 * `regenerate-message` is a new command, as a second one looks like a repeated one.
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
    reader.add({ kind: 'task.send', contextId, input: inputOf(asked), metadata })
  } else if (last?.role === 'user') {
    const metadata = { trigger: 'submit-message', messageId: last.id }
    const [id, input] = [textIn(last, 'id'), inputOf(last)]
    // An edited message keeps its id, and the body names it.
    const isEdited = id !== undefined && body.messageId === id
    const commandId = isEdited ? `${id}:${textDigest(canonicalJson(input) ?? '')}` : id
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

/** The answers in the tool parts of the last step. */
function readAnswers(reader: CommandReader, message: Fields, contextId: string, before: unknown): void {
  const parts = objectsIn(message, 'parts')
  const start = parts.findLastIndex(({ type }) => type === 'step-start')
  const known = new Map(objectsIn(before, 'parts').map((part) => [part.toolCallId, part.state]))
  const messageId = textIn(message, 'id') ?? ''
  const responses: object[] = []
  for (const part of parts.slice(start + 1)) {
    const toolCallId = textIn(part, 'toolCallId')
    if (toolCallId === undefined || part.providerExecuted === true || known.get(toolCallId) === part.state)
      continue
    const commandId = `${messageId}:${toolCallId}`
    if (part.state === 'approval-responded') {
      const response = approvalIn(reader, part)
      if (response !== undefined) responses.push(response)
    } else if (part.state === 'output-available' && part.preliminary !== true) {
      if (isNew(reader, toolCallId)) {
        reader.add({
          kind: 'tool.result',
          commandId,
          contextId,
          toolCallId,
          success: true,
          result: part.output,
        })
      }
    } else if (part.state === 'output-error' && isNew(reader, toolCallId)) {
      const error = textIn(part, 'errorText')
      reader.add({ kind: 'tool.result', commandId, contextId, toolCallId, success: false, error })
    }
  }
  if (responses.length > 0) {
    reader.add({ kind: 'input.respond', commandId: `${messageId}:approvals`, contextId, responses })
  }
}

/** Whether a result may be one that the page was asked for, and not one that the server has sent. */
function isNew({ requests }: CommandReader, toolCallId: string): boolean {
  return (
    requests === undefined ||
    requests.some(({ type, id, call }) => (type === 'tool' ? id : call?.toolCallId) === toolCallId)
  )
}

function approvalIn(reader: CommandReader, part: Fields): object | undefined {
  const { approval } = part
  const inputId = textIn(approval, 'id')
  if (!isFields(approval) || inputId === undefined || typeof approval.approved !== 'boolean') {
    reader.invalid('/messages', 'Expected an approval with id and approved, got another value.')
    return undefined
  }
  const reason = textIn(approval, 'reason')
  if (!approval.approved) return { inputId, outcome: 'declined', ...(reason !== undefined && { reason }) }
  const call = reader.request(inputId)?.call
  if (reader.request(inputId) === undefined) {
    reader.unknownApproval('/messages', `an approval of id "${inputId}"`)
    return undefined
  }
  if (call === undefined) return { inputId }
  const shown = part.type === 'dynamic-tool' ? part.toolName : String(part.type).slice('tool-'.length)
  if (part.toolCallId !== call.toolCallId || shown !== call.toolName) {
    reader.invalid(
      '/messages',
      `Expected the approval of id "${inputId}" in the part of its call, got another part.`,
    )
    return undefined
  }
  // What the page has shown is what the user has approved.
  return { inputId, callDigest: callDigest({ toolName: call.toolName, arguments: part.input }) }
}
