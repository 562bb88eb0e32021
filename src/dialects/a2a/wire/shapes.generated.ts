// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in schemas-v0-3.ts and schemas-v1.ts beside it. Do not edit.
import { base64, utcInstant } from '../../../validation/formats.ts'
import type { Shape, ShapeFields } from '../../../validation/shape.ts'
import { noOthers, union } from '../../../validation/union.ts'

const s0: Shape = ["of", "message"]
const s1: Shape = ["of", "user", "agent"]
const s2: Shape = ['fields', {}]
const s3: Shape = ['maybe', s2]
const s4: Shape = ['like', base64]
const s5: Shape = ['maybe', 'text']
const s6: Shape = ['list', ['by', 'kind', { text: ['only', { kind: ["of", "text"], text: 'text', metadata: s3 }, noOthers], file: ['only', { kind: ["of", "file"], file: ['or', [['only', { bytes: s4, name: s5, mimeType: s5 }, noOthers], ['only', { uri: 'id', name: s5, mimeType: s5 }, noOthers]], union], metadata: s3 }, noOthers], data: ['only', { kind: ["of", "data"], data: s2, metadata: s3 }, noOthers] }], 1]
const s7: Shape = ['maybe', 'id']
const s8: Shape = ['maybe', ['list', 'text']]
const s9: Shape = ['only', { kind: s0, messageId: 'id', role: s1, parts: s6, contextId: s7, taskId: s7, referenceTaskIds: s8, extensions: s8, metadata: s3 }, noOthers]
const s10: Shape = ['only', { state: ["of", "submitted", "working", "input-required", "completed", "canceled", "failed", "rejected", "auth-required", "unknown"], message: ['maybe', s9], timestamp: s5 }, noOthers]
const s11: Shape = ['only', { artifactId: 'id', parts: s6, name: s5, description: s5, extensions: s8, metadata: s3 }, noOthers]
const s12: Shape = ['maybe', 'boolean']
const s13: Shape = ["of", "ROLE_USER", "ROLE_AGENT"]
const s14: Shape = ['list', ['or', [['only', { text: 'text', filename: s5, mediaType: s5, metadata: s3 }, noOthers], ['only', { raw: s4, filename: s5, mediaType: s5, metadata: s3 }, noOthers], ['only', { url: 'id', filename: s5, mediaType: s5, metadata: s3 }, noOthers], ['only', { data: 'any', filename: s5, mediaType: s5, metadata: s3 }, noOthers]], union], 1]
const s15: Shape = ['only', { messageId: 'id', role: s13, parts: s14, contextId: s7, taskId: s7, referenceTaskIds: s8, extensions: s8, metadata: s3 }, noOthers]
const s16: Shape = ['only', { state: ["of", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_REJECTED", "TASK_STATE_AUTH_REQUIRED"], message: ['maybe', s15], timestamp: ['maybe', ['like', utcInstant]] }, noOthers]
const s17: Shape = ['only', { artifactId: 'id', parts: s14, name: s5, description: s5, extensions: s8, metadata: s3 }, noOthers]
const s18: Shape = ['maybe', ['int', 1, 9007199254740991]]

/** The fields of each kind of item of 0.3. */
export const v03Shapes: Readonly<Record<string, ShapeFields>> = {
  task: { kind: ["of", "task"], id: 'id', contextId: 'id', status: s10, artifacts: ['maybe', ['list', s11]], history: ['maybe', ['list', s9]], metadata: s3 },
  message: { kind: s0, messageId: 'id', role: s1, parts: s6, contextId: s7, taskId: s7, referenceTaskIds: s8, extensions: s8, metadata: s3 },
  'status-update': { kind: ["of", "status-update"], taskId: 'id', contextId: 'id', status: s10, final: 'boolean', metadata: s3 },
  'artifact-update': { kind: ["of", "artifact-update"], taskId: 'id', contextId: 'id', artifact: s11, append: s12, lastChunk: s12, metadata: s3 },
}

/** The fields of each member of an item of 1.0. */
export const v1Shapes: Readonly<Record<string, ShapeFields>> = {
  task: { id: 'id', contextId: s7, status: s16, artifacts: ['maybe', ['list', s17]], history: ['maybe', ['list', s15]], metadata: s3 },
  message: { messageId: 'id', role: s13, parts: s14, contextId: s7, taskId: s7, referenceTaskIds: s8, extensions: s8, metadata: s3 },
  statusUpdate: { taskId: 'id', contextId: 'id', status: s16, metadata: s3 },
  artifactUpdate: { taskId: 'id', contextId: 'id', artifact: s17, append: s12, lastChunk: s12, metadata: s3 },
}

/** The fields of an `ErrorInfo`. */
export const errorInfoShape: ShapeFields = { code: 'id', message: 'text', retry: ["of", "retrying", "retryable", "exhausted", "terminal"], retryAfterMs: ['maybe', ['int', 0, 9007199254740991]], attempt: s18, maxAttempts: s18, scope: ['maybe', ["of", "tool", "task", "stream"]], toolCallId: s7, details: ['maybe', 'any'] }
