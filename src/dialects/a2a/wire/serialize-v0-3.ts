/** Writing A2A 0.3. */
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

export function writeV03(update: WrittenUpdate): A2aV03StreamEvent {
  const { taskId, contextId, metadata } = update
  const extra = metadata === undefined ? {} : { metadata }
  switch (update.type) {
    case 'task':
      return writeTaskV03(update)
    case 'status': {
      const { state } = update.status
      const final = isTerminal(state) || state === 'input-required'
      const status = writeStatus(update.status, taskId, contextId)
      return { kind: 'status-update', taskId, contextId, status, final, ...extra }
    }
    case 'artifact': {
      const artifact = writeArtifact(update.artifact)
      const { append, last: lastChunk } = update
      return { kind: 'artifact-update', taskId, contextId, artifact, append, lastChunk, ...extra }
    }
  }
}

export function writeTaskV03({ taskId: id, contextId, status, artifacts, metadata }: TaskUpdate): A2aV03Task {
  return {
    kind: 'task',
    id,
    contextId,
    status: writeStatus(status, id, contextId),
    ...(artifacts.length > 0 && { artifacts: artifacts.map(writeArtifact) }),
    ...(metadata !== undefined && { metadata }),
  }
}

function writeStatus(
  { state, message, timestamp }: Status,
  taskId: string,
  contextId: string,
): A2aV03TaskStatus {
  return {
    state,
    ...(message !== undefined && { message: writeMessage(message, taskId, contextId) }),
    ...(timestamp !== undefined && { timestamp }),
  }
}

function writeMessage({ messageId, role, parts }: Message, taskId: string, contextId: string): A2aV03Message {
  return { kind: 'message', messageId, role, parts: parts.map(writePart), taskId, contextId }
}

function writeArtifact({ artifactId, name, description, parts, metadata }: Artifact): A2aV03Artifact {
  return {
    artifactId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    parts: parts.map(writePart),
    ...(metadata !== undefined && { metadata }),
  }
}

function writePart(part: Part): A2aV03Part {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text }
    case 'raw':
      return { kind: 'file', file: { bytes: part.bytes, ...fileFacts(part) } }
    case 'url':
      return { kind: 'file', file: { uri: part.url, ...fileFacts(part) } }
    case 'data':
      return writeData(part.data)
  }
}

function fileFacts({ name, mediaType }: Part & { type: 'raw' | 'url' }): {
  name?: string
  mimeType?: string
} {
  return {
    ...(name !== undefined && { name }),
    ...(mediaType !== undefined && { mimeType: mediaType }),
  }
}

function writeData(data: (Part & { type: 'data' })['data']): A2aV03DataPart {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
    ? { kind: 'data', data: data as A2aV03DataPart['data'] }
    : { kind: 'data', data: { value: data }, metadata: { [DATA_PART_COMPAT]: true } }
}
