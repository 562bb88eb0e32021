/** Reads messages that a snapshot lists and that were not streamed. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { AgUiMessage } from '../wire/types/index.ts'
import { mergedMetadata } from './metadata.ts'
import { readThoughtContent, readThoughtEnd, readThoughtStart } from './read-reasoning.ts'
import { isWritten, readActivitySnapshot } from './read-state.ts'
import { readTextContent, readTextEnd, readTextStart } from './read-text.ts'
import { readCallArgs, readCallEnd, readCallResult, readCallStart } from './read-tool.ts'
import type { Listed } from './snapshot.ts'
import type { RunWriter } from './state.ts'

/** Reads what a message lists as if it were streamed. Returns whether events have it. */
export function readUnstreamed(writer: RunWriter, { message, text, call }: Listed): boolean {
  switch (message.role) {
    case 'assistant':
      return call === undefined ? readText(writer, message, text) : readCall(writer, message, call)
    case 'reasoning':
      return readThought(writer, message)
    case 'tool':
      return readResult(writer, message)
    case 'activity':
      return readActivity(writer, message)
    default:
      return false
  }
}

type Message<Role extends AgUiMessage['role']> = Extract<AgUiMessage, { role: Role }>

/** The subagent that a message is from, as events state it. */
function ownerIn({ subagentRunId }: { readonly subagentRunId?: string }): { subagentRunId?: string } {
  return subagentRunId === undefined ? {} : { subagentRunId }
}

interface Described {
  readonly metadata?: Metadata
  readonly encryptedValue?: string
}

/** The metadata of a message, with the opaque value of the provider. */
function statedIn({ metadata, encryptedValue: signature }: Described): { metadata?: Metadata } {
  if (signature !== undefined) return { metadata: { ...metadata, signature } }
  return metadata === undefined ? {} : { metadata }
}

const isEmpty = (stated: object): boolean => Object.keys(stated).length === 0

/** What a message of the assistant states besides its text and its calls. */
function statedBy(message: Message<'assistant'>): { name?: string; metadata?: Metadata } {
  const { name } = message
  return { ...(name !== undefined && { name }), ...statedIn(message) }
}

function readText(writer: RunWriter, message: Message<'assistant'>, text = ''): boolean {
  const { id: messageId } = message
  if (text === '') return isEmpty(statedBy(message))
  const of = { messageId, ...ownerIn(message) }
  readTextStart(writer, { type: 'TEXT_MESSAGE_START', role: 'assistant', ...of, ...statedBy(message) })
  readTextContent(writer, { type: 'TEXT_MESSAGE_CONTENT', ...of, delta: text })
  readTextEnd(writer, { type: 'TEXT_MESSAGE_END', ...of })
  return true
}

function readThought(writer: RunWriter, message: Message<'reasoning'>): boolean {
  const { id: messageId, content } = message
  if (content === '') return isEmpty(statedIn(message))
  const of = { messageId, ...ownerIn(message) }
  readThoughtStart(writer, {
    type: 'REASONING_MESSAGE_START',
    role: 'reasoning',
    ...of,
    ...statedIn(message),
  })
  readThoughtContent(writer, { type: 'REASONING_MESSAGE_CONTENT', ...of, delta: content })
  readThoughtEnd(writer, { type: 'REASONING_MESSAGE_END', ...of })
  return true
}

function readCall(
  writer: RunWriter,
  message: Message<'assistant'>,
  call: NonNullable<Listed['call']>,
): boolean {
  const { id: toolCallId, function: called } = call
  // A call of an earlier run, or one that was forgotten.
  if (boundedGet(writer.state.ids, `call:${toolCallId}`) !== undefined) return false
  const of = { toolCallId, ...ownerIn(message) }
  const parent = { parentMessageId: message.id, ...statedOfCall(writer, message, call) }
  readCallStart(writer, { type: 'TOOL_CALL_START', toolCallName: called.name, ...of, ...parent })
  readCallArgs(writer, { type: 'TOOL_CALL_ARGS', ...of, delta: called.arguments })
  readCallEnd(writer, { type: 'TOOL_CALL_END', ...of })
  return true
}

/** The metadata of a call. The first one of a message without a text has that of the message, too. */
function statedOfCall(
  writer: RunWriter,
  message: Message<'assistant'>,
  call: NonNullable<Listed['call']>,
): { metadata?: Metadata } {
  const { content = '', toolCalls = [] } = message
  if (content !== '' || toolCalls[0]?.id !== call.id) return statedIn(call)
  const { name, metadata: own } = statedBy(message)
  const ofMessage = { ...own, ...(name !== undefined && { name }) }
  const metadata = mergedMetadata(writer, ofMessage, statedIn(call))
  return metadata === null || Object.keys(metadata).length === 0 ? {} : { metadata }
}

function readResult(writer: RunWriter, message: Message<'tool'>): boolean {
  const { id: messageId, toolCallId, content, error } = message
  if (writer.item('calls', toolCallId) === undefined) return false
  const { metadata } = statedIn(message)
  const stated = error === undefined ? metadata : { ...metadata, error }
  const of = { messageId, toolCallId, ...ownerIn(message) }
  readCallResult(writer, { type: 'TOOL_CALL_RESULT', ...of, content, ...(stated && { metadata: stated }) })
  return true
}

function readActivity(writer: RunWriter, message: Message<'activity'>): boolean {
  const { id: messageId, activityType, content } = message
  const of = { messageId, ...ownerIn(message), ...statedIn(message) }
  const event = { type: 'ACTIVITY_SNAPSHOT', activityType, content, ...of } as const
  if (!isWritten(writer, event)) readActivitySnapshot(writer, event)
  return true
}
