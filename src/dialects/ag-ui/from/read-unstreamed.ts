/** Reads messages that a snapshot lists and that were not streamed. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { AgUiMessage } from '../wire/types/index.ts'
import { readThoughtContent, readThoughtEnd, readThoughtStart } from './read-reasoning.ts'
import { readActivitySnapshot } from './read-state.ts'
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

function readText(writer: RunWriter, message: Message<'assistant'>, text = ''): boolean {
  const { id: messageId, name } = message
  if (text === '') return true
  const of = { messageId, ...ownerIn(message) }
  const stated = { ...(name !== undefined && { name }), ...statedIn(message) }
  readTextStart(writer, { type: 'TEXT_MESSAGE_START', role: 'assistant', ...of, ...stated })
  readTextContent(writer, { type: 'TEXT_MESSAGE_CONTENT', ...of, delta: text })
  readTextEnd(writer, { type: 'TEXT_MESSAGE_END', ...of })
  return true
}

function readThought(writer: RunWriter, message: Message<'reasoning'>): boolean {
  const { id: messageId, content } = message
  if (content === '') return true
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
  const parent = { parentMessageId: message.id, ...statedIn(call) }
  readCallStart(writer, { type: 'TOOL_CALL_START', toolCallName: called.name, ...of, ...parent })
  readCallArgs(writer, { type: 'TOOL_CALL_ARGS', ...of, delta: called.arguments })
  readCallEnd(writer, { type: 'TOOL_CALL_END', ...of })
  return true
}

function readResult(writer: RunWriter, message: Message<'tool'>): boolean {
  const { id: messageId, toolCallId, content, error } = message
  if (writer.item('calls', toolCallId) === undefined) return false
  const failed = error === undefined ? {} : { metadata: { error } }
  const of = { messageId, toolCallId, ...ownerIn(message) }
  readCallResult(writer, { type: 'TOOL_CALL_RESULT', ...of, content, ...failed })
  return true
}

function readActivity(writer: RunWriter, message: Message<'activity'>): boolean {
  const { id: messageId, activityType, content } = message
  if (boundedGet(writer.state.versions, messageId) !== undefined) return true
  readActivitySnapshot(writer, { type: 'ACTIVITY_SNAPSHOT', messageId, activityType, content })
  return true
}
