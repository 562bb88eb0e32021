/**
 * Parsing A2A of any version: the JSON of 0.3, its REST form, and 1.0, with or without a JSON-RPC response
 * around it, with names in camel case or snake case and states by name or number.
 */

import type { JsonValue } from '../../../core/json-value.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { parseTimestamp } from '../../shared/timestamp.ts'
import type { Artifact, Message, Part, State, Status, Update } from './model.ts'
import { DATA_PART_COMPAT } from './types-v0-3.ts'

/** The result of {@link parseItem}. */
export type ParsedItem =
  | { readonly type: 'update'; readonly update: Update }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'unknown' }

/** Parses one item of a stream. */
export function parseItem(value: unknown): ParsedItem {
  if (!isFields(value)) return { type: 'unknown' }
  const isResponse = 'jsonrpc' in value || ('result' in value && !('kind' in value))
  if (isResponse || isFields(value.error)) {
    if (value.error !== undefined && value.error !== null) return { type: 'error', error: value.error }
    return isResponse ? parseItem(value.result) : { type: 'unknown' }
  }
  const update = parseUpdate(value)
  return update === undefined ? { type: 'unknown' } : { type: 'update', update }
}

function parseUpdate(value: Fields): Update | undefined {
  switch (value.kind) {
    case 'task':
      return parseTask(value)
    case 'status-update':
      return parseStatusUpdate(value)
    case 'artifact-update':
      return parseArtifactUpdate(value)
    case 'message':
      return parseMessageUpdate(value)
    default:
      break
  }
  const task = get(value, 'task')
  if (isFields(task)) return parseTask(task)
  const status = get(value, 'statusUpdate')
  if (isFields(status)) return parseStatusUpdate(status)
  const artifact = get(value, 'artifactUpdate')
  if (isFields(artifact)) return parseArtifactUpdate(artifact)
  // The REST form of 0.3 calls it `msg`.
  const message = get(value, 'message') ?? get(value, 'msg')
  return isFields(message) ? parseMessageUpdate(message) : undefined
}

function parseTask(value: Fields): Update | undefined {
  const taskId = nonEmpty(value.id)
  if (taskId === undefined) return undefined
  return {
    type: 'task',
    taskId,
    contextId: nonEmpty(get(value, 'contextId')) ?? taskId,
    status: parseStatus(value.status),
    artifacts: arrayOf(value.artifacts).flatMap((artifact) => parseArtifact(artifact) ?? []),
    ...parseMetadata(value),
  }
}

function parseStatusUpdate(value: Fields): Update | undefined {
  const taskId = nonEmpty(get(value, 'taskId'))
  if (taskId === undefined) return undefined
  return {
    type: 'status',
    taskId,
    contextId: nonEmpty(get(value, 'contextId')) ?? taskId,
    status: parseStatus(value.status),
    final: value.final === true,
    ...parseMetadata(value),
  }
}

function parseArtifactUpdate(value: Fields): Update | undefined {
  const taskId = nonEmpty(get(value, 'taskId'))
  const artifact = parseArtifact(value.artifact)
  if (taskId === undefined || artifact === undefined) return undefined
  return {
    type: 'artifact',
    taskId,
    contextId: nonEmpty(get(value, 'contextId')) ?? taskId,
    artifact,
    append: value.append === true,
    last: get(value, 'lastChunk') === true,
    ...parseMetadata(value),
  }
}

function parseMessageUpdate(value: Fields): Update | undefined {
  const message = parseMessage(value)
  if (message === undefined) return undefined
  const taskId = message.taskId ?? message.messageId
  return { type: 'message', taskId, contextId: message.contextId ?? taskId, message, ...parseMetadata(value) }
}

function parseStatus(value: unknown): Status {
  if (!isFields(value)) return { state: 'unknown' }
  const timestamp = parseTimestamp(value.timestamp)
  // The REST form of 0.3 calls the message `update`.
  const message = parseMessage(value.message ?? value.update)
  const state = parseState(value.state)
  return {
    state,
    ...(state === 'unknown' && { unknownState: value.state }),
    ...(timestamp !== undefined && { timestamp }),
    ...(message !== undefined && { message }),
  }
}

/** The states, indexed by their numbers in protocol buffers. */
const states: readonly State[] = [
  'unknown',
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
]

function parseState(value: unknown): State {
  if (typeof value === 'number') return states[value] ?? 'unknown'
  if (typeof value !== 'string') return 'unknown'
  const name = value
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
  if (name === 'cancelled') return 'canceled'
  return states.includes(name as State) ? (name as State) : 'unknown'
}

function parseMessage(value: unknown): Message | undefined {
  if (!isFields(value)) return undefined
  const taskId = nonEmpty(get(value, 'taskId'))
  const contextId = nonEmpty(get(value, 'contextId'))
  const role = value.role === 'user' || value.role === 'ROLE_USER' || value.role === 1 ? 'user' : 'agent'
  return {
    messageId: nonEmpty(get(value, 'messageId')) ?? 'message',
    role,
    // The REST form of 0.3 calls the parts `content`.
    parts: arrayOf(value.parts ?? value.content).flatMap((part) => parsePart(part) ?? []),
    ...(taskId !== undefined && { taskId }),
    ...(contextId !== undefined && { contextId }),
  }
}

function parseArtifact(value: unknown): Artifact | undefined {
  if (!isFields(value)) return undefined
  const artifactId = nonEmpty(get(value, 'artifactId'))
  if (artifactId === undefined) return undefined
  const name = nonEmpty(value.name)
  const description = nonEmpty(value.description)
  return {
    artifactId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    parts: arrayOf(value.parts).flatMap((part) => parsePart(part) ?? []),
    ...parseMetadata(value),
  }
}

function parsePart(value: unknown): Part | undefined {
  if (!isFields(value)) return undefined
  const { file } = value
  const name = nonEmpty(isFields(file) ? file.name : value.filename)
  const mediaType = nonEmpty(
    isFields(file) ? (get(file, 'mimeType') ?? get(file, 'mediaType')) : get(value, 'mediaType'),
  )
  const fileFields = { ...(name !== undefined && { name }), ...(mediaType !== undefined && { mediaType }) }
  if (typeof value.text === 'string') return { type: 'text', text: value.text, ...fileFields }
  const from = isFields(file) ? file : value
  const bytes = from.bytes ?? get(from, 'fileWithBytes') ?? from.raw
  if (typeof bytes === 'string') return { type: 'raw', bytes, ...fileFields }
  const url = from.uri ?? get(from, 'fileWithUri') ?? from.url
  if (typeof url === 'string') return { type: 'url', url, ...fileFields }
  return 'data' in value ? { type: 'data', data: parseData(value, mediaType) } : undefined
}

function parseData(part: Fields, mediaType: string | undefined): JsonValue {
  const data = part.data as JsonValue
  if (!isFields(data)) return data
  if (isFields(part.metadata) && part.metadata[DATA_PART_COMPAT] === true) return data.value ?? null
  // The REST form of 0.3 wraps the object once more.
  const isWrapped = part.kind === undefined && mediaType === undefined && Object.keys(data).length === 1
  return isWrapped && isFields(data.data) ? (data.data as JsonValue) : data
}

function parseMetadata({ metadata }: Fields): { metadata?: Metadata } {
  return isFields(metadata) && Object.keys(metadata).length > 0 ? { metadata: metadata as Metadata } : {}
}

/** The snake case names of members. */
const snakeNames: Readonly<Record<string, string>> = {
  taskId: 'task_id',
  contextId: 'context_id',
  messageId: 'message_id',
  artifactId: 'artifact_id',
  statusUpdate: 'status_update',
  artifactUpdate: 'artifact_update',
  lastChunk: 'last_chunk',
  mediaType: 'media_type',
  mimeType: 'mime_type',
  fileWithBytes: 'file_with_bytes',
  fileWithUri: 'file_with_uri',
}

/** A member by its name in camel case, or by that in snake case. */
function get(value: Fields, name: string): unknown {
  return value[name] ?? value[snakeNames[name] ?? name]
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
