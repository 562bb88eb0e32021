/** The requests of clients of Chat Completions. */

import type { InputResponse } from '../../../commands/input.ts'
import type { OpenRequest } from '../../../commands/ledger/read.ts'
import {
  CommandReader,
  derivedId,
  executedCall,
  type ReadCommands,
  type ReadCommandsOptions,
} from '../../../commands/wires/command-reader.ts'
import { parsedOrText } from '../../../json/parsed.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { fieldsOf, objectsIn, textIn } from '../../../validation/read-fields.ts'
import type { Shape, ShapeFields } from '../../../validation/shape.ts'
import { union } from '../../../validation/union.ts'
import { namedOnWire } from '../../shared/named-on-wire.ts'
import { questionText, REPLY_TO_CALL } from '../wire/question.ts'

/** Names the conversation and the command that a request is. */
export interface CompletionNames {
  readonly contextId: string
  readonly commandId: string
}

/**
 * Reads what a client of Chat Completions posts: the newest message of the user as the input of a task, or as the answer to what the
 * message before it asks; and the results of calls that the client has run, also if a message follows them. A message without the
 * results of calls that are open is no input: `dropped:message`.
 *
 * An answer counts only for questions that the client has shown, as the last message of the assistant has their text: another
 * one may have been asked since.
 */
export function commandsFromChatCompletion(
  body: unknown,
  { contextId, commandId }: CompletionNames,
  options: ReadCommandsOptions = {},
): ReadCommands {
  const reader = new CommandReader(options)
  if (!reader.fits(completionShape, body)) return reader.done()
  const all = objectsIn(body, 'messages')
  // Instructions are those of the agent, wherever they stand.
  const messages = all.filter(({ role }) => role !== 'system' && role !== 'developer')
  const last = messages.at(-1)
  if (last?.role === 'tool') readResults(reader, messages, contextId)
  else if (last?.role !== 'user')
    reader.invalid(
      '/messages',
      'Expected a message of the user or a result of a tool at the end, got another.',
    )
  else if (reader.fits({ content }, last, `/messages/${all.lastIndexOf(last)}`)) {
    const left = readResults(reader, messages, contextId, true)
    if (readAnswers(reader, messages, { contextId, commandId })) return reader.done()
    if (left.length === 0) reader.add({ kind: 'task.send', commandId, contextId, input: contentOf(last) })
    else {
      const text = `Expected the results of the open calls ${left.join(', ')} before a message of the user, got none.`
      reader.dropped('message', 'open-calls', '/messages', text)
    }
  }
  return reader.done()
}

/** The text of a message, or its parts. */
const content: Shape = [
  'or',
  ['text', ['list', ['fields', { type: 'text', text: ['maybe', 'text'] }]]],
  union,
]

/** What is read of a body. */
export const completionShape: ShapeFields = {
  messages: [
    'list',
    [
      'fields',
      {
        ...{ role: 'text', content: ['maybe', content], tool_call_id: ['maybe', 'text'] },
        tool_calls: ['maybe', ['list', ['fields', {}]]],
      },
    ],
  ],
  model: ['maybe', 'text'],
  stream: ['maybe', 'boolean'],
  stream_options: ['maybe', ['fields', { include_usage: ['maybe', 'boolean'] }]],
  metadata: ['maybe', ['fields', { conversation: ['maybe', 'text'] }]],
}

/** What the user writes to approve a call, and to decline it. */
const words = { approve: 'answered', decline: 'declined' } as const

/**
 * Reads an answer to what waits. Returns whether the message is no new input: something waits for the user, or it approves or declines what
 * does not wait any more. An agent would take that for consent to whatever it asks next.
 */
function readAnswers(reader: CommandReader, messages: readonly Fields[], names: CompletionNames): boolean {
  const waiting = (reader.requests ?? []).filter(({ type, isExecution }) => type !== 'tool' && !isExecution)
  const before = messages.findLast(({ role }) => role === 'assistant')
  const shown = before === undefined ? '' : textOf(before)
  if (waiting.length === 0) {
    const isLate =
      shown.trimEnd().endsWith(REPLY_TO_CALL) && wordOf(textOf(messages.at(-1) ?? {})) !== undefined
    if (isLate)
      reader.dropped(
        'answer',
        'no-open-question',
        '/messages',
        'Expected an answer to what waits, got one to a question that is closed.',
      )
    return isLate
  }
  const asked = waiting.filter((request) => request.type === 'input' && shown.includes(questionText(request)))
  const text = textOf(messages.at(-1) ?? {}).trim()
  const responses = responsesTo(asked, text)
  if (responses.length > 0) {
    const commandId = derivedId('answer', [names.commandId, responses])
    reader.add({ kind: 'input.respond', commandId, contextId: names.contextId, responses })
  } else
    reader.dropped(
      'answer',
      'no-open-question',
      '/messages',
      'Expected an answer to what waits, got another message.',
    )
  return true
}

function responsesTo(asked: readonly OpenRequest[], text: string): InputResponse[] {
  const calls = asked.filter(({ call }) => call !== undefined)
  const word = wordOf(text)
  if (calls.length > 0) {
    if (word === undefined) return []
    return calls.map(({ id: inputId, taskId, call }) => ({
      ...{ inputId, taskId, outcome: words[word] },
      ...(word === 'approve' && call !== undefined && { callDigest: call.digest }),
    }))
  }
  const [question, ...others] = asked
  if (question === undefined || others.length > 0) return []
  return [{ inputId: question.id, taskId: question.taskId, value: text }]
}

/** Whether a text approves or declines calls; `undefined` if it does neither. */
function wordOf(text: string): keyof typeof words | undefined {
  const [, word] = /^(approve|decline)[.!]*$/.exec(text.trim().toLowerCase()) ?? []
  return word as keyof typeof words | undefined
}

/**
 * Reads the results behind the last message of the assistant. Returns the ids of the open calls without one.
 *
 * @param isFollowed - Whether a message follows them, so that only those of open calls count.
 */
function readResults(
  reader: CommandReader,
  messages: readonly Fields[],
  contextId: string,
  isFollowed = false,
): string[] {
  const requests = reader.requests ?? []
  const start = messages.findLastIndex(({ role }) => role === 'assistant')
  const results = messages.slice(start + 1)
  const ids = new Set(results.flatMap((each) => textIn(each, 'tool_call_id') ?? []))
  const answered = new Set<OpenRequest>()
  for (const message of results) {
    const id = textIn(message, 'tool_call_id')
    if (message.role !== 'tool' || id === undefined) continue
    const named = namedOnWire(requests, id, executedCall, ids)
    if (named.request !== undefined) answered.add(named.request)
    else if (isFollowed && named.isAmbiguous !== true) continue
    const result = parsedOrText(textOf(message))
    reader.add({
      ...{ kind: 'tool.result', contextId, taskId: named.taskId, toolCallId: named.id },
      ...{ success: true, result },
    })
  }
  return requests.flatMap((request) => {
    const { id, isAside = true } = executedCall(request) ?? {}
    return id === undefined || isAside || answered.has(request) ? [] : [id]
  })
}

/** The content of a message: its text, or its parts if it has others. */
function contentOf(message: Fields): unknown {
  const parts = objectsIn(message, 'content')
  return parts.some(({ type }) => type !== 'text') ? parts : textOf(message)
}

/** The text of a message, of its parts joined. */
export function textOf(message: Fields): string {
  if (typeof message.content === 'string') return message.content
  return objectsIn(message, 'content')
    .map((part) => textIn(part, 'text') ?? '')
    .join('')
}

/** The earlier messages of a request, by the message of the user that they follow. */
export interface Exchange {
  readonly input: string
  readonly answer: string
}

/** What came before the newest message of the user. Instructions and calls are those of the agent itself. */
export function exchangesIn(body: unknown): Exchange[] {
  const messages = objectsIn(body, 'messages')
  const end = messages.findLastIndex(({ role }) => role === 'user')
  const found: { input: string; answer: string }[] = []
  for (const message of messages.slice(0, Math.max(end, 0))) {
    const last = found.at(-1)
    if (message.role === 'user') found.push({ input: textOf(message), answer: '' })
    else if (message.role === 'assistant' && last !== undefined) last.answer += textOf(message)
  }
  return found
}

/** The name of a conversation that a request states, as `metadata.conversation` or in a header; `undefined` if there is none. */
export function conversationIn(body: unknown, headers: Pick<Headers, 'get'>): string | undefined {
  const { metadata } = fieldsOf(body)
  return textIn(metadata, 'conversation') ?? headers.get('x-conversation') ?? undefined
}
