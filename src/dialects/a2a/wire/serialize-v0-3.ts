/** Serializing the model as A2A 0.3. */
import type { Artifact, Message, Part, Status, TaskUpdate, WrittenUpdate } from './model.ts'
import { isTerminal } from './model.ts'
import {
  type A2aV03Artifact,
  type A2aV03DataPart,
  type A2aV03Message,
  type A2aV03Part,
  type A2aV03StreamEvent,
  type A2aV03Task,
  type A2aV03TaskStatus,
  DATA_PART_COMPAT,
} from './types-v0-3.ts'

export function serializeV03(update: WrittenUpdate): A2aV03StreamEvent {
  const { taskId, contextId, metadata } = update
  const optional = metadata === undefined ? {} : { metadata }
  switch (update.type) {
    case 'task':
      return serializeTaskV03(update)
    case 'status': {
      const { state } = update.status
      const final = isTerminal(state) || state === 'input-required'
      const status = serializeStatus(update.status, taskId, contextId)
      return { kind: 'status-update', taskId, contextId, status, final, ...optional }
    }
    case 'artifact': {
      const artifact = serializeArtifact(update.artifact)
      const { append, last: lastChunk } = update
      return { kind: 'artifact-update', taskId, contextId, artifact, append, lastChunk, ...optional }
    }
  }
}

export function serializeTaskV03({
  taskId: id,
  contextId,
  status,
  artifacts,
  metadata,
}: TaskUpdate): A2aV03Task {
  return {
    kind: 'task',
    id,
    contextId,
    status: serializeStatus(status, id, contextId),
    ...(artifacts.length > 0 && { artifacts: artifacts.map(serializeArtifact) }),
    ...(metadata !== undefined && { metadata }),
  }
}

function serializeStatus(
  { state, message, timestamp }: Status,
  taskId: string,
  contextId: string,
): A2aV03TaskStatus {
  return {
    state,
    ...(message !== undefined && { message: serializeMessage(message, taskId, contextId) }),
    ...(timestamp !== undefined && { timestamp }),
  }
}

function serializeMessage(
  { messageId, role, parts }: Message,
  taskId: string,
  contextId: string,
): A2aV03Message {
  return { kind: 'message', messageId, role, parts: parts.map(serializePart), taskId, contextId }
}

function serializeArtifact({ artifactId, name, description, parts, metadata }: Artifact): A2aV03Artifact {
  return {
    artifactId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    parts: parts.map(serializePart),
    ...(metadata !== undefined && { metadata }),
  }
}

function serializePart(part: Part): A2aV03Part {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text }
    case 'raw':
      return { kind: 'file', file: { bytes: part.bytes, ...fileFields(part) } }
    case 'url':
      return { kind: 'file', file: { uri: part.url, ...fileFields(part) } }
    case 'data':
      return serializeData(part.data)
  }
}

function fileFields({ name, mediaType }: Part & { type: 'raw' | 'url' }): {
  name?: string
  mimeType?: string
} {
  return {
    ...(name !== undefined && { name }),
    ...(mediaType !== undefined && { mimeType: mediaType }),
  }
}

function serializeData(data: (Part & { type: 'data' })['data']): A2aV03DataPart {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
    ? { kind: 'data', data: data as A2aV03DataPart['data'] }
    : { kind: 'data', data: { value: data }, metadata: { [DATA_PART_COMPAT]: true } }
}
