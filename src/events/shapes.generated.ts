// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in src/events/records. Do not edit.
import { dottedName } from '../validation/formats.ts'
import type { Shape, ShapeFields } from '../validation/shape.ts'

const s0: Shape = ['maybe', 'id']
const s1: Shape = ['maybe', 'text']
const s2: Shape = ['maybe', 'any']
const s3: Shape = ['int', 0]
const s4: Shape = ['maybe', s3]
const s5: Shape = ['fields', { code: 'id', message: 'text', retry: ["of", "retrying", "retryable", "exhausted", "terminal"], retryAfterMs: s4, attempt: ['maybe', ['int', 1]], maxAttempts: ['maybe', ['int', 1]], scope: ['maybe', ["of", "tool", "task", "stream"]], toolCallId: s0, details: s2 }]
const s6: Shape = ['maybe', ['number', 0]]
const s7: Shape = ['maybe', ['list', ['fields', { provider: s1, model: s1, inputTokens: s4, outputTokens: s4, totalTokens: s4, reasoningTokens: s4, cachedInputTokens: s4, cacheWriteInputTokens: s4 }]]]
const s8: Shape = ['maybe', 'instant']
const s9: Shape = ['fields', {}]
const s10: Shape = ['maybe', 'boolean']
const s11: Shape = ['maybe', s9]
const s12: Shape = ["of", "planning", "reasoning", "reflection", "decision", "observation", "strategy"]

/** The fields of each kind besides `kind`, without context. */
export const eventShapes: Readonly<Record<string, ShapeFields>> = {
  'task-created': { parentTaskId: s0, initiator: ["of", "user", "agent"], timestamp: 'instant', metadata: ['maybe', ['fields', { agentId: s0, model: s1, input: s2 }]] },
  'task-status': { status: ["of", "submitted", "working", "waiting-input", "waiting-auth", "waiting-subtask", "completed", "failed", "canceled"], message: s1, error: ['maybe', s5], timestamp: 'instant', metadata: ['maybe', ['fields', { reason: s1, blockedBy: s1 }]] },
  'task-complete': { content: s1, artifacts: ['maybe', ['list', 'id']], timestamp: 'instant', metadata: ['maybe', ['fields', { duration: s6, iterations: s4, tokensUsed: s4, usage: s7, finishReason: s1 }]] },
  'content-delta': { contentId: s0, delta: 'text', index: s3, iteration: s4, indexEnd: s4, timestampEnd: s8, timestamp: 'instant' },
  'content-replace': { contentId: s0, content: 'text', iteration: s4, timestamp: 'instant' },
  'content-complete': { contentId: s0, content: 'text', iteration: s4, finishReason: s1, timestamp: 'instant', metadata: ['maybe', ['fields', { usage: s7, sources: ['maybe', ['list', ['fields', { url: s1, title: s1, documentId: s1, start: s4, end: s4, quote: s1 }]]] }]] },
  'iteration-reset': { iteration: s3, timestamp: 'instant' },
  'tool-start': { toolCallId: 'id', toolName: 'id', arguments: s9, iteration: s4, timestamp: 'instant', metadata: ['maybe', ['fields', { provider: s1, concurrent: s10, signature: s1, redacted: s10 }]] },
  'tool-arguments-delta': { toolCallId: 'id', toolName: 'id', delta: 'text', index: s3, iteration: s4, indexEnd: s4, timestampEnd: s8, timestamp: 'instant' },
  'tool-progress': { toolCallId: 'id', progress: ['number', 0, 1], iteration: s4, message: s1, timestamp: 'instant', metadata: ['maybe', ['fields', { step: s1, stepsCompleted: s4, stepsTotal: s4, remainingMs: s4, stream: s1, chunk: s1 }]] },
  'tool-complete': { toolCallId: 'id', toolName: 'id', success: 'boolean', iteration: s4, result: s2, error: s1, timestamp: 'instant', metadata: ['maybe', ['fields', { duration: s6, cached: s10, retries: s4 }]] },
  'input-required': { inputId: 'id', requireUser: s10, inputType: ["of", "tool-execution", "confirmation", "clarification", "selection", "custom"], prompt: 'text', schema: s11, options: ['maybe', ['list', 'any']], timestamp: 'instant', metadata: ['maybe', ['fields', { toolCall: ['maybe', ['fields', { id: 'id', type: s1, function: ['fields', { name: 'id', arguments: 'text' }] }]], provider: s1, urgency: ['maybe', ["of", "low", "medium", "high"]], timeout: s6 }]] },
  'input-received': { inputId: 'id', providedBy: ["of", "user", "agent"], userId: s0, agentId: s0, outcome: ['maybe', ["of", "answered", "declined"]], timestamp: 'instant', metadata: ['maybe', ['fields', { duration: s6, callDigest: s0 }]] },
  'input-canceled': { inputId: 'id', reason: ["of", "expired", "withdrawn", "task-ended"], timestamp: 'instant' },
  'auth-required': { authId: 'id', authType: ["of", "oauth2", "api-key", "password", "biometric", "custom"], provider: s1, scopes: ['maybe', ['list', 'text']], prompt: 'text', authUrl: s1, timestamp: 'instant', metadata: ['maybe', ['fields', { expiresIn: s6 }]] },
  'auth-completed': { authId: 'id', userId: 'id', timestamp: 'instant', metadata: ['maybe', ['fields', { expiresAt: s8 }]] },
  'auth-failed': { authId: 'id', reason: ["of", "denied", "expired", "failed"], message: s1, timestamp: 'instant' },
  'file-write': { artifactId: 'id', data: 'text', index: s3, indexEnd: s4, timestampEnd: s8, complete: 'boolean', name: s1, description: s1, mimeType: s1, encoding: ['maybe', ["of", "utf-8", "base64"]], version: s4, digest: ['maybe', ['like', /^sha-256:[0-9a-f]{64}$/]], timestamp: 'instant', metadata: ['maybe', ['fields', { toolCallId: s0, totalSize: s4 }]] },
  'data-write': { artifactId: 'id', data: s9, name: s1, description: s1, version: s4, expectedVersion: s4, timestamp: 'instant', metadata: ['maybe', ['fields', { toolCallId: s0, version: s4 }]] },
  'dataset-write': { artifactId: 'id', rows: ['list', s9], index: s3, indexEnd: s4, timestampEnd: s8, complete: 'boolean', name: s1, description: s1, schema: s11, version: s4, timestamp: 'instant', metadata: ['maybe', ['fields', { toolCallId: s0, totalRows: s4, batchSize: s4 }]] },
  'artifact-delta': { artifactId: 'id', baseVersion: s3, version: s3, change: ['by', 'type', { 'json-patch': ['fields', { type: ["of", "json-patch"], patch: ['list', ['fields', { op: ["of", "add", "remove", "replace", "move", "copy", "test"], path: 'text', from: s1, value: s2 }]] }], 'merge-patch': ['fields', { type: ["of", "merge-patch"], patch: s9 }], 'text-append': ['fields', { type: ["of", "text-append"], text: 'text' }], 'rows-append': ['fields', { type: ["of", "rows-append"], rows: ['list', s9] }] }], timestamp: 'instant' },
  'subtask-created': { subtaskId: 'id', agentId: s0, prompt: 'text', timestamp: 'instant' },
  'thought-delta': { thoughtId: 'id', delta: 'text', thoughtType: ['maybe', s12], verbosity: ['maybe', ["of", "brief", "normal", "detailed"]], index: s3, iteration: s4, indexEnd: s4, timestampEnd: s8, timestamp: 'instant' },
  'thought-stream': { thoughtId: 'id', thoughtType: s12, verbosity: ["of", "brief", "normal", "detailed"], content: 'text', index: s3, iteration: s4, timestamp: 'instant', metadata: ['maybe', ['fields', { confidence: ['maybe', ['number', 0, 1]], alternatives: ['maybe', ['list', 'text']], relatedTo: s0, groupId: s0, complete: s10, signature: s1, redacted: s10 }]] },
  'task-error': { error: s5, timestamp: 'instant' },
  custom: { name: ['like', dottedName], data: 'any', customId: s0, transient: s10, timestamp: 'instant', metadata: s11 },
  'internal:thought-process': { iteration: s3, stage: ["of", "pre-llm", "post-llm", "pre-tool", "post-tool"], reasoning: 'text', state: s9, timestamp: 'instant' },
  'internal:llm-call': { iteration: s3, model: 'text', messageCount: s3, toolCount: s3, timestamp: 'instant', metadata: ['maybe', ['fields', { usage: s7 }]] },
  'internal:checkpoint': { iteration: s3, state: s11, timestamp: 'instant' },
  'internal:tool-start': { toolCallId: 'id', toolName: 'id', timestamp: 'instant' },
  'internal:tool-complete': { toolCallId: 'id', toolName: 'id', success: 'boolean', error: s1, timestamp: 'instant' },
}

/** The fields of the context. */
export const contextShape: ShapeFields = { contextId: 'id', taskId: 'id', parentTaskId: s0, path: ['maybe', ['list', 'id']] }

/** The fields of an event of any kind. */
export const envelopeShape: ShapeFields = { kind: 'id', timestamp: 'instant' }
