/** Reads chunks: messages and calls whose start and end are implied. */

import {
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedSet,
} from '../../../core/bounded-map/bounded-map.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type {
  AgUiEvent,
  AgUiReasoningMessageChunk,
  AgUiTextMessageChunk,
  AgUiToolCallChunk,
} from '../wire/types/index.ts'
import { mergedMetadata } from './metadata.ts'
import { readThoughtContent, readThoughtEnd, readThoughtStart } from './read-reasoning.ts'
import { readTextContent, readTextEnd, readTextStart } from './read-text.ts'
import { readCallArgs, readCallEnd, readCallStart } from './read-tool.ts'
import type { OpenChunk, RunWriter } from './state.ts'
import { ownerOf } from './tasks.ts'

export type ChunkEvent = AgUiTextMessageChunk | AgUiReasoningMessageChunk | AgUiToolCallChunk

const types = {
  TEXT_MESSAGE_CHUNK: 'text',
  REASONING_MESSAGE_CHUNK: 'thought',
  TOOL_CALL_CHUNK: 'call',
} as const

/** Events between the chunks of a message, which do not end it. */
const TRANSPARENT = /^(RAW|ACTIVITY_.*|REASONING_ENCRYPTED_VALUE|SUBAGENT_STARTED)$/

/** Events of the whole run, which end the messages of all agents. */
const OF_RUN = /^(RUN_.*|MESSAGES_SNAPSHOT)$/

/** Ends the messages in chunks that an event ends. */
export function endChunks(writer: RunWriter, event: AgUiEvent): void {
  if (TRANSPARENT.test(event.type)) return
  if (!OF_RUN.test(event.type)) endChunk(writer, ownerOf(event as { subagentRunId?: string }))
  else for (const [owner] of [...boundedEntries(writer.state.chunks)]) endChunk(writer, owner)
}

function endChunk(writer: RunWriter, owner: string): void {
  const chunk = boundedGet(writer.state.chunks, owner)
  if (chunk === undefined) return
  writer.state.chunks = boundedDelete(writer.state.chunks, owner)
  const { type, id } = chunk
  if (type === 'text' && writer.item('texts', id) !== undefined) {
    readTextEnd(writer, { type: 'TEXT_MESSAGE_END', messageId: id })
  } else if (type === 'thought' && writer.item('thoughts', id)?.hasEnded === false) {
    readThoughtEnd(writer, { type: 'REASONING_MESSAGE_END', messageId: id })
  } else if (type === 'call' && writer.item('calls', id)?.phase === 'writing') {
    readCallEnd(writer, { type: 'TOOL_CALL_END', toolCallId: id })
  }
}

export function readChunk(writer: RunWriter, event: ChunkEvent): void {
  const owner = ownerOf(event)
  const type = types[event.type]
  const given = event.type === 'TOOL_CALL_CHUNK' ? event.toolCallId : event.messageId
  const open = boundedGet(writer.state.chunks, owner)
  const continues = open?.type === type && (given === undefined || given === open.id)
  if (!continues) endChunk(writer, owner)
  const id = continues ? open.id : given
  const hasName = event.type !== 'TOOL_CALL_CHUNK' || event.toolCallName !== undefined
  if (id === undefined || !(continues || hasName)) {
    const missing = id === undefined ? 'an id' : 'toolCallName'
    writer.dropped(event.type, 'not-started', `Expected ${missing} in the first ${event.type}, got none.`)
    return
  }
  if (!continues) startChunk(writer, event, { type, id }, owner)
  continueChunk(writer, event, id, continues)
}

/** Begins the message or call of a first chunk. */
function startChunk(writer: RunWriter, event: ChunkEvent, chunk: OpenChunk, owner: string): void {
  const { delta: _, ...fields } = event
  const { id } = chunk
  if (fields.type === 'TEXT_MESSAGE_CHUNK') {
    readTextStart(writer, { ...fields, type: 'TEXT_MESSAGE_START', messageId: id })
  } else if (fields.type === 'REASONING_MESSAGE_CHUNK') {
    readThoughtStart(writer, { ...fields, type: 'REASONING_MESSAGE_START', messageId: id, role: 'reasoning' })
  } else {
    const { toolCallName = '' } = fields
    readCallStart(writer, { ...fields, type: 'TOOL_CALL_START', toolCallId: id, toolCallName })
  }
  writer.state.chunks = boundedSet(writer.state.chunks, owner, chunk).map
}

function continueChunk(writer: RunWriter, event: ChunkEvent, id: string, continues: boolean): void {
  const { delta = '', subagentRunId } = event
  const metadata = continues ? laterMetadata(writer, event, id) : null
  const base = {
    delta,
    ...(subagentRunId !== undefined && { subagentRunId }),
    ...(metadata !== null && { metadata }),
  }
  if (event.type === 'TEXT_MESSAGE_CHUNK') {
    readTextContent(writer, { type: 'TEXT_MESSAGE_CONTENT', messageId: id, ...base })
  } else if (event.type === 'REASONING_MESSAGE_CHUNK') {
    readThoughtContent(writer, { type: 'REASONING_MESSAGE_CONTENT', messageId: id, ...base })
  } else readCallArgs(writer, { type: 'TOOL_CALL_ARGS', toolCallId: id, ...base })
}

/** The metadata of a chunk that is not the first, with the fields that the start of a message or call has. */
function laterMetadata(writer: RunWriter, event: ChunkEvent, id: string): Metadata | null {
  const { metadata = null } = event
  const more: Metadata = {}
  if (event.type === 'TEXT_MESSAGE_CHUNK' && event.name !== undefined) more.name = event.name
  if (event.type === 'TOOL_CALL_CHUNK') {
    const { toolCallName, parentMessageId } = event
    if (toolCallName !== undefined && toolCallName !== writer.item('calls', id)?.toolName) {
      const message = 'Expected the name of the tool in the first chunk only, got another.'
      writer.lossy('toolCallName', message, toolCallName)
    }
    if (parentMessageId !== undefined) more.parentMessageId = parentMessageId
  }
  return mergedMetadata(writer, metadata, { metadata: more })
}
