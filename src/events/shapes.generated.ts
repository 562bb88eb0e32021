// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in src/events/records. Do not edit.
import type { Shape, ShapeFields } from '../validation/shape.ts'

const s0: Shape = ['maybe', 'id']
const s1: Shape = ["of", "user", "agent"]
const s2: Shape = ['maybe', 'text']
const s3: Shape = ['maybe', 'any']
const s4: Shape = ['int', 0, 9007199254740991]
const s5: Shape = ['maybe', s4]
const s6: Shape = ['maybe', ['int', 1, 9007199254740991]]
const s7: Shape = ['fields', { code: 'id', message: 'text', retry: ["of", "retrying", "retryable", "exhausted", "terminal"], retryAfterMs: s5, attempt: s6, maxAttempts: s6, scope: ['maybe', ["of", "tool", "task", "stream"]], toolCallId: s0, details: s3 }]
const s8: Shape = ['maybe', ['list', 'id']]
const s9: Shape = ['maybe', ['number', 0, Number.MAX_VALUE]]
const s10: Shape = ['maybe', ['list', ['fields', { provider: s2, model: s2, inputTokens: s5, outputTokens: s5, totalTokens: s5, reasoningTokens: s5, cachedInputTokens: s5, cacheWriteInputTokens: s5 }]]]
const s11: Shape = ['maybe', 'instant']
const s12: Shape = ['fields', {}]
const s13: Shape = ['maybe', 'boolean']
const s14: Shape = ['number', 0, 1]
const s15: Shape = ['maybe', s12]
const s16: Shape = ['maybe', ['list', 'text']]
const s17: Shape = ['list', s12]
const s18: Shape = ["of", "planning", "reasoning", "reflection", "decision", "observation", "strategy"]
const s19: Shape = ["of", "brief", "normal", "detailed"]

/** The fields of each kind besides `kind`, without context. */
export const eventShapes: Readonly<Record<string, ShapeFields>> = {
  'task-created': { parentTaskId: s0, initiator: s1, timestamp: 'instant', metadata: ['maybe', ['fields', { agentId: s0, model: s2, input: s3 }]] },
  'task-status': { status: ["of", "submitted", "working", "waiting-input", "waiting-auth", "waiting-subtask", "completed", "failed", "canceled"], message: s2, error: ['maybe', s7], timestamp: 'instant', metadata: ['maybe', ['fields', { reason: s2, blockedBy: s2 }]] },
  'task-complete': { content: s2, artifacts: s8, timestamp: 'instant', metadata: ['maybe', ['fields', { duration: s9, iterations: s5, tokensUsed: s5, usage: s10, finishReason: s2 }]] },
  'content-delta': { contentId: s0, delta: 'text', index: s4, iteration: s5, indexEnd: s5, timestampEnd: s11, timestamp: 'instant' },
  'content-replace': { contentId: s0, content: 'text', iteration: s5, timestamp: 'instant' },
  'content-complete': { contentId: s0, content: 'text', iteration: s5, finishReason: s2, timestamp: 'instant', metadata: ['maybe', ['fields', { usage: s10, sources: ['maybe', ['list', ['fields', { url: s2, title: s2, documentId: s2, start: s5, end: s5, quote: s2 }]]] }]] },
  'iteration-reset': { iteration: s4, timestamp: 'instant' },
  'tool-start': { toolCallId: 'id', toolName: 'id', arguments: s12, iteration: s5, timestamp: 'instant', metadata: ['maybe', ['fields', { provider: s2, concurrent: s13, signature: s2, redacted: s13 }]] },
  'tool-arguments-delta': { toolCallId: 'id', toolName: 'id', delta: 'text', index: s4, iteration: s5, indexEnd: s5, timestampEnd: s11, timestamp: 'instant' },
  'tool-progress': { toolCallId: 'id', progress: s14, iteration: s5, message: s2, timestamp: 'instant', metadata: ['maybe', ['fields', { step: s2, stepsCompleted: s5, stepsTotal: s5, remainingMs: s5, stream: s2, chunk: s2 }]] },
  'tool-complete': { toolCallId: 'id', toolName: 'id', success: 'boolean', iteration: s5, result: s3, error: s2, timestamp: 'instant', metadata: ['maybe', ['fields', { duration: s9, cached: s13, retries: s5 }]] },
  'input-required': { inputId: 'id', requireUser: s13, inputType: ["of", "tool-execution", "confirmation", "clarification", "selection", "custom"], prompt: 'text', schema: s15, options: ['maybe', ['list', 'any']], timestamp: 'instant', metadata: ['maybe', ['fields', { toolCall: ['maybe', ['fields', { id: 'id', type: s2, function: ['fields', { name: 'id', arguments: 'text' }] }]], provider: s2, urgency: ['maybe', ["of", "low", "medium", "high"]], timeout: s9 }]] },
  'input-received': { inputId: 'id', providedBy: s1, userId: s0, agentId: s0, outcome: ['maybe', ["of", "answered", "declined"]], timestamp: 'instant', metadata: ['maybe', ['fields', { duration: s9, callDigest: s0 }]] },
  'input-canceled': { inputId: 'id', reason: ["of", "expired", "withdrawn", "task-ended"], timestamp: 'instant' },
  'auth-required': { authId: 'id', authType: ["of", "oauth2", "api-key", "password", "biometric", "custom"], provider: s2, scopes: s16, prompt: 'text', authUrl: s2, timestamp: 'instant', metadata: ['maybe', ['fields', { expiresIn: s9 }]] },
  'auth-completed': { authId: 'id', userId: 'id', timestamp: 'instant', metadata: ['maybe', ['fields', { expiresAt: s11 }]] },
  'auth-failed': { authId: 'id', reason: ["of", "denied", "expired", "failed"], message: s2, timestamp: 'instant' },
  'file-write': { artifactId: 'id', data: 'text', index: s4, indexEnd: s5, timestampEnd: s11, complete: 'boolean', name: s2, description: s2, mimeType: s2, encoding: ['maybe', ["of", "utf-8", "base64"]], version: s5, digest: ['maybe', ['like', /^sha-256:[0-9a-f]{64}$/]], timestamp: 'instant', metadata: ['maybe', ['fields', { toolCallId: s0, totalSize: s5 }]] },
  'data-write': { artifactId: 'id', data: s12, name: s2, description: s2, version: s5, expectedVersion: s5, timestamp: 'instant', metadata: ['maybe', ['fields', { toolCallId: s0, version: s5 }]] },
  'dataset-write': { artifactId: 'id', rows: s17, index: s4, indexEnd: s5, timestampEnd: s11, complete: 'boolean', name: s2, description: s2, schema: s15, version: s5, timestamp: 'instant', metadata: ['maybe', ['fields', { toolCallId: s0, totalRows: s5, batchSize: s5 }]] },
  'artifact-delta': { artifactId: 'id', baseVersion: s4, version: s4, change: ['by', 'type', { 'json-patch': ['fields', { type: ["of", "json-patch"], patch: ['list', ['fields', { op: ["of", "add", "remove", "replace", "move", "copy", "test"], path: 'text', from: s2, value: s3 }]] }], 'merge-patch': ['fields', { type: ["of", "merge-patch"], patch: s12 }], 'text-append': ['fields', { type: ["of", "text-append"], text: 'text' }], 'rows-append': ['fields', { type: ["of", "rows-append"], rows: s17 }] }], timestamp: 'instant' },
  'subtask-created': { subtaskId: 'id', agentId: s0, prompt: 'text', timestamp: 'instant' },
  'thought-delta': { thoughtId: 'id', delta: 'text', thoughtType: ['maybe', s18], verbosity: ['maybe', s19], index: s4, iteration: s5, indexEnd: s5, timestampEnd: s11, timestamp: 'instant' },
  'thought-stream': { thoughtId: 'id', thoughtType: s18, verbosity: s19, content: 'text', index: s4, iteration: s5, timestamp: 'instant', metadata: ['maybe', ['fields', { confidence: ['maybe', s14], alternatives: s16, relatedTo: s0, groupId: s0, complete: s13, signature: s2, redacted: s13 }]] },
  'task-error': { error: s7, timestamp: 'instant' },
  custom: { name: ['like', /^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$/], data: 'any', customId: s0, transient: s13, timestamp: 'instant', metadata: s15 },
  'internal:thought-process': { iteration: s4, stage: ["of", "pre-llm", "post-llm", "pre-tool", "post-tool"], reasoning: 'text', state: s12, timestamp: 'instant' },
  'internal:llm-call': { iteration: s4, model: 'text', messageCount: s4, toolCount: s4, timestamp: 'instant', metadata: ['maybe', ['fields', { usage: s10 }]] },
  'internal:checkpoint': { iteration: s4, timestamp: 'instant' },
  'internal:tool-start': { toolCallId: 'id', toolName: 'id', timestamp: 'instant' },
  'internal:tool-complete': { toolCallId: 'id', toolName: 'id', success: 'boolean', error: s2, timestamp: 'instant' },
}

/** The fields of the context. */
export const contextShape: ShapeFields = { contextId: 'id', taskId: 'id', parentTaskId: s0, path: s8 }

/** The fields of an event of any kind. */
export const envelopeShape: ShapeFields = { kind: 'id', timestamp: 'instant' }

/** The fields of an event of any kind, with context. */
export const contextEnvelopeShape: ShapeFields = { kind: 'id', contextId: 'id', taskId: 'id', timestamp: 'instant', parentTaskId: s0, path: s8 }
