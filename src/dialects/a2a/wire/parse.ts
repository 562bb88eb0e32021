/**
 * Reading A2A of any version: the JSON of 0.3, its REST form, and 1.0, in or out of a JSON-RPC
 * response, with names in camel case or snake case and states by name or number.
 */

import type { JsonValue } from '../../../core/schema.ts'
import type { Metadata } from '../../../events/fields.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import type { Artifact, Message, Part, State, Status, Update } from './model.ts'
import { fromA2aTime } from './time.ts'
import { DATA_PART_COMPAT } from './types-v0-3.ts'

/** What a value turns out to be. */
export type Reading =
  | { readonly type: 'update'; readonly update: Update }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'unknown' }

/** Reads one item of a stream. Never throws. */
export function readUpdate(value: unknown): Reading {
  if (!isFields(value)) return { type: 'unknown' }
  const isResponse = 'jsonrpc' in value || ('result' in value && !('kind' in value))
  if (isResponse || isFields(value.error)) {
    if (value.error !== undefined && value.error !== null) return { type: 'error', error: value.error }
    return isResponse ? readUpdate(value.result) : { type: 'unknown' }
  }
  const update = readItem(value)
  return update === undefined ? { type: 'unknown' } : { type: 'update', update }
}

function readItem(value: Fields): Update | undefined {
  switch (value.kind) {
    case 'task':
      return readTask(value)
    case 'status-update':
      return readStatusUpdate(value)
    case 'artifact-update':
      return readArtifactUpdate(value)
    case 'message':
      return readMessageUpdate(value)
    default:
      break
  }
  const task = get(value, 'task')
  if (isFields(task)) return readTask(task)
  const status = get(value, 'statusUpdate')
  if (isFields(status)) return readStatusUpdate(status)
  const artifact = get(value, 'artifactUpdate')
  if (isFields(artifact)) return readArtifactUpdate(artifact)
  // The REST form of 0.3 calls it `msg`.
  const message = get(value, 'message') ?? get(value, 'msg')
  return isFields(message) ? readMessageUpdate(message) : undefined
}

function readTask(value: Fields): Update | undefined {
  const taskId = text(value.id)
  if (taskId === undefined) return undefined
  return {
    type: 'task',
    taskId,
    contextId: text(get(value, 'contextId')) ?? taskId,
    status: readStatus(value.status),
    artifacts: list(value.artifacts).flatMap((artifact) => readArtifact(artifact) ?? []),
    ...readMetadata(value),
  }
}

function readStatusUpdate(value: Fields): Update | undefined {
  const taskId = text(get(value, 'taskId'))
  if (taskId === undefined) return undefined
  return {
    type: 'status',
    taskId,
    contextId: text(get(value, 'contextId')) ?? taskId,
    status: readStatus(value.status),
    final: value.final === true,
    ...readMetadata(value),
  }
}

function readArtifactUpdate(value: Fields): Update | undefined {
  const taskId = text(get(value, 'taskId'))
  const artifact = readArtifact(value.artifact)
  if (taskId === undefined || artifact === undefined) return undefined
  return {
    type: 'artifact',
    taskId,
    contextId: text(get(value, 'contextId')) ?? taskId,
    artifact,
    append: value.append === true,
    last: get(value, 'lastChunk') === true,
    ...readMetadata(value),
  }
}

function readMessageUpdate(value: Fields): Update | undefined {
  const message = readMessage(value)
  if (message === undefined) return undefined
  const taskId = message.taskId ?? message.messageId
  return { type: 'message', taskId, contextId: message.contextId ?? taskId, message, ...readMetadata(value) }
}

function readStatus(value: unknown): Status {
  if (!isFields(value)) return { state: 'unknown' }
  const timestamp = fromA2aTime(value.timestamp)
  // The REST form of 0.3 calls the message `update`.
  const message = readMessage(value.message ?? value.update)
  return {
    state: readState(value.state),
    ...(timestamp !== undefined && { timestamp }),
    ...(message !== undefined && { message }),
  }
}

/** The states by their numbers in protocol buffers. */
const numbered: readonly State[] = [
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

function readState(value: unknown): State {
  if (typeof value === 'number') return numbered[value] ?? 'unknown'
  if (typeof value !== 'string') return 'unknown'
  const name = value
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
  if (name === 'cancelled') return 'canceled'
  return numbered.includes(name as State) ? (name as State) : 'unknown'
}

function readMessage(value: unknown): Message | undefined {
  if (!isFields(value)) return undefined
  const taskId = text(get(value, 'taskId'))
  const contextId = text(get(value, 'contextId'))
  const role = value.role === 'user' || value.role === 'ROLE_USER' || value.role === 1 ? 'user' : 'agent'
  return {
    messageId: text(get(value, 'messageId')) ?? 'message',
    role,
    // The REST form of 0.3 calls the parts `content`.
    parts: list(value.parts ?? value.content).flatMap((part) => readPart(part) ?? []),
    ...(taskId !== undefined && { taskId }),
    ...(contextId !== undefined && { contextId }),
  }
}

function readArtifact(value: unknown): Artifact | undefined {
  if (!isFields(value)) return undefined
  const artifactId = text(get(value, 'artifactId'))
  if (artifactId === undefined) return undefined
  const name = text(value.name)
  const description = text(value.description)
  return {
    artifactId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    parts: list(value.parts).flatMap((part) => readPart(part) ?? []),
    ...readMetadata(value),
  }
}

function readPart(value: unknown): Part | undefined {
  if (!isFields(value)) return undefined
  const { file } = value
  const name = text(isFields(file) ? file.name : value.filename)
  const mediaType = text(
    isFields(file) ? (get(file, 'mimeType') ?? get(file, 'mediaType')) : get(value, 'mediaType'),
  )
  const facts = { ...(name !== undefined && { name }), ...(mediaType !== undefined && { mediaType }) }
  if (typeof value.text === 'string') return { type: 'text', text: value.text, ...facts }
  const from = isFields(file) ? file : value
  const bytes = from.bytes ?? get(from, 'fileWithBytes') ?? from.raw
  if (typeof bytes === 'string') return { type: 'raw', bytes, ...facts }
  const url = from.uri ?? get(from, 'fileWithUri') ?? from.url
  if (typeof url === 'string') return { type: 'url', url, ...facts }
  return 'data' in value ? { type: 'data', data: readData(value, mediaType) } : undefined
}

function readData(part: Fields, mediaType: string | undefined): JsonValue {
  const data = part.data as JsonValue
  if (!isFields(data)) return data
  if (isFields(part.metadata) && part.metadata[DATA_PART_COMPAT] === true) return data.value ?? null
  // The REST form of 0.3 wraps the object once more.
  const isWrapped = part.kind === undefined && mediaType === undefined && Object.keys(data).length === 1
  return isWrapped && isFields(data.data) ? (data.data as JsonValue) : data
}

function readMetadata({ metadata }: Fields): { metadata?: Metadata } {
  return isFields(metadata) && Object.keys(metadata).length > 0 ? { metadata: metadata as Metadata } : {}
}

/** The members by their names in snake case. */
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

/** A member by its name in camel case, or else in snake case. */
function get(value: Fields, name: string): unknown {
  return value[name] ?? value[snakeNames[name] ?? name]
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
