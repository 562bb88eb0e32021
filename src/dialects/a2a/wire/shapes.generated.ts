// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in schemas-v0-3.ts and schemas-v1.ts beside it. Do not edit.
import { base64, utcInstant } from '../../../validation/formats.ts'
import type { Shape, ShapeFields } from '../../../validation/shape.ts'
import { noOthers, union } from '../../../validation/union.ts'

const s0: Shape = ['maybe', ['fields', {}]]
const s1: Shape = ['maybe', 'text']
const s2: Shape = ['list', ['by', 'kind', { text: ['only', { kind: ["of", "text"], text: 'text', metadata: s0 }, noOthers], file: ['only', { kind: ["of", "file"], file: ['or', [['only', { bytes: ['like', base64], name: s1, mimeType: s1 }, noOthers], ['only', { uri: 'id', name: s1, mimeType: s1 }, noOthers]], union], metadata: s0 }, noOthers], data: ['only', { kind: ["of", "data"], data: ['fields', {}], metadata: s0 }, noOthers] }], 1]
const s3: Shape = ['maybe', 'id']
const s4: Shape = ['maybe', ['list', 'text']]
const s5: Shape = ['only', { kind: ["of", "message"], messageId: 'id', role: ["of", "user", "agent"], parts: s2, contextId: s3, taskId: s3, referenceTaskIds: s4, extensions: s4, metadata: s0 }, noOthers]
const s6: Shape = ['only', { state: ["of", "submitted", "working", "input-required", "completed", "canceled", "failed", "rejected", "auth-required", "unknown"], message: ['maybe', s5], timestamp: s1 }, noOthers]
const s7: Shape = ['only', { artifactId: 'id', parts: s2, name: s1, description: s1, extensions: s4, metadata: s0 }, noOthers]
const s8: Shape = ['maybe', 'boolean']
const s9: Shape = ['list', ['or', [['only', { text: 'text', filename: s1, mediaType: s1, metadata: s0 }, noOthers], ['only', { raw: ['like', base64], filename: s1, mediaType: s1, metadata: s0 }, noOthers], ['only', { url: 'id', filename: s1, mediaType: s1, metadata: s0 }, noOthers], ['only', { data: 'any', filename: s1, mediaType: s1, metadata: s0 }, noOthers]], union], 1]
const s10: Shape = ['only', { messageId: 'id', role: ["of", "ROLE_USER", "ROLE_AGENT"], parts: s9, contextId: s3, taskId: s3, referenceTaskIds: s4, extensions: s4, metadata: s0 }, noOthers]
const s11: Shape = ['only', { state: ["of", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_REJECTED", "TASK_STATE_AUTH_REQUIRED"], message: ['maybe', s10], timestamp: ['maybe', ['like', utcInstant]] }, noOthers]
const s12: Shape = ['only', { artifactId: 'id', parts: s9, name: s1, description: s1, extensions: s4, metadata: s0 }, noOthers]

/** The fields of each kind of item of 0.3. */
export const v03Shapes: Readonly<Record<string, ShapeFields>> = {
  task: { kind: ["of", "task"], id: 'id', contextId: 'id', status: s6, artifacts: ['maybe', ['list', s7]], history: ['maybe', ['list', s5]], metadata: s0 },
  message: { kind: ["of", "message"], messageId: 'id', role: ["of", "user", "agent"], parts: s2, contextId: s3, taskId: s3, referenceTaskIds: s4, extensions: s4, metadata: s0 },
  'status-update': { kind: ["of", "status-update"], taskId: 'id', contextId: 'id', status: s6, final: 'boolean', metadata: s0 },
  'artifact-update': { kind: ["of", "artifact-update"], taskId: 'id', contextId: 'id', artifact: s7, append: s8, lastChunk: s8, metadata: s0 },
}

/** The fields of each member of an item of 1.0. */
export const v1Shapes: Readonly<Record<string, ShapeFields>> = {
  task: { id: 'id', contextId: s3, status: s11, artifacts: ['maybe', ['list', s12]], history: ['maybe', ['list', s10]], metadata: s0 },
  message: { messageId: 'id', role: ["of", "ROLE_USER", "ROLE_AGENT"], parts: s9, contextId: s3, taskId: s3, referenceTaskIds: s4, extensions: s4, metadata: s0 },
  statusUpdate: { taskId: 'id', contextId: 'id', status: s11, metadata: s0 },
  artifactUpdate: { taskId: 'id', contextId: 'id', artifact: s12, append: s8, lastChunk: s8, metadata: s0 },
}

/** The fields of an `ErrorInfo`. */
export const errorInfoShape: ShapeFields = { code: 'id', message: 'text', retry: ["of", "retrying", "retryable", "exhausted", "terminal"], retryAfterMs: ['maybe', ['int', 0]], attempt: ['maybe', ['int', 1]], maxAttempts: ['maybe', ['int', 1]], scope: ['maybe', ["of", "tool", "task", "stream"]], toolCallId: s3, details: ['maybe', 'any'] }
