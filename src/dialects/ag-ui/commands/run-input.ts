/** The requests of AG-UI clients: `RunAgentInput`. */

import type { OpenRequest } from '../../../commands/ledger/read.ts'
import {
  CommandReader,
  executedCall,
  type ReadCommands,
  type ReadCommandsOptions,
  sourceDigestOf,
} from '../../../commands/wires/command-reader.ts'
import { answerOf, responseTo } from '../../../commands/wires/response.ts'
import { parsedOrText } from '../../../json/parsed.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { objectsIn, textIn } from '../../../validation/read-fields.ts'
import type { ShapeFields } from '../../../validation/shape.ts'
import { union } from '../../../validation/union.ts'
import { type Named, namedOnWire } from '../../shared/named-on-wire.ts'

/**
 * Reads what an AG-UI client posts: answers in `resume`, results of client-side tools in the tool messages at the end,
 * and a new message of the user. The thread is the context, and the ids of the commands derive from the run, so that a
 * request that is sent again is recognized. A message of the user that comes with answers is that of the interrupted run,
 * and reported as `dropped:message`, unless all answers are refusals.
 *
 * What the run brings besides, such as `state` and `tools`, is in the `metadata` of the `task.send`, and so is the
 * `runId`: the id of the new task.
 *
 * @param input - The parsed body. Any value.
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const { commands } = commandsFromRunAgentInput(await request.json(), { requests: await ledger.requests() })
 * for (const command of commands) await ledger.submit(command, { role: 'user', id: userId })
 * ```
 */
export function commandsFromRunAgentInput(input: unknown, options: ReadCommandsOptions = {}): ReadCommands {
  const reader = new CommandReader(options)
  const [threadId, runId] = [textIn(input, 'threadId'), textIn(input, 'runId')]
  const isInput = reader.fits(inputShape, input)
  if (!isInput || !isFields(input) || threadId === undefined || runId === undefined) return reader.done()
  readResume(reader, input, threadId, runId)
  const messages = objectsIn(input, 'messages')
  const last = messages.at(-1)
  const isSent = last?.role === 'user' && isNew(input)
  const end = messages.length - 1
  if (isSent && !reader.fits(messageShape, last, `/messages/${end}`)) return reader.done()
  readToolMessages(reader, messages, threadId)
  if (isSent) readMessage(reader, input, last, threadId, runId)
  else if (last?.role === 'user') {
    const message = 'Expected no new message with the answers, got the one of the interrupted run again.'
    reader.dropped('message', 'repeated', `/messages/${end}`, message)
  } else if (reader.commands.length === 0 && reader.diagnostics.length === 0) {
    const message = 'Expected an answer, a tool result or a new message of the user, got none.'
    reader.dropped('RunAgentInput', 'no-equivalent', '/messages', message)
  }
  return reader.done()
}

/** What is read of a `RunAgentInput`. */
const inputShape: ShapeFields = {
  threadId: 'id',
  runId: 'id',
  messages: [
    'list',
    [
      'fields',
      {
        ...{ id: ['maybe', 'text'], role: 'text', toolCallId: ['maybe', 'text'], error: ['maybe', 'text'] },
        toolCalls: ['maybe', ['list', ['fields', { id: 'id' }]]],
      },
    ],
  ],
  resume: ['maybe', ['list', ['fields', { interruptId: 'id', status: ['of', 'resolved', 'cancelled'] }]]],
}

/** What is read of a message of the user: text, or parts. */
const messageShape: ShapeFields = { content: ['or', ['text', ['list', ['fields', { type: 'text' }]]], union] }

/** Whether a message of the user at the end may be new: to answer, the client posts that of the interrupted run again. */
function isNew(input: Fields): boolean {
  return objectsIn(input, 'resume').every(({ status }) => status !== 'resolved')
}

/** Reads each answer as a command of its own: of one that is no longer open, nobody knows what it was about. */
function readResume(reader: CommandReader, input: Fields, contextId: string, runId: string): void {
  const entries = objectsIn(input, 'resume')
  const all = new Set(entries.flatMap((entry) => textIn(entry, 'interruptId') ?? []))
  const named = (type: OpenRequest['type'], id: string): Named<OpenRequest> => {
    const requests = (reader.requests ?? []).filter((each) => each.type === type)
    return namedOnWire(requests, id, (each) => each, all)
  }
  for (const [i, entry] of entries.entries()) {
    const inputId = textIn(entry, 'interruptId')
    if (inputId === undefined) continue
    const isDeclined = entry.status === 'cancelled'
    const commandId = `${runId}:resume:${inputId}`
    const sent = { commandId, contextId, sourceDigest: sourceDigestOf(entry) }
    const auth = named('auth', inputId)
    if (auth.request !== undefined || auth.isAmbiguous) {
      const outcome = isDeclined ? 'denied' : 'completed'
      const claim = isDeclined ? undefined : entry.payload
      reader.add({ kind: 'auth.respond', ...sent, taskId: auth.taskId, authId: auth.id, outcome, claim })
      continue
    }
    const asked = named('input', inputId)
    const response = isDeclined
      ? { ...answerOf(asked), outcome: 'declined' }
      : responseTo(reader, asked, entry.payload, `/resume/${i}/payload`)
    if (response !== undefined) reader.add({ kind: 'input.respond', ...sent, responses: [response] })
  }
}

/** The results of the calls of the last message of the assistant: what comes after it. */
function readToolMessages(reader: CommandReader, messages: readonly Fields[], contextId: string): void {
  const start = messages.findLastIndex(({ role }) => role === 'assistant')
  const calls = messages.flatMap((message) => objectsIn(message, 'toolCalls'))
  const all = new Set(calls.flatMap((call) => textIn(call, 'id') ?? []))
  for (const message of messages.slice(start + 1)) {
    const toolCallId = textIn(message, 'toolCallId')
    if (message.role !== 'tool' || toolCallId === undefined) continue
    const error = textIn(message, 'error')
    const named = namedOnWire(reader.requests ?? [], toolCallId, executedCall, all)
    const result = typeof message.content === 'string' ? parsedOrText(message.content) : message.content
    reader.add({
      ...{
        kind: 'tool.result',
        commandId: `${textIn(message, 'id') ?? toolCallId}:result`,
        contextId,
        taskId: named.taskId,
        toolCallId: named.id,
        // What it is read as depends on what is open.
        sourceDigest: sourceDigestOf(message),
      },
      ...(error === undefined ? { success: true, result } : { success: false, error }),
    })
  }
}

function readMessage(
  reader: CommandReader,
  { state, tools, context, forwardedProps }: Fields,
  message: Fields,
  contextId: string,
  runId: string,
): void {
  const brought = { messageId: message.id, state, tools, context, forwardedProps }
  const present = Object.entries(brought).filter(([, value]) => value !== undefined)
  reader.add({
    ...{ kind: 'task.send', commandId: `${runId}:send`, contextId },
    input: message.content ?? null,
    metadata: { runId, ...Object.fromEntries(present) },
  })
}
