/** Serializing the model as A2A 1.0. */
import type { Artifact, Message, Part, State, Status, TaskUpdate, WrittenUpdate } from './model.ts'
import type {
  A2aV1Artifact,
  A2aV1Message,
  A2aV1Part,
  A2aV1StreamResponse,
  A2aV1Task,
  A2aV1TaskState,
  A2aV1TaskStatus,
} from './types-v1.ts'

/** The names of the states in 1.0, which does not have `unknown`. */
const v1States: Readonly<Record<Exclude<State, 'unknown'>, A2aV1TaskState>> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
  rejected: 'TASK_STATE_REJECTED',
}

export function serializeV1(update: WrittenUpdate): A2aV1StreamResponse {
  const { taskId, contextId, metadata } = update
  const optional = metadata === undefined ? {} : { metadata }
  switch (update.type) {
    case 'task':
      return { task: serializeTaskV1(update) }
    case 'status': {
      const status = serializeStatus(update.status, taskId, contextId)
      return { statusUpdate: { taskId, contextId, status, ...optional } }
    }
    case 'artifact':
      return {
        artifactUpdate: {
          taskId,
          contextId,
          artifact: serializeArtifact(update.artifact),
          ...(update.append && { append: true }),
          ...(update.last && { lastChunk: true }),
          ...optional,
        },
      }
  }
}

export function serializeTaskV1({
  taskId: id,
  contextId,
  status,
  artifacts,
  metadata,
}: TaskUpdate): A2aV1Task {
  return {
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
): A2aV1TaskStatus {
  return {
    state: v1States[state === 'unknown' ? 'working' : state],
    ...(message !== undefined && { message: serializeMessage(message, taskId, contextId) }),
    ...(timestamp !== undefined && { timestamp }),
  }
}

function serializeMessage(
  { messageId, role, parts }: Message,
  taskId: string,
  contextId: string,
): A2aV1Message {
  return {
    messageId,
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: parts.map(serializePart),
    taskId,
    contextId,
  }
}

function serializeArtifact({ artifactId, name, description, parts, metadata }: Artifact): A2aV1Artifact {
  return {
    artifactId,
    // Canonical JSON omits empty strings.
    ...(name && { name }),
    ...(description && { description }),
    parts: parts.map(serializePart),
    ...(metadata !== undefined && { metadata }),
  }
}

function serializePart(part: Part): A2aV1Part {
  switch (part.type) {
    case 'text':
      return { text: part.text }
    case 'raw':
      return { raw: part.bytes, ...fileFields(part) }
    case 'url':
      return { url: part.url, ...fileFields(part) }
    case 'data':
      return { data: part.data, mediaType: 'application/json' }
  }
}

function fileFields({ name, mediaType }: Part & { type: 'raw' | 'url' }): {
  filename?: string
  mediaType?: string
} {
  return { ...(name && { filename: name }), ...(mediaType && { mediaType }) }
}
