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
import { type EventWriter, ownerOf } from './event-writer.ts'
import { readThoughtContent, readThoughtEnd, readThoughtStart } from './read-reasoning.ts'
import { readTextContent, readTextEnd, readTextStart } from './read-text.ts'
import { readCallArgs, readCallEnd, readCallStart } from './read-tool.ts'
import type { OpenChunk } from './state.ts'

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
export function endChunks(writer: EventWriter, event: AgUiEvent): void {
  if (TRANSPARENT.test(event.type)) return
  if (!OF_RUN.test(event.type)) endChunk(writer, ownerOf(event as { subagentRunId?: string }))
  else for (const [owner] of [...boundedEntries(writer.state.chunks)]) endChunk(writer, owner)
}

function endChunk(writer: EventWriter, owner: string): void {
  const chunk = boundedGet(writer.state.chunks, owner)
  if (chunk === undefined) return
  writer.state.chunks = boundedDelete(writer.state.chunks, owner)
  const { type, id } = chunk
  if (type === 'text') {
    if (writer.item('texts', id) !== undefined)
      readTextEnd(writer, { type: 'TEXT_MESSAGE_END', messageId: id })
  } else if (type === 'thought') {
    const thought = writer.item('thoughts', id)
    if (thought?.hasEnded === false) readThoughtEnd(writer, { type: 'REASONING_MESSAGE_END', messageId: id })
  } else if (writer.item('calls', id)?.phase === 'writing') {
    readCallEnd(writer, { type: 'TOOL_CALL_END', toolCallId: id })
  }
}

export function readChunk(writer: EventWriter, event: ChunkEvent): void {
  const owner = ownerOf(event)
  const type = types[event.type]
  const given = event.type === 'TOOL_CALL_CHUNK' ? event.toolCallId : event.messageId
  const open = boundedGet(writer.state.chunks, owner)
  const continues = open?.type === type && (given === undefined || given === open.id)
  if (!continues) endChunk(writer, owner)
  const id = continues ? open.id : given
  if (id === undefined) {
    writer.droppedEvent(event, 'not-started', `Expected an id in the first ${event.type}, got none.`)
    return
  }
  if (!continues && !startChunk(writer, event, { type, id }, owner)) return
  continueChunk(writer, event, id, continues)
}

/** Begins the message or call of a first chunk. Returns whether it could. */
function startChunk(writer: EventWriter, event: ChunkEvent, chunk: OpenChunk, owner: string): boolean {
  const { subagentRunId, metadata } = event
  const base = {
    ...(subagentRunId !== undefined && { subagentRunId }),
    ...(metadata !== undefined && { metadata }),
  }
  const { id } = chunk
  if (event.type === 'TEXT_MESSAGE_CHUNK') {
    const { role, name } = event
    const of = { ...(role !== undefined && { role }), ...(name !== undefined && { name }) }
    readTextStart(writer, { type: 'TEXT_MESSAGE_START', messageId: id, ...of, ...base })
  } else if (event.type === 'REASONING_MESSAGE_CHUNK') {
    readThoughtStart(writer, { type: 'REASONING_MESSAGE_START', messageId: id, role: 'reasoning', ...base })
  } else {
    const { toolCallName, parentMessageId } = event
    if (toolCallName === undefined) {
      writer.droppedEvent(
        event,
        'not-started',
        'Expected toolCallName in the first chunk of a call, got none.',
      )
      return false
    }
    const of = parentMessageId === undefined ? {} : { parentMessageId }
    readCallStart(writer, { type: 'TOOL_CALL_START', toolCallId: id, toolCallName, ...of, ...base })
  }
  writer.state.chunks = boundedSet(writer.state.chunks, owner, chunk).map
  return true
}

function continueChunk(writer: EventWriter, event: ChunkEvent, id: string, continues: boolean): void {
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
function laterMetadata(writer: EventWriter, event: ChunkEvent, id: string): Metadata | null {
  const { metadata = null } = event
  if (event.type === 'TEXT_MESSAGE_CHUNK') {
    return event.name === undefined
      ? metadata
      : writer.mergedMetadata(metadata, { metadata: { name: event.name } })
  }
  if (event.type !== 'TOOL_CALL_CHUNK') return metadata
  const { toolCallName, parentMessageId } = event
  if (toolCallName !== undefined && toolCallName !== writer.item('calls', id)?.toolName) {
    writer.lossy(
      'toolCallName',
      'Expected the name of the tool in the first chunk only, got another.',
      toolCallName,
    )
  }
  return parentMessageId === undefined
    ? metadata
    : writer.mergedMetadata(metadata, { metadata: { parentMessageId } })
}
